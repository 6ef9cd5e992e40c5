#include "core/planner/greedy_planner.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace arenaproof {
namespace {

constexpr std::uint32_t kOnlineBit = std::uint32_t{1} << 31;
constexpr std::size_t kMostBuffers = kOnlineBit;

constexpr bool IsOnline(std::uint32_t entry) { return (entry & kOnlineBit) != 0; }
constexpr std::uint32_t IndexOf(std::uint32_t entry) { return entry & ~kOnlineBit; }

// Written as in the reference, so that inverted lifetimes are decided the same way.
bool ConflictInTime(const GreedyPlanner::Record& a, const GreedyPlanner::Record& b) {
  return a.first <= b.last && b.first <= a.last;
}

}  // namespace

Status GreedyPlanner::Start(std::span<std::byte> workspace) {
  const auto address = reinterpret_cast<std::uintptr_t>(workspace.data());
  const std::size_t padding = (alignof(Record) - address % alignof(Record)) % alignof(Record);
  capacity_ = padding < workspace.size() ? (workspace.size() - padding) / kBytesPerBuffer : 0;
  capacity_ = std::min(capacity_, kMostBuffers);
  if (capacity_ > 0) {
    std::byte* const start = workspace.data() + padding;
    records_ = reinterpret_cast<Record*>(start);
    entries_ = reinterpret_cast<std::uint32_t*>(start + capacity_ * sizeof(Record));
  }
  count_ = 0;
  maximum_bytes_ = 0;
  plan_is_current_ = true;
  return Ok();
}

std::size_t GreedyPlanner::BytesFor(std::size_t buffer_count) {
  constexpr std::size_t kPadding = alignof(Record) - 1;
  if (buffer_count > kMostBuffers || buffer_count > (SIZE_MAX - kPadding) / kBytesPerBuffer) return SIZE_MAX;
  return buffer_count * kBytesPerBuffer + kPadding;
}

Status GreedyPlanner::Add(std::size_t bytes, std::int32_t first, std::int32_t last, std::int64_t offline_offset) {
  if (count_ == capacity_) return Failure(StatusCode::kPlannerTooManyBuffers, capacity_);
  const bool online = offline_offset == kOnline;
  if (!online) {
    if (offline_offset < 0) return Failure(StatusCode::kPlannerOfflineOffset, count_, offline_offset);
    if (static_cast<std::uint64_t>(offline_offset) > SIZE_MAX - bytes) {
      return Failure(StatusCode::kPlannerOverflow, count_, bytes);
    }
  }
  const std::size_t offset = online ? 0 : static_cast<std::size_t>(offline_offset);
  new (&records_[count_]) Record{bytes, offset, first, last};
  new (&entries_[count_]) std::uint32_t{static_cast<std::uint32_t>(count_) | (online ? kOnlineBit : 0)};
  ++count_;
  plan_is_current_ = false;
  return Ok();
}

Status GreedyPlanner::MakePlan() {
  if (plan_is_current_) return Ok();
  SortIntoPlacementOrder();
  maximum_bytes_ = 0;
  for (std::size_t placed_count = 0; placed_count < count_; ++placed_count) {
    const std::uint32_t entry = entries_[placed_count];
    Record& record = records_[IndexOf(entry)];
    if (IsOnline(entry)) ARENAPROOF_RETURN_IF_ERROR(FindOffset(IndexOf(entry), placed_count, &record.offset));
    InsertByOffset(entry, placed_count);
    maximum_bytes_ = std::max(maximum_bytes_, record.offset + record.bytes);
  }
  plan_is_current_ = true;
  return Ok();
}

void GreedyPlanner::SortIntoPlacementOrder() {
  // A complete key: no two entries compare equal, so every sort gives the one order, and from any earlier order.
  std::sort(entries_, entries_ + count_, [records = records_](std::uint32_t a, std::uint32_t b) {
    if (IsOnline(a) != IsOnline(b)) return IsOnline(b);
    if (!IsOnline(a)) return a < b;
    const std::size_t a_bytes = records[IndexOf(a)].bytes;
    const std::size_t b_bytes = records[IndexOf(b)].bytes;
    return a_bytes != b_bytes ? a_bytes > b_bytes : a > b;
  });
}

Status GreedyPlanner::FindOffset(std::uint32_t index, std::size_t placed_count, std::size_t* offset) const {
  const Record& wanted = records_[index];
  std::size_t candidate = 0;
  for (std::size_t i = 0; i < placed_count; ++i) {
    const Record& placed = records_[IndexOf(entries_[i])];
    if (!ConflictInTime(wanted, placed)) continue;
    if (placed.offset >= candidate && placed.offset - candidate >= wanted.bytes) break;
    candidate = std::max(candidate, placed.offset + placed.bytes);
  }
  if (candidate > SIZE_MAX - wanted.bytes) return Failure(StatusCode::kPlannerOverflow, index, wanted.bytes);
  *offset = candidate;
  return Ok();
}

void GreedyPlanner::InsertByOffset(std::uint32_t entry, std::size_t placed_count) {
  std::uint32_t* const end = entries_ + placed_count;
  std::uint32_t* const place = std::upper_bound(entries_, end, records_[IndexOf(entry)].offset,
                                                [records = records_](std::size_t offset, std::uint32_t other) {
                                                  return offset < records[IndexOf(other)].offset;
                                                });
  // The entry being placed is the first behind the placed ones, so shifting by one overwrites only itself.
  std::memmove(place + 1, place, static_cast<std::size_t>(end - place) * sizeof(*place));
  *place = entry;
}

}  // namespace arenaproof
