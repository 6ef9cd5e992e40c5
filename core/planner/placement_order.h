// The order in which the greedy planner places buffers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/planner/buffer_columns.h"
#include "core/planner/radix_order.h"

namespace arenaproof {

// The spare numbers become rows in the order of placement: fixed buffers as added; then the others by falling size, of
// equal sizes the one added later first. How many are fixed.
inline std::size_t OrderForPlacement(const BufferColumns& rows, std::size_t count) {
  std::uint32_t* const order = rows.SpareNumbers();
  std::uint32_t* const row_of = rows.MoreSpareNumbers();
  for (std::size_t row = 0; row < count; ++row) row_of[rows.NumberOf(row)] = static_cast<std::uint32_t>(row);
  std::size_t fixed_count = 0;
  std::size_t end = count;
  for (std::size_t number = 0; number < count; ++number) {
    const std::uint32_t row = row_of[number];
    order[rows.Chosen(row) ? --end : fixed_count++] = row;
  }
  SortByKey(order + fixed_count, count - fixed_count, row_of, [&](std::uint32_t row) { return ~rows.bytes[row]; });
  return fixed_count;
}

}  // namespace arenaproof
