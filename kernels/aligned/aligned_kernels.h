// Kernel sets that serve int8 FULLY_CONNECTED with a vector unit's access pattern and fall back to the reference set.
#pragma once

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

const KernelSet& AlignedKernels();                // "aligned": never leaves its operands
const KernelSet& AlignedFaultyKernels();          // "aligned-faulty": reads whole blocks for every row
const KernelSet& AlignedUnderreadKernels();       // "aligned-underread": reads in front of vectors only
const KernelSet& AlignedFaultyDispatchKernels();  // "aligned-faulty-dispatch": only where the library would

}  // namespace arenaproof
