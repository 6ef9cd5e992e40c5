#include "tools/model/keep_all_planner.h"

namespace arenaproof {

Status KeepAllPlanner::Init(std::span<std::byte>) {
  offsets_.clear();
  end_ = 0;
  return Ok();
}

Status KeepAllPlanner::AddBuffer(std::size_t bytes, std::int32_t, std::int32_t, std::int64_t offline_offset) {
  if (offline_offset != kOnline) {
    return Failure(StatusCode::kPlannerOfflineOffset, offsets_.size(), offline_offset);
  }
  if (bytes > SIZE_MAX - end_) return Failure(StatusCode::kPlannerOverflow, offsets_.size(), bytes);
  offsets_.push_back(end_);
  end_ += bytes;
  return Ok();
}

Status KeepAllPlanner::MaximumBytes(std::size_t* maximum_bytes) {
  *maximum_bytes = end_;
  return Ok();
}

Status KeepAllPlanner::OffsetOf(std::size_t index, std::size_t* offset) {
  if (index >= offsets_.size()) return Failure(StatusCode::kPlannerBufferIndex, index, offsets_.size());
  *offset = offsets_[index];
  return Ok();
}

}  // namespace arenaproof
