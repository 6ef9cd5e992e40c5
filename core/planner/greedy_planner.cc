#include "core/planner/greedy_planner.h"

#include <algorithm>

#include "core/planner/placement.h"
#include "core/planner/radix_order.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostBuffers = BufferColumns::kFixedBit;
// By offset a buffer costs a step for every placed one. By time it costs so many steps for each that it lives with,
// whose share of a query and of a sort that is, and beside these as many as for so many pairs. Measured.
constexpr std::uint64_t kStepsPerPair = 128;
constexpr std::uint64_t kPairsPerBuffer = 10;
constexpr std::size_t kSampledRows = 1024;

// Unsigned numbers that rise as the signed ones do.
std::uint32_t RisingKey(std::int32_t time) { return static_cast<std::uint32_t>(time) ^ (std::uint32_t{1} << 31); }

}  // namespace

Status GreedyPlanner::Start(std::span<std::byte> workspace) {
  const auto address = reinterpret_cast<std::uintptr_t>(workspace.data());
  const std::size_t padding = (alignof(std::size_t) - address % alignof(std::size_t)) % alignof(std::size_t);
  const std::size_t length = padding < workspace.size() ? workspace.size() - padding : 0;
  has_room_ = length >= AlignedWorkspaceBytes(kRoomFrom, kOwnWordSize);
  capacity_ = has_room_ ? std::min(length / kBytesPerBufferWithRoom, kMostBuffers)
                        : std::min(length / kBytesPerBuffer, kRoomFrom - 1);
  start_ = capacity_ > 0 ? workspace.data() + padding : nullptr;
  count_ = 0;
  maximum_bytes_ = 0;
  plan_is_current_ = true;
  return Ok();
}

std::size_t GreedyPlanner::BytesFor(std::size_t buffer_count) {
  constexpr std::size_t kPadding = alignof(std::size_t) - 1;
  constexpr std::size_t kMostRows = (SIZE_MAX - kPadding) / kBytesPerBufferWithRoom;
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
  Rows().Set(count_, bytes, offset, first, last, number | (chosen ? 0 : BufferColumns::kFixedBit));
  ++count_;
  plan_is_current_ = false;
  return Ok();
}

Status GreedyPlanner::MakePlan() {
  if (plan_is_current_) return Ok();
  const BufferColumns rows = Rows();
  const std::size_t unplaced = PlaceRows(rows);
  if (unplaced != kAllPlaced) return Failure(StatusCode::kPlannerOverflow, unplaced, rows.bytes[unplaced]);
  maximum_bytes_ = 0;
  for (std::size_t i = 0; i < count_; ++i) maximum_bytes_ = std::max(maximum_bytes_, rows.offset[i] + rows.bytes[i]);
  plan_is_current_ = true;
  return Ok();
}

std::size_t GreedyPlanner::PlaceRows(const BufferColumns& rows) {
  if (count_ > kStepsPerPair * kPairsPerBuffer) {
    SortByKey(rows.number, count_, rows.SpareNumbers(),
              [&](std::uint32_t number) { return RisingKey(rows.first[number & ~BufferColumns::kFixedBit]); });
    if (FewLiveTogether(rows)) {
      rows.FollowNumbers(count_, rows.bytes, rows.offset, rows.first, rows.last);
      const std::size_t unplaced = PlaceByTime(rows, count_);
      rows.Restore(count_, rows.bytes, rows.offset, rows.first, rows.last);
      return unplaced;
    }
    rows.RestoreNumbers(count_);
  }
  const std::size_t unplaced = PlaceByOffset(rows, count_);
  if (rows.has_room()) {
    rows.RestoreNumbers(count_);
  } else {
    rows.Restore(count_, rows.first, rows.last);
  }
  return unplaced;
}

// Numbers are sorted by the start of their lifetime. Some of them stand for all: this decides on speed only.
bool GreedyPlanner::FewLiveTogether(const BufferColumns& rows) const {
  const std::size_t step = 1 + count_ / kSampledRows;
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < count_; i += step) {
    const std::int32_t last = rows.last[rows.NumberOf(i)];
    const std::uint32_t* const behind = std::partition_point(
        rows.number + i, rows.number + count_,
        [&](std::uint32_t number) { return rows.first[number & ~BufferColumns::kFixedBit] <= last; });
    pairs += static_cast<std::uint64_t>(behind - (rows.number + i)) * step;
  }
  return (pairs / count_ + kPairsPerBuffer) * kStepsPerPair < count_;
}

}  // namespace arenaproof
