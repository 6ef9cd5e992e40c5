#include <algorithm>

#include "core/planner/gap_search.h"
#include "core/planner/latest_ends.h"
#include "core/planner/live_mask.h"
#include "core/planner/placement.h"
#include "core/planner/placement_order.h"

namespace arenaproof {
namespace {

// The offset of a row that is not placed. No byte lies there, so that a placed row which has it takes none, and passing
// it or not comes to the same.
constexpr std::size_t kNotYet = SIZE_MAX;

// The placed rows that live with `row`, by offset.
std::size_t GatherConflicts(const BufferColumns& rows, const LatestEnds& ends, std::size_t row) {
  std::uint32_t* const conflicts = rows.SpareNumbers();
  const std::int32_t first = rows.first[row], last = rows.last[row];
  std::size_t count = 0;
  ends.ForEachBlock(first, [&](std::size_t begin, std::size_t end) {
    for (std::size_t other = begin; other < end; ++other) {
      conflicts[count] = static_cast<std::uint32_t>(other);
      const bool placed = rows.offset[other] != kNotYet;
      count += (placed & LiveTogether(first, last, rows.first[other], rows.last[other])) ? 1 : 0;
    }
    return rows.first[end - 1] <= last;
  });
  std::sort(conflicts, conflicts + count,
            [&](std::uint32_t a, std::uint32_t b) { return rows.offset[a] < rows.offset[b]; });
  return count;
}

}  // namespace

std::size_t PlaceByTime(const BufferColumns& rows, std::size_t count) {
  const std::size_t fixed_count = OrderForPlacement(rows, count);
  const LatestEnds ends(rows.last, count, rows.ordered_last);
  for (std::size_t row = 0; row < count; ++row) {
    if (!rows.Fixed(row)) rows.offset[row] = kNotYet;
  }
  // The front of the order gives way to what lives with the next buffer: never more than are placed.
  std::uint32_t* const order = rows.SpareNumbers();
  for (std::size_t i = fixed_count; i < count; ++i) {
    const std::uint32_t row = order[i];
    const std::size_t conflict_count = GatherConflicts(rows, ends, row);
    GapSearch gap(0, rows.bytes[row]);
    for (std::size_t k = 0; k < conflict_count; ++k) {
      if (gap.Pass(rows.offset[order[k]], rows.bytes[order[k]])) break;
    }
    if (!gap.fits()) return rows.NumberOf(row);
    rows.offset[row] = gap.candidate();
  }
  return kAllPlaced;
}

}  // namespace arenaproof
