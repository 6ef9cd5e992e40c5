// The kernels that a command line asks for: a set of this repository, or those of a file.
#pragma once

#include <optional>
#include <string_view>

#include "core/runtime/kernel_interface/kernel.h"
#include "tools/kernel_library/kernel_choice.h"
#include "tools/kernel_library/kernel_library.h"
#include "tools/kernel_library/kernel_refusal.h"

namespace arenaproof {

class ChosenKernels {
 public:
  // Loads the file, where one is named: only in a process that may die. `instrument` as `check` has it; "none" where
  // none watches.
  std::optional<KernelRefusal> Choose(const KernelChoice& choice, std::string_view instrument);

  // After success.
  const KernelSet& set() const { return *set_; }
  // Whether the instrument, which was asked for, sees nothing of what this kernel does: it is of a file that was
  // compiled without hooks. (Null, and kernels of this repository: false.)
  bool Hides(const Kernel* kernel) const;

 private:
  const KernelSet* set_ = nullptr;
  KernelLibrary library_;
  bool hidden_ = false, loaded_ = false;
};

}  // namespace arenaproof
