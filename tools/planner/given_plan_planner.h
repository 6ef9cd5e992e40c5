// The plan of a file behind the interface of the runtime's planners: one offset for each buffer, no more and no fewer.
// Other than PrecomputedPlanner, a device's, it says how many offsets there are and how many buffers, and it holds the
// offsets itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/planner/memory_planner.h"

namespace arenaproof {

class GivenPlanPlanner final : public MemoryPlanner {
 public:
  // Offsets are not negative.
  explicit GivenPlanPlanner(std::vector<std::int64_t> offsets) : offsets_(std::move(offsets)) {}

  std::span<const std::int64_t> offsets() const { return offsets_; }
  // By number in the plan: buffers that share the bytes of another one, and will not be added. Until the next call.
  void LeaveOut(std::vector<bool> buffers) { left_out_ = std::move(buffers); }

  Status Init(std::span<std::byte> workspace) override;
  std::size_t WorkspaceBytes(std::size_t) const override { return 0; }
  // kPlannerOfflineOffset; kPlannerOverflow (buffer, bytes); kHostPlannerMemory.
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last,
                   std::int64_t offline_offset = kOnline) override;
  std::size_t BufferCount() const override { return added_.size(); }
  // kPlannerPlanCount (offsets, buffers) unless every offset has its buffer; OffsetOf too.
  Status MaximumBytes(std::size_t* maximum_bytes) override;
  Status OffsetOf(std::size_t index, std::size_t* offset) override;
  const char* name() const override { return "precomputed"; }
  bool supports_offline() const override { return false; }
  bool preserves_all_tensors() const override { return false; }

 private:
  Status CheckCount() const;
  std::size_t NextNumber() const;  // in the plan, of the buffer that is added next

  const std::vector<std::int64_t> offsets_;
  std::vector<bool> left_out_;      // empty: none
  std::vector<std::size_t> added_;  // numbers in the plan
  std::size_t maximum_bytes_ = 0;
};

}  // namespace arenaproof
