// Which of the next lifetimes meet a given one, as bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenaproof {

// Written as in the reference, so that inverted lifetimes are decided the same way.
inline bool LiveTogether(std::int32_t first, std::int32_t last, std::int32_t other_first, std::int32_t other_last) {
  return (first <= other_last) & (other_first <= last);
}

// As many lifetimes as a mask has bits.
inline constexpr std::size_t kLiveMaskBits = 64;

// Of the next `count` lifetimes, up to kLiveMaskBits. `readable` >= count: so many may be read. Out of line: it
// takes all wide registers there are, and leaves the other ones to the loop over its bits.
std::uint64_t LiveMask(const std::int32_t* firsts, const std::int32_t* lasts, std::size_t count, std::size_t readable,
                       std::int32_t first, std::int32_t last);

}  // namespace arenaproof
