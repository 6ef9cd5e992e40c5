// How far an arena may grow, and which refusals a larger one might lift.
#pragma once

#include <cstddef>

#include "core/base/status.h"

namespace arenaproof {

// The first size that is tried where none is given: enough for most models, so that no kernel is refused memory that it
// trusts to get.
inline constexpr std::size_t kFirstTriedBytes = std::size_t{64} * 1024;
inline constexpr std::size_t kMaxArenaBytes = std::size_t{1} << 31;

// Whether a status says that a larger arena might do.
bool AsksForALargerArena(const Status& status);

// What would be right, after the sentence about an arena whose size was given and whose need cannot be found.
inline constexpr const char* kHintAtALargerArena = "; when no size is given the model gets as much as it needs";

}  // namespace arenaproof
