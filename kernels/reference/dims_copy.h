// Some of the reference's kernels replace their output's dims by a copy in the tail that they may write. Shapes come
// from the file here and are final, so nothing reads that copy; it is taken all the same, so that an arena that is
// measured here is the device's.
#pragma once

#include "core/base/status.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::reference {

// Takes 4 bytes for the rank of output 0 and 4 for each of its extents, and writes them.
Status CopyOutputDims(PrepareContext& context);

}  // namespace arenaproof::reference
