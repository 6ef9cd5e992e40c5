// Each buffer behind the one added before: no two share a byte, so every tensor keeps its value until the next invoke.
// The offset is the sum of the sizes before, the maximum the sum of all; lifetimes are not looked at.
//
// Unlike the reference it starts empty for each model, is as large as its workspace instead of 1024 buffers, and
// refuses a sum that does not fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/base/structure_bytes.h"
#include "core/planner/memory_planner.h"

namespace arenaproof {

// All functions are inline: no key function, so that code built with RTTI can use it although core is built without.
class LinearPlanner final : public MemoryPlanner {
 public:
  // The workspace holds the offsets, in whatever alignment it has: capacity = floor(length / kBytesPerBuffer).
  static constexpr std::size_t kBytesPerBuffer = sizeof(std::size_t);

  Status Init(std::span<std::byte> workspace) override {
    offsets_ = workspace.data();
    capacity_ = workspace.size() / kBytesPerBuffer;
    count_ = 0;
    end_ = 0;
    return Ok();
  }

  std::size_t WorkspaceBytes(std::size_t buffer_count) const override {
    return buffer_count > SIZE_MAX / kBytesPerBuffer ? SIZE_MAX : buffer_count * kBytesPerBuffer;
  }

  Status AddBuffer(std::size_t bytes, std::int32_t, std::int32_t, std::int64_t offline_offset = kOnline) override {
    if (count_ == capacity_) return Failure(StatusCode::kPlannerTooManyBuffers, capacity_);
    if (offline_offset != kOnline) return Failure(StatusCode::kPlannerOfflineOffset, count_, offline_offset);
    if (bytes > SIZE_MAX - end_) return Failure(StatusCode::kPlannerOverflow, count_, bytes);
    std::memcpy(offsets_ + count_ * kBytesPerBuffer, &end_, kBytesPerBuffer);
    ++count_;
    end_ += bytes;
    return Ok();
  }

  std::size_t BufferCount() const override { return count_; }

  Status MaximumBytes(std::size_t* maximum_bytes) override {
    *maximum_bytes = end_;
    return Ok();
  }

  Status OffsetOf(std::size_t index, std::size_t* offset) override {
    if (index >= count_) return Failure(StatusCode::kPlannerBufferIndex, index, count_);
    std::memcpy(offset, offsets_ + index * kBytesPerBuffer, kBytesPerBuffer);
    return Ok();
  }

  std::span<const std::byte> object_bytes() const override {
    return std::as_bytes(std::span<const LinearPlanner, 1>(this, 1));
  }
  const char* name() const override { return "linear"; }
  bool supports_offline() const override { return false; }
  bool preserves_all_tensors() const override { return true; }

 private:
  std::byte* offsets_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t count_ = 0;
  std::size_t end_ = 0;
};
ARENAPROOF_PIN_BYTES(LinearPlanner, 40, 8, 20, 4);

}  // namespace arenaproof
