// A shared library with kernels, loaded into this process: whatever its code does happens here, so this process is a
// child that may die. It stays loaded until the process ends.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/runtime/kernel_interface/kernel.h"
#include "tools/kernel_library/kernel_refusal.h"
#include "tools/kernel_library/library_hooks.h"
#include "tools/kernel_library/library_kernels.h"

namespace arenaproof {

class KernelLibrary {
 public:
  // The steps: the file is a library of this machine, with hooks that this process offers; it is loaded; its function
  // gives a table; the table is checked. `build` is the one that this process can take beside a plain one.
  std::optional<KernelRefusal> Load(const std::string& file, LibraryHooks build, const KernelSet* fallback);

  // After success.
  const LibraryKernels& kernels() const { return *kernels_; }
  LibraryHooks hooks() const { return hooks_; }

 private:
  LibraryHooks hooks_ = LibraryHooks::kNone;
  std::unique_ptr<LibraryKernels> kernels_;
};

}  // namespace arenaproof
