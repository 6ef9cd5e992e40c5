// Takes a model from "not allocated" to "every tensor has its place", phase by phase; lives in the arena's tail.
//
//   StartModelAllocation            scratch request table (head), eval tensors and operator records (tail)
//   init and prepare of kernels     AllocatePersistent, RequestScratch, AllocateTemporary, FreeTemporary
//   FinishPrepareNodeAllocations    after each operator's prepare
//   FinishModelAllocation           scratch arrays (tail), a copy of the offline plan (temporary region), variables
//                                   (tail); records, lifetimes, plan, certificate (temporary region); then the head's
//                                   size and the addresses
//
// Order of hardening: the plan is certified and known to fit before an address is written or a byte of head reserved.
// After any failure AbortModelAllocation gives head, temporary region and every tail byte taken until then back, and
// another model can start. Several models may follow one another in one allocator; what an earlier one has in the tail
// never changes, and no persistent block comes below the largest head that any of them has.
//
// While no model is being allocated (kAllocatorIdle: refused without effect):
//
//   persistent block, tensor struct   granted, for as long as the arena
//   temporary block, tensor struct    granted; until all are freed a start is refused (kArenaTemporariesLive)
//   RequestScratch, FinishPrepareNodeAllocations, FinishModelAllocation   kAllocatorIdle
//   AbortModelAllocation              no effect
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/arena/tensor_arena.h"
#include "core/base/structure_bytes.h"
#include "core/model/validated_model.h"
#include "core/planner/memory_planner.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "core/runtime/planning/buffer_sharing_source.h"
#include "core/runtime/planning/offline_placement.h"
#include "core/runtime/storage/model_allocation.h"
#include "core/runtime/storage/recording.h"
#include "core/runtime/storage/resource_variables.h"
#include "core/runtime/storage/scratch_requests.h"
#include "core/runtime/storage/tail.h"
#include "core/runtime/storage/temporary_blocks.h"

namespace arenaproof {

// kPlannerSharesBytes when all tensors are to be preserved and the planner lets them share bytes.
Status CheckPlannerKeepsTensors(const InterpreterOptions& options, const MemoryPlanner& planner);

class ModelAllocator {
 public:
  // Puts arena object(s), planner (unless the caller gave one) and allocator into the tail, in this order from the top.
  // The observer has been attached. kPersistentSpacing, else what TensorArena's factory and its tail refuse with.
  static Status Create(std::byte* buffer, std::size_t bytes, const InterpreterOptions& options,
                       ModelAllocator** allocator);
  static Status Create(const ArenaBuffers& buffers, const InterpreterOptions& options, ModelAllocator** allocator);

  ModelAllocator(const TensorArena& arena, MemoryPlanner& planner, const InterpreterOptions& options);

  // A table of resource variables in the tail, for as long as the arena. kAllocatorBusy while a model is being
  // allocated, kArenaTemporariesLive, else as ResourceVariables::Create; on failure the tail is as it was.
  Status CreateResources(std::size_t capacity, ResourceVariables** resources);

  // kAllocatorBusy while a model is being allocated and kArenaTemporariesLive while somebody holds temporaries, both
  // without effect, or the arena's refusal: then nothing is being allocated.
  Status StartModelAllocation(const ValidatedModel& model, ModelAllocation* allocation);
  // kArenaTemporariesLive while no model is being allocated and somebody holds temporaries.
  Status CheckTemporariesFreed() const;

  // ---- on behalf of the operator whose init or prepare runs, or of the application
  Status AllocatePersistent(std::size_t bytes, std::byte** block);
  // A resource variable's value: no operator's own, so not announced.
  Status AllocateResource(std::size_t bytes, std::byte** block);
  Status RequestScratch(std::size_t bytes);  // kAllocatorIdle
  Status AllocateTemporary(std::size_t bytes, std::size_t alignment, std::byte** block);
  // kForeignTemporary when nobody holds `block`.
  Status FreeTemporary(std::byte* block);

  // ---- the struct that describes tensor `tensor` of `subgraph`, in any phase: its type, shape and quantisation, and
  // its address, as far as there is one: that of a constant at once, the others' when the model is finished.
  // `allocation`: of this model's start; null for the file's description alone. kRuntimeSubgraphIndex,
  // kRuntimeTensorIndex, kOperandRankLimit; after a refusal nothing is taken. A later set-up may move tensors: a struct
  // stays as it was made. In the tail, for as long as the arena; recorded as MemoryCategory::kPersistentTensors.
  Status AllocatePersistentTensor(const ValidatedModel& model, const ModelAllocation* allocation, std::int32_t subgraph,
                                  std::int32_t tensor, const Operand** described);
  // In the temporary region, until it is freed.
  Status AllocateTemporaryTensor(const ValidatedModel& model, const ModelAllocation* allocation, std::int32_t subgraph,
                                 std::int32_t tensor, const Operand** described);
  Status FreeTemporaryTensor(const Operand* described);  // kForeignTemporary

