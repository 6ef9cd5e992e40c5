// The ends of int32, where sums wrap and products saturate.
#pragma once

#include <cstdint>
#include <limits>

namespace arenaproof {

inline constexpr std::int32_t kLeastInt32 = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int32_t kMostInt32 = std::numeric_limits<std::int32_t>::max();

}  // namespace arenaproof
