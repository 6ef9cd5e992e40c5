// The order in which the greedy planner places buffers: fixed ones as added; then the others by falling size, of equal
// sizes the one added later first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/planner/buffer_columns.h"
#include "core/planner/radix_order.h"

namespace arenaproof {

// With room: the spare numbers become rows in the order of placement. How many are fixed.
inline std::size_t OrderForPlacement(const BufferColumns& rows, std::size_t count) {
  std::uint32_t* const order = rows.SpareNumbers();
  std::uint32_t* const row_of = rows.MoreSpareNumbers();
  for (std::size_t row = 0; row < count; ++row) row_of[rows.NumberOf(row)] = static_cast<std::uint32_t>(row);
  std::size_t fixed_count = 0;
  std::size_t end = count;
  for (std::size_t number = 0; number < count; ++number) {
    const std::uint32_t row = row_of[number];
    order[rows.Fixed(row) ? fixed_count++ : --end] = row;
  }
  SortByKey(order + fixed_count, count - fixed_count, row_of, [&](std::uint32_t row) { return ~rows.bytes[row]; });
  return fixed_count;
}

// Precondition: row i is about buffer i. With room: the numbers, and the ordered lifetimes with them, in the order of
// placement. How many are fixed.
inline std::size_t ArrangeForPlacement(const BufferColumns& rows, std::size_t count) {
  const std::size_t fixed_count = OrderForPlacement(rows, count);
  const std::uint32_t* const order = rows.SpareNumbers();
  for (std::size_t i = 0; i < count; ++i) {
    rows.number[i] = order[i] | (i < fixed_count ? BufferColumns::kFixedBit : 0);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = rows.NumberOf(i);
    rows.ordered_first[i] = rows.first[row];
    rows.ordered_last[i] = rows.last[row];
  }
  return fixed_count;
}

// The same without room, of few: the lifetimes go along themselves.
inline std::size_t ArrangeFewForPlacement(const BufferColumns& rows, std::size_t count) {
  const auto placed_before = [&](std::uint32_t number, std::uint32_t other) {
    const bool fixed = (number & BufferColumns::kFixedBit) != 0, other_fixed = (other & BufferColumns::kFixedBit) != 0;
    if (fixed | other_fixed) return fixed && (!other_fixed || number < other);
    return rows.bytes[number] != rows.bytes[other] ? rows.bytes[number] > rows.bytes[other] : number > other;
  };
  std::size_t fixed_count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t number = rows.number[i];
    fixed_count += rows.Fixed(i) ? 1 : 0;
    std::size_t place = i;
    for (; place > 0 && placed_before(number, rows.number[place - 1]); --place) {
      rows.number[place] = rows.number[place - 1];
    }
    rows.number[place] = number;
  }
  rows.FollowNumbers(count, rows.first, rows.last);
  return fixed_count;
}

}  // namespace arenaproof
