// The placed buffers by offset, and the lowest gap between them for the next one.
//
// They are the front of the column `number`, which holds the buffers in the order of placement: each that is placed
// moves up to where its offset belongs. The ordered lifetimes lie beside, in the same order, so that a search reads
// lifetimes one behind the other, many at a time, and of the other columns only what lives with the buffer in question.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/planner/buffer_columns.h"
#include "core/planner/gap_search.h"
#include "core/planner/live_mask.h"
#include "core/planner/search_floors.h"

namespace arenaproof {

class PlacedRows {
 public:
  // `count` rows, in the order of placement, `fixed_count` of them fixed.
  PlacedRows(const BufferColumns& rows, std::size_t count, std::size_t fixed_count) : rows_(rows), count_(count) {
    std::size_t most_bytes = 0, sum = 0;
    bool sums_fit = true;
    for (std::size_t row = 0; row < count; ++row) {
      most_bytes = std::max(most_bytes, rows.bytes[row]);
      sum += rows.bytes[row];
      sums_fit = sums_fit && sum >= rows.bytes[row];
    }
    most_bytes_ = most_bytes;
    plain_ = sums_fit && fixed_count == 0;
  }

  std::size_t placed_count() const { return placed_count_; }

  // The next one, which has its offset.
  void PlaceFixed() { Insert(0, placed_count_); }

  // The next one; the sizes of such fall. False when its end does not fit in a word.
  bool PlaceInLowestGap() {
    const std::size_t bytes = rows_.bytes[rows_.NumberOf(placed_count_)];
    const Lifetime lives{rows_.ordered_first[placed_count_], rows_.ordered_last[placed_count_]};
    if (placed_count_ < kFloorsFrom) {
      GapSearch gap(0, bytes);
      const Stop stop = Pass({0, 0}, lives, gap);
      return Place(bytes, stop, gap);
    }
    if (placed_count_ >= stretch_end_) StartStretch();
    const SearchFloors::Floor floor = floors_.Highest(lives.first, lives.last);
    GapSearch gap(floor.offset, least_bytes_);
    Stop stop = Pass({floor.place, floor.place}, lives, gap);
    if (gap.fits()) {
      Remember(lives, gap.candidate(), stop.place);
      gap.Want(bytes);
      // What stopped the search for the least may let this one through, if that is larger.
      if (gap.fits() && stop.place < placed_count_ && !PassNumber<false>(rows_.number[stop.place], gap)) {
        stop = Pass({stop.place + 1, stop.place + 1}, lives, gap);
      }
    }
    return Place(bytes, stop, gap);
  }

 private:
  // Fewer are searched in less time than floors take.
  static constexpr std::size_t kFloorsFrom = 100;
  // So many of the placed, a stretch of those that follow: their sizes are nearly equal.
  static constexpr std::size_t kPlacedPerStretched = 8;

  struct Lifetime {
    std::int32_t first, last;
  };
  // Where a search ended.
  struct Stop {
    std::size_t begin;  // behind the last one that it passed
    std::size_t place;  // of the one that ended it, or behind all
  };

  bool Place(std::size_t bytes, const Stop& stop, const GapSearch& gap) {
    if (!gap.fits()) return false;
    rows_.offset[rows_.NumberOf(placed_count_)] = gap.candidate();
    // What stopped the search begins behind, unless both begin there because this one takes no byte.
    Insert(stop.begin, bytes > 0 ? stop.place : placed_count_);
    return true;
  }

  void StartStretch() {
    stretch_end_ = std::min(count_, placed_count_ + placed_count_ / kPlacedPerStretched);
    least_bytes_ = rows_.bytes[rows_.NumberOf(stretch_end_ - 1)];
    floors_.Forget();
  }

  std::size_t OffsetAt(std::size_t place) const { return rows_.offset[rows_.NumberOf(place)]; }

  // Plain: number and row are one, and no sum passes the largest word.
  template <bool kPlain>
  bool PassNumber(std::uint32_t number, GapSearch& gap) const {
    const std::size_t row = kPlain ? number : number & ~BufferColumns::kFixedBit;
    return gap.Pass<kPlain>(rows_.offset[row], rows_.bytes[row]);
  }

  // Goes past those from `from.place` on that live then, up to the one that ends the search.
  Stop Pass(const Stop& from, const Lifetime& lives, GapSearch& gap) const {
    return plain_ ? PassOf<true>(from, lives, gap) : PassOf<false>(from, lives, gap);
  }

  template <bool kPlain>
  Stop PassOf(Stop stop, const Lifetime& lives, GapSearch& gap) const {
    GapSearch local = gap;  // in registers
    for (std::size_t next = stop.place; next < placed_count_; next += kLiveMaskBits) {
      const std::uint64_t live = LiveMask(rows_.ordered_first + next, rows_.ordered_last + next, placed_count_ - next,
                                          count_ - next, lives.first, lives.last);
      const std::uint32_t* const numbers = rows_.number + next;
      std::uint64_t left = live;
      while (left != 0 && !PassNumber<kPlain>(numbers[std::countr_zero(left)], local)) left &= left - 1;
      const std::uint64_t passed = live ^ left;
      if (passed != 0) stop.begin = next + static_cast<std::size_t>(std::bit_width(passed));
      if (left == 0) continue;
      gap = local;
      return {stop.begin, next + static_cast<std::size_t>(std::countr_zero(left))};
    }
    gap = local;
    return {stop.begin, placed_count_};
  }

  // No gap of the stretch's least lies below `offset` for this lifetime; the search for it came to `place`.
  void Remember(const Lifetime& lives, std::size_t offset, std::size_t place) {
    constexpr std::size_t kStep = 8;
    if (offset <= most_bytes_) return;
    place = std::min(place, placed_count_ - 1);
    while (place >= kStep && OffsetAt(place) > offset - most_bytes_) place -= kStep;
    if (place >= kStep) floors_.Remember(lives.first, lives.last, {offset, place});
  }

  // The next one, which has its offset, behind those that begin there or below; between these places.
  void Insert(std::size_t begin, std::size_t end) {
    const std::size_t row = rows_.NumberOf(placed_count_);
    const std::size_t offset = rows_.offset[row];
    const std::size_t place = Behind(offset, begin, end);
    floors_.Insert(place, offset + rows_.bytes[row]);
    MoveUp(rows_.number, place);
    MoveUp(rows_.ordered_first, place);
    MoveUp(rows_.ordered_last, place);
    ++placed_count_;
  }

  // The first of these places at which a buffer begins above `offset`. Without a branch that depends on where.
  std::size_t Behind(std::size_t offset, std::size_t begin, std::size_t end) const {
    for (std::size_t count = end - begin; count > 0;) {
      const std::size_t half = (count + 1) / 2;
      begin += OffsetAt(begin + half - 1) <= offset ? half : 0;
      count -= half;
    }
    return begin;
  }

  template <typename T>
  void MoveUp(T* column, std::size_t place) const {
    const T value = column[placed_count_];
    std::copy_backward(column + place, column + placed_count_, column + placed_count_ + 1);
    column[place] = value;
  }

  const BufferColumns rows_;
  std::size_t count_;
  std::size_t most_bytes_ = 0;
  bool plain_;  // no fixed buffer, and all sizes together are a number that fits
  std::size_t placed_count_ = 0;
  std::size_t stretch_end_ = 0;
  std::size_t least_bytes_ = 0;  // of the stretch
  SearchFloors floors_;          // of the stretch
};

}  // namespace arenaproof
