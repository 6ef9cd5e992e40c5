// Copies several tensors as if all sources were read before the first destination is written, in place and without
// memory for the staging: by choosing the order.
#pragma once

#include <cstddef>
#include <span>

#include "core/arena/observer.h"
#include "core/base/status.h"
#include "core/runtime/kernel_interface/limits.h"

namespace arenaproof {

struct TensorMove {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::size_t bytes = 0;
};

// Takes at most kMaxOperandsPerOperator moves. A move whose source and destination overlap in part is carried out
// correctly. Destinations that lie on each other are written in the order given, unless sources ask for another. When
// the sources and destinations of some moves lie on each other in a circle nothing of these is written:
// kSubgraphCopyOverlap.
Status CopyTogether(std::span<const TensorMove> moves);

// The same, watched: the moves are all that may be touched. `observer` may be null. For an observer 48 bytes of stack
// for each of kMaxOperandsPerOperator moves.
Status CopyTogether(std::span<const TensorMove> moves, ArenaObserver* observer);

}  // namespace arenaproof