  // Gives the operator its scratch requests. kAllocatorIdle; kTemporariesLeaked, after the leaked ones were freed.
  Status FinishPrepareNodeAllocations(std::int32_t subgraph, std::int32_t operator_index);

  // kAllocatorIdle without effect when no model is being allocated. On failure the caller still has to abort. A refused
  // offline plan (kOfflinePlan...) is one: no address has been written then. `sharing`: which buffers are to share
  // bytes (null: none). kPrepareUnfinished: something was asked for since the last FinishPrepareNodeAllocations.
  Status FinishModelAllocation(const ValidatedModel& model, ModelAllocation* allocation,
                               const OfflinePlanPolicy& offline_plan = {}, BufferSharingSource* sharing = nullptr);

  // Makes the allocator ready for another model; the head gets back the size earlier models need. No effect when no
  // model is being allocated.
  void AbortModelAllocation();

  // The same for the model that was finished last, whose owner could not complete it: its head and tail are of no use.
  // No effect once that model was kept, or another has started.
  void WithdrawModelAllocation();

  // The finished model is complete: its tail stays for good. The next start does it too. `set_up_checksum`: of what
  // distinguishes this set-up from others in the same memory; it becomes part of the mark.
  void KeepModelAllocation(std::uint64_t set_up_checksum = 0);

  // A word that depends on all set-ups that were kept so far, and on whether one is under way.
  const std::size_t* set_up_mark() const { return &set_up_mark_; }

  // What is allocated while the scope exists is recorded under the category, if this allocator records.
  RecordingScope RecordAs(MemoryCategory category) { return RecordingScope(arena_, record_, category); }
  // What is recorded, by category; null unless InterpreterOptions::record_memory.
  const MemoryRecord* record() const { return record_; }

  Tail& tail() { return tail_; }
  const TensorArena& arena() const { return arena_; }
  const MemoryPlanner& planner() const { return planner_; }
  bool allocating() const { return (set_up_mark_ & kAllocating) != 0; }
  // Tail bytes of an attempt that is neither kept nor given back: 0 between attempts, whatever failed.
  std::size_t lost_tail_bytes() const {
    if (tail_mark_ == nullptr) return 0;
    return reinterpret_cast<std::uintptr_t>(tail_mark_) - arena_.persistent().state().tail_begin;
  }

 private:
  static constexpr std::size_t kAllocating = 1;

  void set_allocating(bool allocating) {
    set_up_mark_ = allocating ? set_up_mark_ | kAllocating : set_up_mark_ & ~kAllocating;
  }
  static Status CreateIn(TensorArena arena, const InterpreterOptions& options, ModelAllocator** allocator);
  void GiveBack();
  Status SettleTemporaries(const Status& status);
  Status Start(const ModelView& model, ModelAllocation* allocation);
  Status AllocateSubgraph(const ModelView& model, std::size_t subgraph, SubgraphAllocation* allocation);
  Status AllocateSpaced(MemoryCategory category, std::size_t bytes, std::byte** block);
  Status AllocateScratchArrays(ModelAllocation* allocation);
  Status ReadOfflinePlan(const ModelView& model, const ModelAllocation& allocation, OfflinePlacement& offline,
                         std::byte** copy);
  Status AllocateVariables(const ModelAllocation& allocation, const OfflinePlacement& offline);
  Status PlanAndCommit(const ModelView& model, OfflinePlacement& offline, const OfflinePlanPolicy& policy,
                       BufferSharingSource* sharing, ModelAllocation* allocation, std::size_t* head_bytes);

  TensorArena arena_;
  MemoryPlanner& planner_;
  ConstantPlacement* const constants_;
  const std::size_t persistent_spacing_bytes_;
  Tail tail_;
  ScratchRequests scratch_requests_;
  TemporaryBlocks temporaries_;
  MemoryRecord* record_ = nullptr;
  std::size_t set_up_mark_ = 0;     // its lowest bit: kAllocating
  std::byte* tail_mark_ = nullptr;  // where the attempt began; null when it was kept or taken back
  std::size_t head_floor_at_start_ = 0;
};
ARENAPROOF_PIN_BYTES(ModelAllocator, 160, 8, 80, 4);

}  // namespace arenaproof
