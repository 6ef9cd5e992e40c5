// A planner of an application that asks for some bytes of head more than its buffers need, so that heads end anywhere.
#pragma once

#include <cstddef>
#include <span>

#include "core/planner/greedy_planner.h"

namespace arenaproof {

class GenerousPlanner final : public MemoryPlanner {
 public:
  explicit GenerousPlanner(std::size_t further_bytes) : further_bytes_(further_bytes) {}

  Status Init(std::span<std::byte> workspace) override { return greedy_.Init(workspace); }
  std::size_t WorkspaceBytes(std::size_t buffer_count) const override { return greedy_.WorkspaceBytes(buffer_count); }
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last, std::int64_t offline_offset) override {
    return greedy_.AddBuffer(bytes, first, last, offline_offset);
  }
  std::size_t BufferCount() const override { return greedy_.BufferCount(); }
  Status MaximumBytes(std::size_t* maximum_bytes) override {
    const Status status = greedy_.MaximumBytes(maximum_bytes);
    if (status.ok()) *maximum_bytes += further_bytes_;
    return status;
  }
  Status OffsetOf(std::size_t index, std::size_t* offset) override { return greedy_.OffsetOf(index, offset); }
  const char* name() const override { return "generous"; }
  bool supports_offline() const override { return greedy_.supports_offline(); }
  bool preserves_all_tensors() const override { return greedy_.preserves_all_tensors(); }

 private:
  GreedyPlanner greedy_;
  const std::size_t further_bytes_;
};

}  // namespace arenaproof
