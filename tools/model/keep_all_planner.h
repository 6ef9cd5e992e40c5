// A planner for looking at every tensor after a run: each buffer behind the one before, so nothing is overwritten.
//
// The offsets are those of LinearPlanner (core/planner/linear_planner.h), which is a device's planner and keeps them in
// the workspace. This one is for the host and keeps them on the heap, so that an arena without room for planning is
// refused with the certifier's need, the true one, and under its own name: refusals of offline plans print it.
#pragma once

#include <vector>

#include "core/planner/memory_planner.h"

namespace arenaproof {

class KeepAllPlanner final : public MemoryPlanner {
 public:
  Status Init(std::span<std::byte> workspace) override;
  std::size_t WorkspaceBytes(std::size_t) const override { return 0; }
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last, std::int64_t offline_offset) override;
  std::size_t BufferCount() const override { return offsets_.size(); }
  Status MaximumBytes(std::size_t* maximum_bytes) override;
  Status OffsetOf(std::size_t index, std::size_t* offset) override;
  const char* name() const override { return "keep-all"; }
  bool supports_offline() const override { return false; }
  bool preserves_all_tensors() const override { return true; }

 private:
  std::vector<std::size_t> offsets_;
  std::size_t end_ = 0;
};

}  // namespace arenaproof
