// A planner of the consumer's own. Its plans are certified like everybody's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/planner/memory_planner.h"

namespace consumer {

// Each buffer `step_bytes` behind the one before: sound where no buffer is larger than that.
class SlotPlanner final : public arenaproof::MemoryPlanner {
 public:
  explicit SlotPlanner(std::size_t step_bytes) : step_bytes_(step_bytes) {}

  arenaproof::Status Init(std::span<std::byte>) override {
    count_ = 0;
    end_ = 0;
    return arenaproof::Ok();
  }
  std::size_t WorkspaceBytes(std::size_t) const override { return 0; }
  arenaproof::Status AddBuffer(std::size_t bytes, std::int32_t, std::int32_t, std::int64_t offline_offset) override {
    if (offline_offset != arenaproof::kOnline) {
      return arenaproof::Failure(arenaproof::StatusCode::kPlannerOfflineOffset, count_, offline_offset);
    }
    const std::size_t offset = count_ * step_bytes_;
    if (offset + bytes > end_) end_ = offset + bytes;
    ++count_;
    return arenaproof::Ok();
  }
  std::size_t BufferCount() const override { return count_; }
  arenaproof::Status MaximumBytes(std::size_t* maximum_bytes) override {
    *maximum_bytes = end_;
    return arenaproof::Ok();
  }
  arenaproof::Status OffsetOf(std::size_t index, std::size_t* offset) override {
    if (index >= count_) return arenaproof::Failure(arenaproof::StatusCode::kPlannerBufferIndex, index, count_);
    *offset = index * step_bytes_;
    return arenaproof::Ok();
  }
  const char* name() const override { return "slots"; }
  bool supports_offline() const override { return false; }
  bool preserves_all_tensors() const override { return false; }

 private:
  std::size_t step_bytes_, count_ = 0, end_ = 0;
};

}  // namespace consumer
