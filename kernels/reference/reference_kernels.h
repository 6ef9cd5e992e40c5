// The kernel set "reference": plain loops, byte-exact accesses, bit-exact with the reference implementation.
#pragma once

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

const KernelSet& ReferenceKernels();

}  // namespace arenaproof
