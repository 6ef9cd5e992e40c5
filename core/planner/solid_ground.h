// The bytes from 0 on of which none is free at one time. A buffer of any bytes that lives then lies behind them, so the
// search for its gap begins there: where all buffers live together, at the buffer placed last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/planner/buffer_columns.h"

namespace arenaproof {

struct SolidGround {
  std::int32_t time = 0;
  std::size_t end = 0;
  std::size_t place_count = 0;  // so many of the placed, by offset, end there or before

  bool Carries(std::int32_t first, std::int32_t last) const { return LiveTogether(time, time, first, last); }

  // `place`: by offset, of the buffer placed last.
  void Grow(const BufferColumns& rows, std::size_t placed_count, std::size_t place) {
    const std::size_t row = rows.NumberOf(place);
    const std::size_t offset = rows.offset[row];
    const bool grows = (offset <= end) & Carries(rows.first[row], rows.last[row]);
    if (!grows && place > place_count) return;
    if (grows) end = std::max(end, offset + rows.bytes[row]);
    place_count = std::min(place_count, place);
    while (place_count < placed_count && EndAt(rows, place_count) <= end) ++place_count;
  }

 private:
  static std::size_t EndAt(const BufferColumns& rows, std::size_t place) {
    const std::size_t row = rows.NumberOf(place);
    return rows.offset[row] + rows.bytes[row];
  }
};

}  // namespace arenaproof
