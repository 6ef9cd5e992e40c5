#include "kernels/kernel_sets.h"

#include "kernels/aligned/aligned_kernels.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof {

std::span<const KernelSet* const> AllKernelSets() {
  static const KernelSet* const kSets[] = {&ReferenceKernels(), &AlignedKernels(), &AlignedFaultyKernels(),
                                           &AlignedUnderreadKernels(), &AlignedFaultyDispatchKernels()};
  return kSets;
}

const KernelSet* FindKernelSet(std::string_view name) {
  for (const KernelSet* set : AllKernelSets()) {
    if (name == set->name) return set;
  }
  return nullptr;
}

}  // namespace arenaproof
