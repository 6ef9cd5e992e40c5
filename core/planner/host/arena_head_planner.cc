#include "core/planner/host/arena_head_planner.h"

#include <algorithm>
#include <new>
#include <numeric>

#include "core/planner/host/arena_planner.h"
#include "core/planner/host/simple_arena.h"

namespace arenaproof {

Status ArenaHeadPlanner::Init(std::span<std::byte>) {
  buffers_.clear();
  maximum_bytes_ = 0;
  plan_is_current_ = true;
  return Ok();
}

Status ArenaHeadPlanner::AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last,
                                   std::int64_t offline_offset) {
  if (offline_offset != kOnline) return Failure(StatusCode::kPlannerOfflineOffset, buffers_.size(), offline_offset);
  try {
    buffers_.push_back({bytes, 0, first, last});
  } catch (const std::bad_alloc&) {
    return Failure(StatusCode::kHostPlannerMemory, buffers_.size() + 1);
  }
  plan_is_current_ = false;
  return Ok();
}

Status ArenaHeadPlanner::PlaceAll() {
  std::int32_t last_scope = 0;
  for (const Buffer& buffer : buffers_) last_scope = std::max(last_scope, buffer.last);
  const auto plan_of = [&](std::size_t index) {
    TensorPlan plan;
    plan.alloc_node = buffers_[index].first;
    plan.dealloc_node = buffers_[index].last == last_scope ? kNoNode : buffers_[index].last;
    return plan;
  };
  std::vector<std::size_t> order(buffers_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return PlacedBefore(plan_of(a), static_cast<std::int32_t>(a), buffers_[a].bytes, plan_of(b),
                        static_cast<std::int32_t>(b), buffers_[b].bytes);
  });
  SimpleArena arena;
  for (const std::size_t index : order) {
    Buffer& buffer = buffers_[index];
    Allocation record;
    ARENAPROOF_RETURN_IF_ERROR(
        arena.Allocate(alignment_, buffer.bytes, static_cast<std::int32_t>(index), buffer.first, buffer.last, &record));
    buffer.offset = record.offset;
  }
  maximum_bytes_ = arena.high_water();
  return Ok();
}

Status ArenaHeadPlanner::MakePlan() {
  if (plan_is_current_) return Ok();
  try {
    ARENAPROOF_RETURN_IF_ERROR(PlaceAll());
  } catch (const std::bad_alloc&) {
    return Failure(StatusCode::kHostPlannerMemory, buffers_.size());
  }
  plan_is_current_ = true;
  return Ok();
}

Status ArenaHeadPlanner::MaximumBytes(std::size_t* maximum_bytes) {
  ARENAPROOF_RETURN_IF_ERROR(MakePlan());
  *maximum_bytes = maximum_bytes_;
  return Ok();
}

Status ArenaHeadPlanner::OffsetOf(std::size_t index, std::size_t* offset) {
  if (index >= buffers_.size()) return Failure(StatusCode::kPlannerBufferIndex, index, buffers_.size());
  ARENAPROOF_RETURN_IF_ERROR(MakePlan());
  *offset = buffers_[index].offset;
  return Ok();
}

}  // namespace arenaproof
