#include <algorithm>
#include <array>
#include <bit>

#include "core/planner/gap_search.h"
#include "core/planner/placement.h"
#include "core/planner/placement_order.h"
#include "core/planner/solid_ground.h"

namespace arenaproof {
namespace {

// The placed buffers by offset, and the lowest gap between them for the next one.
//
// They are the front of the column `number`, which holds the buffers in the order of placement: each that is placed
// moves up to where its offset belongs. Their lifetimes lie beside, in the same order, so that a search reads lifetimes
// one behind the other, 32 at a time, and of the other columns only what lives with the buffer in question.
class PlacedRows {
 public:
  // None of `count` >= 1 is placed yet.
  PlacedRows(const BufferColumns& rows, std::size_t count)
      : rows_(rows), count_(count), ground_{*std::max_element(rows.first, rows.first + count)} {
    // So that whole chunks can be read.
    std::fill(rows.ordered_first, rows.ordered_first + count, 0);
    std::fill(rows.ordered_last, rows.ordered_last + count, 0);
  }

  GapSearch LowestGap(std::size_t row) const {
    const std::int32_t first = rows_.first[row], last = rows_.last[row];
    GapSearch gap(rows_.bytes[row]);
    std::size_t next = 0;
    if (ground_.Carries(first, last) && rows_.bytes[row] > 0) {
      if (gap.Pass(0, ground_.end)) return gap;
      next = ground_.place_count;
    }
    for (; next < placed_count_ && next + kChunk <= count_; next += kChunk) {
      std::uint32_t mask = LiveMask(rows_.ordered_first + next, rows_.ordered_last + next, first, last);
      if (placed_count_ - next < kChunk) mask &= kBits[placed_count_ - next] - 1;
      for (; mask != 0; mask &= mask - 1) {
        if (PassPlace(next + static_cast<std::size_t>(std::countr_zero(mask)), gap)) return gap;
      }
    }
    for (; next < placed_count_; ++next) {
      const bool alive = LiveTogether(rows_.ordered_first[next], rows_.ordered_last[next], first, last);
      if (alive && PassPlace(next, gap)) return gap;
    }
    return gap;
  }

  // The next one, `row`, has its offset now. Goes behind those of equal offset.
  void InsertNext(std::size_t row) {
    const std::size_t place = PlaceFor(rows_.offset[row]);
    MoveUp(rows_.number, place, rows_.number[placed_count_]);
    MoveUp(rows_.ordered_first, place, rows_.first[row]);
    MoveUp(rows_.ordered_last, place, rows_.last[row]);
    ++placed_count_;
    ground_.Grow(rows_, placed_count_, place);
  }

 private:
  // As many rows as a mask has bits.
  static constexpr std::size_t kChunk = 32;
  static constexpr std::size_t kCounted = 16;
  static constexpr std::array<std::uint32_t, kChunk> kBits = [] {
    std::array<std::uint32_t, kChunk> bits{};
    for (std::size_t i = 0; i < kChunk; ++i) bits[i] = std::uint32_t{1} << i;
    return bits;
  }();

  // Which of the next rows live at some time between `first` and `last`; a loop of a fixed count, without a branch,
  // that compilers turn into a handful of wide instructions.
  static std::uint32_t LiveMask(const std::int32_t* firsts, const std::int32_t* lasts, std::int32_t first,
                                std::int32_t last) {
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < kChunk; ++i) mask |= LiveTogether(firsts[i], lasts[i], first, last) ? kBits[i] : 0;
    return mask;
  }

  bool PassPlace(std::size_t place, GapSearch& gap) const {
    const std::size_t row = rows_.NumberOf(place);
    return gap.Pass(rows_.offset[row], rows_.bytes[row]);
  }

  // Behind those that begin at `offset` or below it. The last few are counted: their offsets decide no branch.
  std::size_t PlaceFor(std::size_t offset) const {
    const auto begins_behind = [&](std::size_t place) { return rows_.offset[rows_.NumberOf(place)] > offset; };
    std::size_t begin = 0;
    std::size_t end = placed_count_;
    while (end - begin > kCounted) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (begins_behind(middle)) {
        end = middle;
      } else {
        begin = middle + 1;
      }
    }
    std::size_t behind_count = 0;
    for (std::size_t place = begin; place < end; ++place) behind_count += begins_behind(place) ? 1 : 0;
    return end - behind_count;
  }

  template <typename T>
  void MoveUp(T* column, std::size_t place, T value) const {
    std::copy_backward(column + place, column + placed_count_, column + placed_count_ + 1);
    column[place] = value;
  }

  const BufferColumns rows_;
  std::size_t count_;
  std::size_t placed_count_ = 0;
  SolidGround ground_;
};

}  // namespace

std::size_t PlaceByOffset(const BufferColumns& rows, std::size_t count) {
  const std::size_t fixed_count = OrderForPlacement(rows, count);
  for (std::size_t i = 0; i < count; ++i) {
    rows.number[i] = rows.SpareNumbers()[i] | (i < fixed_count ? 0 : BufferColumns::kChosenBit);
  }
  PlacedRows placed(rows, count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = rows.NumberOf(i);
    if (i >= fixed_count) {
      const GapSearch gap = placed.LowestGap(row);
      if (!gap.fits()) return row;
      rows.offset[row] = gap.candidate();
    }
    placed.InsertNext(row);
  }
  return kAllPlaced;
}

}  // namespace arenaproof
