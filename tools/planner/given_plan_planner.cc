#include "tools/planner/given_plan_planner.h"

#include <algorithm>
#include <new>

namespace arenaproof {

Status GivenPlanPlanner::Init(std::span<std::byte>) {
  added_.clear();
  maximum_bytes_ = 0;
  return Ok();
}

std::size_t GivenPlanPlanner::NextNumber() const {
  std::size_t number = added_.empty() ? 0 : added_.back() + 1;
  while (number < left_out_.size() && left_out_[number]) ++number;
  return number;
}

Status GivenPlanPlanner::AddBuffer(std::size_t bytes, std::int32_t, std::int32_t, std::int64_t offline_offset) {
  const std::size_t number = NextNumber();
  if (offline_offset != kOnline) return Failure(StatusCode::kPlannerOfflineOffset, number, offline_offset);
  if (number < offsets_.size()) {
    const auto offset = static_cast<std::size_t>(offsets_[number]);
    if (bytes > SIZE_MAX - offset) return Failure(StatusCode::kPlannerOverflow, number, bytes);
    maximum_bytes_ = std::max(maximum_bytes_, offset + bytes);
  }
  try {
    added_.push_back(number);  // also beyond the plan, for what is said of it
  } catch (const std::bad_alloc&) {
    return Failure(StatusCode::kHostPlannerMemory, number);
  }
  return Ok();
}

Status GivenPlanPlanner::CheckCount() const {
  const std::size_t count = NextNumber();
  return count == offsets_.size() ? Ok() : Failure(StatusCode::kPlannerPlanCount, offsets_.size(), count);
}

Status GivenPlanPlanner::MaximumBytes(std::size_t* maximum_bytes) {
  ARENAPROOF_RETURN_IF_ERROR(CheckCount());
  *maximum_bytes = maximum_bytes_;
  return Ok();
}

Status GivenPlanPlanner::OffsetOf(std::size_t index, std::size_t* offset) {
  if (index >= added_.size()) return Failure(StatusCode::kPlannerBufferIndex, index, added_.size());
  ARENAPROOF_RETURN_IF_ERROR(CheckCount());
  *offset = static_cast<std::size_t>(offsets_[added_[index]]);
  return Ok();
}

}  // namespace arenaproof
