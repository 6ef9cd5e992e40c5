#include "core/planner/greedy_planner.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/planner/gap_search.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostBuffers = BufferColumns::kChosenBit;
// As many rows as a mask has bits.
constexpr std::size_t kChunk = 32;
// By time a pair that lives together costs its share of a query and of a sort, by offset a buffer costs a step for
// every other one: measured, from 1 pair in 12 on the steps are cheaper.
constexpr std::uint64_t kStepsPerPair = 24;
constexpr std::size_t kSampledRows = 1024;
// The offset of a row that is not placed. No byte lies there, so that a placed row which has it takes none, and passing
// it or not comes to the same.
constexpr std::size_t kNotYet = SIZE_MAX;

constexpr std::array<std::uint32_t, kChunk> Bits() {
  std::array<std::uint32_t, kChunk> bits{};
  for (std::size_t i = 0; i < kChunk; ++i) bits[i] = std::uint32_t{1} << i;
  return bits;
}
constexpr std::array<std::uint32_t, kChunk> kBits = Bits();

// Which of the next rows live at some time between `first` and `last`; a loop of a fixed count, without a branch, that
// compilers turn into a handful of wide instructions.
std::uint32_t LiveMask(const std::int32_t* firsts, const std::int32_t* lasts, std::int32_t first, std::int32_t last) {
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < kChunk; ++i) mask |= ((firsts[i] <= last) & (first <= lasts[i])) ? kBits[i] : 0;
  return mask;
}

// A complete key: no two buffers compare equal, so every sort gives the one order, and from any earlier order.
bool PlacedBefore(std::uint32_t a, std::size_t a_bytes, std::uint32_t b, std::size_t b_bytes) {
  const bool a_chosen = (a & BufferColumns::kChosenBit) != 0, b_chosen = (b & BufferColumns::kChosenBit) != 0;
  if (a_chosen != b_chosen) return b_chosen;
  if (!a_chosen) return a < b;
  return a_bytes != b_bytes ? a_bytes > b_bytes : a > b;
}

// A failure is about the buffer that does not fit.
Status PlaceAt(BufferColumns& rows, std::size_t row, std::size_t offset) {
  if (offset > SIZE_MAX - rows.bytes[row]) {
    return Failure(StatusCode::kPlannerOverflow, rows.NumberOf(row), rows.bytes[row]);
  }
  rows.offset[row] = offset;
  return Ok();
}

}  // namespace

Status GreedyPlanner::Start(std::span<std::byte> workspace) {
  const auto address = reinterpret_cast<std::uintptr_t>(workspace.data());
  const std::size_t padding = (alignof(std::size_t) - address % alignof(std::size_t)) % alignof(std::size_t);
  const std::size_t length = padding < workspace.size() ? workspace.size() - padding : 0;
  const bool has_index = length >= AlignedWorkspaceBytes(kIndexedFrom, kOwnWordSize);
  capacity_ = has_index ? std::min((length - kIndexBytes) / (kBytesPerBuffer + kIndexBytesPerBuffer), kMostBuffers)
                        : std::min(length / kBytesPerBuffer, kIndexedFrom - 1);
  start_ = capacity_ > 0 ? workspace.data() + padding : nullptr;
  index_ = has_index ? Rows().number + capacity_ : nullptr;
  count_ = 0;
  maximum_bytes_ = 0;
  plan_is_current_ = true;
  return Ok();
}

std::size_t GreedyPlanner::BytesFor(std::size_t buffer_count) {
  constexpr std::size_t kPadding = alignof(std::size_t) - 1;
  constexpr std::size_t kMostRows = (SIZE_MAX - kPadding - kIndexBytes) / (kBytesPerBuffer + kIndexBytesPerBuffer);
  if (buffer_count > std::min(kMostBuffers, kMostRows)) return SIZE_MAX;
  return AlignedWorkspaceBytes(buffer_count, kOwnWordSize) + kPadding;
}

Status GreedyPlanner::Add(std::size_t bytes, std::int32_t first, std::int32_t last, std::int64_t offline_offset) {
  if (count_ == capacity_) return Failure(StatusCode::kPlannerTooManyBuffers, capacity_);
  const bool chosen = offline_offset == kOnline;
  if (!chosen) {
    if (offline_offset < 0) return Failure(StatusCode::kPlannerOfflineOffset, count_, offline_offset);
    if (static_cast<std::uint64_t>(offline_offset) > SIZE_MAX - bytes) {
      return Failure(StatusCode::kPlannerOverflow, count_, bytes);
    }
  }
  const std::size_t offset = chosen ? 0 : static_cast<std::size_t>(offline_offset);
  const auto number = static_cast<std::uint32_t>(count_);
  Rows().Set(count_, bytes, offset, first, last, number | (chosen ? BufferColumns::kChosenBit : 0));
  ++count_;
  plan_is_current_ = false;
  return Ok();
}

Status GreedyPlanner::MakePlan() {
  if (plan_is_current_) return Ok();
  BufferColumns rows = Rows();
  const Status placed = PlaceRows(rows);
  rows.Restore(count_);
  ARENAPROOF_RETURN_IF_ERROR(placed);
  maximum_bytes_ = 0;
  for (std::size_t i = 0; i < count_; ++i) maximum_bytes_ = std::max(maximum_bytes_, rows.offset[i] + rows.bytes[i]);
  plan_is_current_ = true;
  return Ok();
}

