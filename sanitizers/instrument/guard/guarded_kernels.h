// A kernel set whose kernels go through a guard when they are invoked.
#pragma once

#include <deque>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

class GuardedInvoke {
 public:
  virtual Status Invoke(const Kernel& kernel, const InvokeContext& context) = 0;

 protected:
  ~GuardedInvoke() = default;
};

// One at a time in a process: the runtime calls kernels by plain functions, each of which stands for one kernel. The
// runtime's own operators stay as they are: their kernels have the runtime work on their operands.
class GuardedKernels {
 public:
  static constexpr std::size_t kMostKernels = 512;  // later ones are not wrapped

  // All outlive this object; the fallbacks are wrapped too.
  GuardedKernels(const KernelSet& kernels, GuardedInvoke& guard);
  ~GuardedKernels();
  GuardedKernels(const GuardedKernels&) = delete;
  GuardedKernels& operator=(const GuardedKernels&) = delete;

  const KernelSet& set() const { return sets_.front(); }

 private:
  const KernelSet* Wrap(const KernelSet& kernels);

  std::deque<KernelSet> sets_;
  std::deque<std::vector<Kernel>> kernels_;
};

}  // namespace arenaproof
