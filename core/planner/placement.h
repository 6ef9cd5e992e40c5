// Gives every buffer its offset, in the order of placement: fixed ones as added; then the others by falling size, of
// equal sizes the one added later first, each in the lowest gap. Two ways to the same offsets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/planner/buffer_columns.h"

namespace arenaproof {

inline constexpr std::size_t kAllPlaced = SIZE_MAX;

// Both return the number of the first buffer whose end does not fit in a word, or kAllPlaced.

// Each buffer looks at all that are placed. Row i is about buffer i; the numbers are left in another order.
std::size_t PlaceByOffset(const BufferColumns& rows, std::size_t count);

// Each looks at what lives when it does. Precondition: rows are sorted by the start of their lifetime.
std::size_t PlaceByTime(const BufferColumns& rows, std::size_t count);

}  // namespace arenaproof
