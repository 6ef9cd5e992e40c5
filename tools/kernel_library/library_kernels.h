// A library's kernels as a kernel set of the runtime.
#pragma once

#include <deque>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"
#include "tools/kernel_library/table_check.h"

namespace arenaproof {

// One at a time in a process: the runtime calls kernels by plain functions, each of which stands for one entry of the
// table.
class LibraryKernels {
 public:
  // `fallback` (may be null) serves what the table does not; it outlives this object, and so does the library.
  LibraryKernels(CheckedTable table, const KernelSet* fallback);
  ~LibraryKernels();
  LibraryKernels(const LibraryKernels&) = delete;
  LibraryKernels& operator=(const LibraryKernels&) = delete;

  const KernelSet& set() const { return set_; }
  // Whether the kernel is the library's, and not of the fallback.
  bool Has(const Kernel* kernel) const;

 private:
  CheckedTable table_;
  std::deque<std::vector<ReadAllowance>> read_allowances_;
  std::vector<Kernel> kernels_;
  KernelSet set_;
};

}  // namespace arenaproof
