// The arena planner of TensorFlow Lite (core/planner/host/arena_planner.h) as the planner of a model: one for each
// subgraph, planned by its graph and by all its operators, scratch as temporaries of the operator that asks for it.
// Offsets are multiples of kArenaAlignment; a subgraph's inputs, outputs and variables keep their bytes to its end.
//
// Who calls and who is called live at the same time, so the subgraphs' arenas stand one behind the other in the head,
// each at a multiple of kArenaAlignment. A subgraph that runs in more than one place (called_twice.h) is planned with
// all tensors preserved: on the runtime's clock, by which the plan is certified, none of them dies before the last
// call. What nothing ever touches lies at offset 0; it is in nobody's way.
//
// The set-up's source of sharing and its planner are both this object: Find() sees graphs and sizes and plans,
// AddBuffer takes the very buffers that Find() saw. It places every buffer itself: offline offsets are refused
// (kPlannerOfflineOffset).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/planner/memory_planner.h"
#include "core/runtime/planning/buffer_sharing_source.h"
#include "tools/model/model_arena_graph.h"
#include "tools/model/model_sharing.h"

namespace arenaproof {

class ModelArenaPlanner final : public MemoryPlanner, public BufferSharingSource {
 public:
  // With `shares` false no output lies in the bytes of an input.
  explicit ModelArenaPlanner(bool shares) : shares_(shares) {}

  std::span<std::uint32_t> BufferOfTensor(std::size_t count) override { return sharing_.BufferOfTensor(count); }
  // kHostPlannerMemory (tensors); kPlannerOverflow (buffer, bytes); what ModelSharing and ArenaPlanner answer.
  Status Find(const ModelView& model, const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
              std::span<const std::uint32_t> buffer_of_tensor, std::span<BufferAlias>* aliases) override;

  // Of each buffer that Find() saw last, those that share too.
  std::vector<std::size_t> offsets() const;

  Status Init(std::span<std::byte> workspace) override;
  std::size_t WorkspaceBytes(std::size_t) const override { return 0; }
  // kPlannerOtherBuffer (buffer, bytes, first, last) unless it is the next one that Find() saw, alive as long as any of
  // those that share its bytes; kPlannerOverflow; kHostPlannerMemory.
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last,
                   std::int64_t offline_offset = kOnline) override;
  std::size_t BufferCount() const override { return added_.size(); }
  Status MaximumBytes(std::size_t* maximum_bytes) override;
  Status OffsetOf(std::size_t index, std::size_t* offset) override;
  const char* name() const override { return "arena"; }
  bool supports_offline() const override { return false; }
  bool preserves_all_tensors() const override { return false; }

 private:
  struct Planned {
    std::size_t bytes = 0;
    std::size_t offset = 0;
    std::int32_t first = -1;
    std::int32_t last = -1;
    bool shares = false;  // will not be added
  };

  Status PlanSubgraphs(const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
                       std::span<const std::uint32_t> buffer_of_tensor);
  Status PlanSubgraph(ModelArenaGraph& graph, std::size_t subgraph, bool preserves);

  const bool shares_;
  ModelSharing sharing_;
  std::vector<Planned> planned_;
  std::size_t arenas_end_ = 0;      // of the subgraphs that are planned so far
  std::vector<std::size_t> added_;  // numbers in `planned_`
  std::size_t maximum_bytes_ = 0;
};

}  // namespace arenaproof
