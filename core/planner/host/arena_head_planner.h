// The arena planner's order and its search for a place, for buffers without a graph: what a problem in CSV can be
// planned with. A model has a graph, and ArenaPlanner plans it (tools/model/model_arena_planner.h); this class does not
// do that. It stands behind the interface of the runtime's planners, grows on the heap and needs no workspace.
//
// Buffers and lifetimes are taken as they are given, in one arena, so that plans of a model's buffers differ from
// ArenaPlanner's: inputs die with their last reader, buffers of all subgraphs are on one clock, sizes are rounded up
// before they are compared, and the alignment is another. What lives from scope 0 to the last one is placed first, by
// index; then the larger before the smaller, the earlier before the later, the one added earlier before the one added
// later.
//
// It places every buffer itself: offline offsets are refused (kPlannerOfflineOffset).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/alignment.h"
#include "core/planner/memory_planner.h"

namespace arenaproof {

class ArenaHeadPlanner final : public MemoryPlanner {
 public:
  // `alignment`: of every offset; 1 for sizes that are multiples of what offsets have to be anyway.
  explicit ArenaHeadPlanner(std::size_t alignment = kTensorAlignment) : alignment_(alignment) {}

  Status Init(std::span<std::byte> workspace) override;
  std::size_t WorkspaceBytes(std::size_t) const override { return 0; }
  // kHostPlannerMemory (buffers): the heap has no room for another.
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last,
                   std::int64_t offline_offset = kOnline) override;
  std::size_t BufferCount() const override { return buffers_.size(); }
  // kHostPlannerMemory, kHostArenaOverflow (bytes, alignment).
  Status MaximumBytes(std::size_t* maximum_bytes) override;
  Status OffsetOf(std::size_t index, std::size_t* offset) override;
  const char* name() const override { return "arena"; }
  bool supports_offline() const override { return false; }
  bool preserves_all_tensors() const override { return false; }

 private:
  struct Buffer {
    std::size_t bytes = 0;
    std::size_t offset = 0;  // once the plan is made
    std::int32_t first = -1;
    std::int32_t last = -1;
  };

  Status MakePlan();
  Status PlaceAll();

  const std::size_t alignment_;
  std::vector<Buffer> buffers_;
  std::size_t maximum_bytes_ = 0;
  bool plan_is_current_ = true;
};

}  // namespace arenaproof