Status GreedyPlanner::PlaceRows(BufferColumns& rows) {
  std::uint32_t* const numbers = rows.number;
  const auto row_of = [](std::uint32_t number) { return number & ~BufferColumns::kChosenBit; };
  if (index_ != nullptr && count_ >= kIndexedFrom) {
    std::sort(numbers, numbers + count_, [&](std::uint32_t a, std::uint32_t b) {
      const std::int32_t a_first = rows.first[row_of(a)], b_first = rows.first[row_of(b)];
      return a_first != b_first ? a_first < b_first : row_of(a) < row_of(b);
    });
    rows.FollowNumbers(count_);
    if (FewLiveTogether(rows)) return PlaceByTime(rows);
    rows.Restore(count_);
  }
  std::sort(numbers, numbers + count_, [&](std::uint32_t a, std::uint32_t b) {
    return PlacedBefore(a, rows.bytes[row_of(a)], b, rows.bytes[row_of(b)]);
  });
  rows.FollowNumbers(count_);
  return PlaceByOffset(rows);
}

// Rows are sorted by the start of their lifetime. Some of them stand for all: this decides on speed only.
bool GreedyPlanner::FewLiveTogether(const BufferColumns& rows) const {
  const std::size_t step = 1 + count_ / kSampledRows;
  std::uint64_t pairs = 0;
  for (std::size_t row = 0; row < count_; row += step) {
    const std::int32_t* const behind = std::upper_bound(rows.first + row, rows.first + count_, rows.last[row]);
    pairs += static_cast<std::uint64_t>(behind - (rows.first + row)) * step;
  }
  return pairs < std::uint64_t{count_} * count_ / kStepsPerPair;
}

// Rows are sorted by the start of their lifetime.
Status GreedyPlanner::PlaceByTime(BufferColumns& rows) {
  // The front of the order gives way to what lives with the next buffer: never more than are placed.
  std::uint32_t* const order = index_;
  const LatestEnds ends(rows.last, count_, reinterpret_cast<std::int32_t*>(order + capacity_));
  for (std::size_t row = 0; row < count_; ++row) {
    order[row] = static_cast<std::uint32_t>(row);
    if (rows.Chosen(row)) rows.offset[row] = kNotYet;
  }
  std::sort(order, order + count_, [&](std::uint32_t a, std::uint32_t b) {
    return PlacedBefore(rows.number[a], rows.bytes[a], rows.number[b], rows.bytes[b]);
  });
  for (std::size_t i = 0; i < count_; ++i) {
    const std::uint32_t row = order[i];
    if (!rows.Chosen(row)) continue;
    const std::size_t conflict_count = GatherConflicts(rows, ends, row);
    GapSearch gap(rows.bytes[row]);
    for (std::size_t k = 0; k < conflict_count; ++k) {
      if (gap.Pass(rows.offset[order[k]], rows.bytes[order[k]])) break;
    }
    ARENAPROOF_RETURN_IF_ERROR(PlaceAt(rows, row, gap.candidate()));
  }
  return Ok();
}

// The placed rows that live with `row`, by offset.
std::size_t GreedyPlanner::GatherConflicts(const BufferColumns& rows, const LatestEnds& ends, std::size_t row) const {
  std::uint32_t* const conflicts = index_;
  const std::int32_t* const begins_later = std::upper_bound(rows.first, rows.first + count_, rows.last[row]);
  std::size_t count = 0;
  ends.ForEachBlock(rows.first[row], static_cast<std::size_t>(begins_later - rows.first),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t other = begin; other < end; ++other) {
                        conflicts[count] = static_cast<std::uint32_t>(other);
                        const bool placed = rows.offset[other] != kNotYet;
                        count += (placed & rows.LiveTogether(row, other)) ? 1 : 0;
                      }
                    });
  std::sort(conflicts, conflicts + count,
            [&](std::uint32_t a, std::uint32_t b) { return rows.offset[a] < rows.offset[b]; });
  return count;
}

// Rows are in the order of placement; those that are placed move to the front, by offset.
Status GreedyPlanner::PlaceByOffset(BufferColumns& rows) {
  for (std::size_t row = 0; row < count_; ++row) {
    if (rows.Chosen(row)) ARENAPROOF_RETURN_IF_ERROR(PlaceAt(rows, row, LowestGap(rows, row)));
    const std::size_t* const end = rows.offset + row;
    const std::size_t* const place = std::upper_bound(static_cast<const std::size_t*>(rows.offset), end, *end);
    rows.MoveUp(row, static_cast<std::size_t>(place - rows.offset));
  }
  return Ok();
}

// Among the rows before `row`, which are sorted by offset.
std::size_t GreedyPlanner::LowestGap(const BufferColumns& rows, std::size_t row) const {
  const std::int32_t first = rows.first[row], last = rows.last[row];
  GapSearch gap(rows.bytes[row]);
  std::size_t next = 0;
  for (; next < row && next + kChunk <= count_; next += kChunk) {
    std::uint32_t mask = LiveMask(rows.first + next, rows.last + next, first, last);
    if (row - next < kChunk) mask &= kBits[row - next] - 1;
    for (; mask != 0; mask &= mask - 1) {
      const std::size_t other = next + static_cast<std::size_t>(std::countr_zero(mask));
      if (gap.Pass(rows.offset[other], rows.bytes[other])) return gap.candidate();
    }
  }
  for (std::size_t other = next; other < row; ++other) {
    if (rows.LiveTogether(row, other) && gap.Pass(rows.offset[other], rows.bytes[other])) break;
  }
  return gap.candidate();
}

}  // namespace arenaproof
