// A plan that somebody made beforehand: one offset for each buffer, in the order in which the runtime adds them
// (tensors that need planning in the order of subgraphs and tensors, then scratch buffers in the order of requests).
//
// Unlike the reference it starts anew for each model, refuses negative offsets, answers only for buffers that were
// added (no other has a size to check), and reports the largest offset + bytes as its maximum (the reference always
// reports 0, so that later allocations land on the activations). Lifetimes are not looked at: the certifier does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/planner/memory_planner.h"

namespace arenaproof {

// All functions are inline: no key function, so that code built with RTTI can use it although core is built without.
class PrecomputedPlanner final : public MemoryPlanner {
 public:
  // `offsets` stay in place and unchanged as long as the planner is used.
  explicit PrecomputedPlanner(std::span<const std::int32_t> offsets) : offsets_(offsets) {}

  Status Init(std::span<std::byte>) override {
    count_ = 0;
    maximum_bytes_ = 0;
    return Ok();
  }

  std::size_t WorkspaceBytes(std::size_t buffer_count) const override {
    return buffer_count > offsets_.size() ? SIZE_MAX : 0;
  }

  // kPlannerTooManyBuffers beyond the plan; kPlannerOfflineOffset for a fixed offset of the model's, or a negative one
  // in the plan; kPlannerOverflow.
  Status AddBuffer(std::size_t bytes, std::int32_t, std::int32_t, std::int64_t offline_offset = kOnline) override {
    if (count_ == offsets_.size()) return Failure(StatusCode::kPlannerTooManyBuffers, count_);
    if (offline_offset != kOnline) return Failure(StatusCode::kPlannerOfflineOffset, count_, offline_offset);
    if (offsets_[count_] < 0) {
      return Failure(StatusCode::kPlannerOfflineOffset, count_, std::int64_t{offsets_[count_]});
    }
    const std::size_t offset = static_cast<std::size_t>(offsets_[count_]);
    if (bytes > SIZE_MAX - offset) return Failure(StatusCode::kPlannerOverflow, count_, bytes);
    maximum_bytes_ = std::max(maximum_bytes_, offset + bytes);
    ++count_;
    return Ok();
  }

  std::size_t BufferCount() const override { return count_; }

  Status MaximumBytes(std::size_t* maximum_bytes) override {
    *maximum_bytes = maximum_bytes_;
    return Ok();
  }

  Status OffsetOf(std::size_t index, std::size_t* offset) override {
    if (index >= count_) return Failure(StatusCode::kPlannerBufferIndex, index, count_);
    *offset = static_cast<std::size_t>(offsets_[index]);
    return Ok();
  }

  const char* name() const override { return "precomputed"; }
  bool supports_offline() const override { return false; }
  bool preserves_all_tensors() const override { return false; }

 private:
  std::span<const std::int32_t> offsets_;
  std::size_t count_ = 0;
  std::size_t maximum_bytes_ = 0;
};

}  // namespace arenaproof
