// From a prepared model to the addresses of its tensors and scratch buffers, in one block of temporary memory.
//
// The block is carved, from its start: lifetimes of all tensors (8 bytes each), places and lifetimes of scratch
// buffers (8 + 8), the buffers to plan (32 each), and what is left for the planner and then the certifier. At the end
// the plan with the buffers' owners (40 bytes each) takes the place of the buffers and their workspace.
//
// The array of buffers first serves the rules of offline plans, which look at placed tensors only; then all buffers are
// collected in it. A placed variable counts as live from -1 to the last scope: it keeps its value between invokes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/arena/observer.h"
#include "core/base/buffer_alias.h"
#include "core/model/lifetimes.h"
#include "core/model/model_view.h"
#include "core/planner/memory_planner.h"
#include "core/planner/placed_buffer.h"
#include "core/runtime/planning/buffer_sharing_source.h"
#include "core/runtime/planning/offline_placement.h"
#include "core/runtime/storage/model_allocation.h"
#include "core/runtime/storage/scratch_requests.h"

namespace arenaproof {

// The tensor that a buffer is for.
struct BufferOwner {
  std::uint32_t concatenated = 0;  // TensorNumber::concatenated
};

class PlanCommit {
 public:
  // The arguments stay in place as long as this object.
  PlanCommit(const ModelView& model, const ModelAllocation& allocation, std::span<const ScratchRequest> requests,
             OfflinePlacement& offline, const OfflinePlanPolicy& policy, std::span<std::byte> block,
             BufferSharingSource* sharing = nullptr)
      : model_(model),
        allocation_(allocation),
        requests_(requests),
        offline_(offline),
        policy_(policy),
        block_(block),
        sharing_(sharing) {}

  // A certified plan, *head_bytes of head. kIntermediateTensor, kPlanMemoryDoesNotFit, the lifetime walk's statuses,
  // V20, V25 and V29 of offline plans, what the source of sharing answers, kPlanAliasOperator, and the statuses of
  // PlanHead. The allocation is not changed. The planning is announced to `observer`, which may be null.
  Status Plan(MemoryPlanner& planner, ArenaObserver* observer, std::size_t* head_bytes);

  // After Plan, once, before Describe: reports the accepted offline plan to the listener, if there is one. Uses the
  // lifetimes' bytes, which nothing else needs any more, for the buffers' owners. O(n log n) and what is listed.
  void ReportOfflinePlan();

  // Which buffers of the plan share bytes on purpose.
  std::span<const BufferAlias> aliases() const { return aliases_; }

  // After Plan, once: the plan as the observer gets it, in the block (over the buffers and their workspace).
  std::span<const PlanEntry> Describe();

  // Gives every tensor and scratch buffer of the plan its address.
  static void WriteAddresses(std::span<const PlanEntry> plan, std::byte* head_start, ModelAllocation* allocation);
  // Outputs that lie in the bytes of an input: of what aliases() said, whose operators are checked.
  static void MarkInPlace(std::span<const BufferAlias> aliases, ModelAllocation* allocation);

 private:
  Status PlanWatched(MemoryPlanner& planner, ArenaObserver* observer, std::size_t* head_bytes);
  Status RefuseIntermediates() const;
  Status Carve();
  Status ComputeAllLifetimes();
  Status CheckOfflinePlan(const MemoryPlanner& planner);
  Status CollectPlaced(std::span<PlacedBuffer>* placed) const;
  Status RefuseLiveOverlap(std::span<PlacedBuffer> placed) const;
  Status RefuseSharedVariable(std::span<const PlacedBuffer> placed) const;
  Status NoteReusedInput(std::span<const PlacedBuffer> placed);
  Status RefusePlanner(const MemoryPlanner& planner) const;
  OfflineTensor DescribePlaced(std::size_t index) const;
  OfflineOverlap DescribePair(std::size_t first, std::size_t second) const;
  std::span<const BufferOwner> OwnersInPlaceOfLifetimes();
  OfflineTensor DescribeTrusted(const BufferOwner& owner, const PlacedBuffer& buffer) const;
  Status CollectBuffers();
  Status FindAliases();
  bool InHead(const EvalTensor& tensor, std::size_t concatenated) const {
    return tensor.needs_planning() || offline_.Places(tensor, concatenated);
  }

  const ModelView& model_;
  const ModelAllocation& allocation_;
  const std::span<const ScratchRequest> requests_;
  OfflinePlacement& offline_;
  const OfflinePlanPolicy& policy_;
  const std::span<std::byte> block_;
  std::span<Lifetime> tensor_lifetimes_;  // empty once ReportOfflinePlan has taken its bytes
  std::span<Lifetime> scratch_lifetimes_;
  std::span<ScratchPlace> scratch_places_;
  std::span<PlacedBuffer> buffers_;  // planned tensors in order, then scratch buffers
  std::span<std::byte> workspace_;
  std::int32_t last_scope_ = 0;
  BufferSharingSource* const sharing_;  // null: no two buffers share
  std::span<BufferAlias> aliases_;      // the source's
};

}  // namespace arenaproof
