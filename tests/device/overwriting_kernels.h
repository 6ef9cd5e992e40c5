// Kernels that are wrong, or right, on purpose: the reference kernels, but FULLY_CONNECTED writes bytes once more when
// its output is ready.
#pragma once

#include <cstddef>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::device {

enum class Overwritten {
  kInside,  // the output's last bytes
  kBehind,  // those behind the output
  kBefore   // those in front of it
};

// There is one such set at a time.
KernelSet OverwritingKernels(Overwritten where, std::size_t bytes);

}  // namespace arenaproof::device
