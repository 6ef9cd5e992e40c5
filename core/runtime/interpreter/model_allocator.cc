#include "core/runtime/interpreter/model_allocator.h"

#include <new>

#include "core/arena/counting.h"
#include "core/base/alignment.h"
#include "core/base/byte_size.h"
#include "core/model/call_tree.h"
#include "core/planner/greedy_planner.h"
#include "core/planner/linear_planner.h"
#include "core/runtime/kernel_interface/limits.h"
#include "core/runtime/planning/plan_commit.h"
#include "core/runtime/storage/checksum.h"
#include "core/runtime/storage/each_tensor.h"
#include "core/runtime/storage/observer_pause.h"

namespace arenaproof {
namespace {

Status CheckOptions(const InterpreterOptions& options) {
  if (options.persistent_spacing_bytes % 64 != 0) {
    return Failure(StatusCode::kPersistentSpacing, options.persistent_spacing_bytes);
  }
  return options.planner == nullptr ? Ok() : CheckPlannerKeepsTensors(options, *options.planner);
}

template <typename Object, typename... Arguments>
Status PlaceInTail(TensorArena& arena, Object** object, Arguments&... arguments) {
  std::byte* place = nullptr;
  arena.Announce<Object>(1);
  ARENAPROOF_RETURN_IF_ERROR(arena.AllocatePersistent(sizeof(Object), alignof(Object), &place));
  *object = new (place) Object(arguments...);
  return Ok();
}

// Who finishes an operator's prepare names it by numbers.
Status CheckOwner(const ScratchRequest& request, const ModelAllocation& allocation) {
  const std::int64_t subgraph = request.subgraph;
  const std::int64_t index = request.operator_index;
  const auto count = static_cast<std::int64_t>(allocation.subgraphs.size());
  if (subgraph < 0 || subgraph >= count) return Failure(StatusCode::kRuntimeSubgraphIndex, subgraph, count);
  const SubgraphAllocation& owner = allocation.subgraphs[static_cast<std::size_t>(subgraph)];
  if (index >= 0 && index < static_cast<std::int64_t>(owner.operators.size())) return Ok();
  return Failure(StatusCode::kRuntimeOperatorIndex, subgraph, index, owner.operators.size());
}

}  // namespace

Status CheckPlannerKeepsTensors(const InterpreterOptions& options, const MemoryPlanner& planner) {
  const bool preserves = !options.preserve_all_tensors || planner.preserves_all_tensors();
  return preserves ? Ok() : Failure(StatusCode::kPlannerSharesBytes);
}

Status ModelAllocator::AllocateSubgraph(const ModelView& model, std::size_t subgraph, SubgraphAllocation* allocation) {
  EvalTensor* tensors = nullptr;
  RecordingScope tensor_scope = RecordAs(MemoryCategory::kEvalTensors);
  ARENAPROOF_RETURN_IF_ERROR(tail_.AllocateArray(model.tensor_count(subgraph), &tensors));
  tensor_scope.Close(model.tensor_count(subgraph));
  allocation->tensors = {tensors, model.tensor_count(subgraph)};
  for (std::size_t i = 0; i < allocation->tensors.size(); ++i) {
    ARENAPROOF_RETURN_IF_ERROR(DescribeTensor(model.tensor(subgraph, i), i, constants_, &tensors[i]));
  }
  OperatorRecord* operators = nullptr;
  RecordingScope operator_scope = RecordAs(MemoryCategory::kOperators);
  ARENAPROOF_RETURN_IF_ERROR(tail_.AllocateArray(model.operator_count(subgraph), &operators));
  operator_scope.Close(model.operator_count(subgraph));
  allocation->operators = {operators, model.operator_count(subgraph)};
  allocation->inputs = model.inputs(subgraph);
  allocation->outputs = model.outputs(subgraph);
  for (std::size_t i = 0; i < allocation->operators.size(); ++i) {
    const OperatorView view = model.operator_at(subgraph, i);
    operators[i].inputs = view.inputs;
    operators[i].outputs = view.outputs;
    const CalledSubgraphs called = SubgraphsCalledBy(view);
    for (std::size_t call = 0; call < called.count; ++call) {
      operators[i].called_subgraphs[call] = static_cast<std::int16_t>(called.subgraph[call]);
    }
  }
  return Ok();
}

Status ModelAllocator::Create(std::byte* buffer, std::size_t bytes, const InterpreterOptions& options,
                              ModelAllocator** allocator) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOptions(options));
  TensorArena arena;
  ARENAPROOF_RETURN_IF_ERROR(TensorArena::CreateSingle(buffer, bytes, options.observer, &arena, options.record_memory));
  return CreateIn(arena, options, allocator);
}

Status ModelAllocator::Create(const ArenaBuffers& buffers, const InterpreterOptions& options,
                              ModelAllocator** allocator) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOptions(options));
  TensorArena arena;
  ARENAPROOF_RETURN_IF_ERROR(TensorArena::CreatePair(buffers, options.observer, &arena, options.record_memory));
  return CreateIn(arena, options, allocator);
}

Status ModelAllocator::CreateIn(TensorArena arena, const InterpreterOptions& options, ModelAllocator** allocator) {
  MemoryPlanner* planner = options.planner;
  if (planner == nullptr && options.preserve_all_tensors) {
    LinearPlanner* linear = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(PlaceInTail(arena, &linear));
    planner = linear;
  }
  if (planner == nullptr) {
    GreedyPlanner* greedy = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(PlaceInTail(arena, &greedy));
    planner = greedy;
  }
  ModelAllocator* placed = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(PlaceInTail(arena, &placed, arena, *planner, options));
  if (arena.counters() != nullptr) ARENAPROOF_RETURN_IF_ERROR(PlaceInTail(arena, &placed->record_));
  *allocator = placed;
  return Ok();
}

ModelAllocator::ModelAllocator(const TensorArena& arena, MemoryPlanner& planner, const InterpreterOptions& options)
    : arena_(arena),
      planner_(planner),
      constants_(options.constants),
      persistent_spacing_bytes_(options.persistent_spacing_bytes),
      tail_(arena_) {}

Status ModelAllocator::StartModelAllocation(const ValidatedModel& model, ModelAllocation* allocation) {
  if (allocating()) return Failure(StatusCode::kAllocatorBusy);
  ARENAPROOF_RETURN_IF_ERROR(CheckTemporariesFreed());
  KeepModelAllocation();
  ARENAPROOF_RETURN_IF_ERROR(arena_.MarkTail(&tail_mark_));
  if (record_ != nullptr) record_->Mark(*arena_.counters());
  set_allocating(true);
  head_floor_at_start_ = tail_.head_floor_bytes();
  const Status status = Start(model, allocation);
  if (!status.ok()) AbortModelAllocation();
  return status;
}

Status ModelAllocator::Start(const ModelView& model, ModelAllocation* allocation) {
  ARENAPROOF_RETURN_IF_ERROR(scratch_requests_.Start(arena_));
  ModelAllocation started;
  SubgraphAllocation* subgraphs = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(tail_.AllocateArray(model.subgraph_count(), &subgraphs));
  started.subgraphs = {subgraphs, model.subgraph_count()};
  for (std::size_t i = 0; i < started.subgraphs.size(); ++i) {
    ARENAPROOF_RETURN_IF_ERROR(AllocateSubgraph(model, i, &subgraphs[i]));
  }
  *allocation = started;
  return Ok();
}

Status ModelAllocator::AllocateSpaced(MemoryCategory category, std::size_t bytes, std::byte** block) {
  const RecordingScope scope = RecordAs(category);
  return tail_.AllocateSpaced(bytes, persistent_spacing_bytes_, block);
}

Status ModelAllocator::CreateResources(std::size_t capacity, ResourceVariables** resources) {
  if (allocating()) return Failure(StatusCode::kAllocatorBusy);
  ARENAPROOF_RETURN_IF_ERROR(CheckTemporariesFreed());
  KeepModelAllocation();
  std::byte* mark = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(arena_.MarkTail(&mark));
  const ArenaCounters before = record_ == nullptr ? ArenaCounters() : *arena_.counters();
  const Status status = ResourceVariables::Create(tail_, capacity, resources);
  if (status.ok()) return arena_.KeepTail();
  ARENAPROOF_RETURN_IF_ERROR(arena_.RewindTail(mark));
  if (record_ != nullptr) RestoreTail(before, *arena_.counters());
  return status;
}

Status ModelAllocator::AllocatePersistent(std::size_t bytes, std::byte** block) {
  return AllocateSpaced(MemoryCategory::kPersistentBuffers, bytes, block);
}

Status ModelAllocator::AllocateResource(std::size_t bytes, std::byte** block) {
  const ObserverPause pause(arena_);
  return AllocateSpaced(MemoryCategory::kPersistentBuffers, bytes, block);
}

Status ModelAllocator::RequestScratch(std::size_t bytes) {
  if (!allocating()) return Failure(StatusCode::kAllocatorIdle);
  return scratch_requests_.Add(arena_, tail_, bytes);
}

Status ModelAllocator::CheckTemporariesFreed() const {
  if (allocating() || temporaries_.outstanding_count() == 0) return Ok();
  const ArenaState<std::uintptr_t>& head = arena_.non_persistent().state();
  return Failure(StatusCode::kArenaTemporariesLive, head.temporary_end - head.head_end,
                 temporaries_.outstanding_count());
}

// After a call that granted, refused or freed a temporary. During a set-up the region is reset by operator.
Status ModelAllocator::SettleTemporaries(const Status& status) {
  if (allocating() || temporaries_.outstanding_count() > 0) return status;
  ARENAPROOF_RETURN_IF_ERROR(arena_.ResetTemporaries());
  return status;
}

Status ModelAllocator::AllocateTemporary(std::size_t bytes, std::size_t alignment, std::byte** block) {
  return SettleTemporaries(temporaries_.Allocate(arena_, bytes, alignment, block));
}

Status ModelAllocator::FreeTemporary(std::byte* block) { return SettleTemporaries(temporaries_.Free(arena_, block)); }

Status ModelAllocator::FinishPrepareNodeAllocations(std::int32_t subgraph, std::int32_t operator_index) {
  if (!allocating()) return Failure(StatusCode::kAllocatorIdle);
  const std::size_t leaked_count = temporaries_.outstanding_count();
  temporaries_.FreeAll(arena_);
  ARENAPROOF_RETURN_IF_ERROR(arena_.ResetTemporaries());
  if (leaked_count > 0) {
    return Failure(StatusCode::kTemporariesLeaked, std::int64_t{subgraph}, std::int64_t{operator_index}, leaked_count);
  }
  return scratch_requests_.FinishOperator(arena_, subgraph, operator_index);
}

Status ModelAllocator::FinishModelAllocation(const ValidatedModel& model, ModelAllocation* allocation,
                                             const OfflinePlanPolicy& offline_plan, BufferSharingSource* sharing) {
  if (!allocating()) return Failure(StatusCode::kAllocatorIdle);
  if (scratch_requests_.open_count() + temporaries_.outstanding_count() > 0) {
    return Failure(StatusCode::kPrepareUnfinished, scratch_requests_.open_count(), temporaries_.outstanding_count());
  }
  ARENAPROOF_RETURN_IF_ERROR(AllocateScratchArrays(allocation));
  OfflinePlacement offline;
  std::byte* copy = nullptr;
  std::size_t head_bytes = 0;
  Status status = offline_plan.ignore ? Ok() : ReadOfflinePlan(model, *allocation, offline, &copy);
  if (status.ok()) status = AllocateVariables(*allocation, offline);
  if (status.ok()) status = offline.CheckRoom(*allocation, arena_.HeadRoomBytes());
  if (status.ok()) status = PlanAndCommit(model, offline, offline_plan, sharing, allocation, &head_bytes);
  if (copy != nullptr) ARENAPROOF_RETURN_IF_ERROR(arena_.DeallocateTemporary(copy));
  ARENAPROOF_RETURN_IF_ERROR(arena_.ResetTemporaries());
  ARENAPROOF_RETURN_IF_ERROR(status);
  ARENAPROOF_RETURN_IF_ERROR(scratch_requests_.Release(arena_));
  ARENAPROOF_RETURN_IF_ERROR(arena_.ReserveOverlay(head_bytes, kTensorAlignment));
  tail_.set_head_floor_bytes(head_bytes);
  set_allocating(false);
  return Ok();
}

// The copy is a temporary of the caller's, also when this fails after it was made.
Status ModelAllocator::ReadOfflinePlan(const ModelView& model, const ModelAllocation& allocation,
                                       OfflinePlacement& offline, std::byte** copy) {
  ARENAPROOF_RETURN_IF_ERROR(offline.Locate(model));
  const std::size_t count = offline.copied_offset_count();
  std::size_t bytes = 0;
  ARENAPROOF_RETURN_IF_ERROR(ArrayBytes(count, sizeof(std::int32_t), &bytes));
  if (bytes > 0) ARENAPROOF_RETURN_IF_ERROR(arena_.AllocateTemporary(bytes, kTensorAlignment, copy));
  for (std::size_t i = 0; i < count; ++i) new (*copy + i * sizeof(std::int32_t)) std::int32_t(kPlannedAtRunTime);
  return offline.Decode(model, allocation, {reinterpret_cast<std::int32_t*>(*copy), count});
}

Status ModelAllocator::AllocateScratchArrays(ModelAllocation* allocation) {
  const std::span<const ScratchRequest> requests = scratch_requests_.requests();
  std::byte** data = nullptr;
  std::size_t* bytes = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(tail_.AllocateArray(requests.size(), &data));
  ARENAPROOF_RETURN_IF_ERROR(tail_.AllocateArray(requests.size(), &bytes));
  allocation->scratch_data = {data, requests.size()};
  allocation->scratch_bytes = {bytes, requests.size()};

  std::size_t most_count = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ARENAPROOF_RETURN_IF_ERROR(CheckOwner(requests[i], *allocation));
    bytes[i] = requests[i].bytes;
    OperatorRecord& record = allocation->subgraphs[static_cast<std::size_t>(requests[i].subgraph)]
                                 .operators[static_cast<std::size_t>(requests[i].operator_index)];
    if (record.scratch_count == 0) record.first_scratch = static_cast<std::uint32_t>(i);
    ++record.scratch_count;
    if (record.scratch_count > most_count) most_count = record.scratch_count;
  }
  if (most_count > kScratchOutsideArena) {
    // Allocated with and without an observer, so that observing changes no address.
    const std::size_t count = kMaxOperandsPerOperator + most_count + 1 + kMaxPersistentBlocksPerOperator;
    OperandRange* ranges = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(tail_.AllocateArray(count, &ranges));
    allocation->wide_ranges = {ranges, count};
  }
  return Ok();
}

Status ModelAllocator::AllocateVariables(const ModelAllocation& allocation, const OfflinePlacement& offline) {
  return ForEachTensor(allocation, [&](const TensorNumber& number, EvalTensor& tensor) -> Status {
    if (!tensor.variable || offline.Places(tensor, number.concatenated)) return Ok();
    return AllocateSpaced(MemoryCategory::kVariables, tensor.bytes, &tensor.data);
  });
}

// Afterwards every address is written, or, on failure, none.
Status ModelAllocator::PlanAndCommit(const ModelView& model, OfflinePlacement& offline, const OfflinePlanPolicy& policy,
                                     BufferSharingSource* sharing, ModelAllocation* allocation,
                                     std::size_t* head_bytes) {
  // All that is left between head and tail is the planning's, as one temporary block.
  std::byte* block = nullptr;
  const std::size_t block_bytes = arena_.AvailableBytes(kTensorAlignment);
  ARENAPROOF_RETURN_IF_ERROR(arena_.AllocateTemporary(block_bytes, kTensorAlignment, &block));
  PlanCommit commit(model, *allocation, scratch_requests_.requests(), offline, policy, {block, block_bytes}, sharing);
  const std::size_t head_room_bytes = arena_.HeadRoomBytes();
  Status status = commit.Plan(planner_, arena_.observer(), head_bytes);
  if (*head_bytes < tail_.head_floor_bytes()) *head_bytes = tail_.head_floor_bytes();
  if (status.ok() && *head_bytes > head_room_bytes) {
    status = Failure(StatusCode::kPlanDoesNotFit, *head_bytes, head_room_bytes);
  }
  if (status.ok()) {
    commit.ReportOfflinePlan();
    const std::span<const PlanEntry> plan = commit.Describe();
    PlanCommit::WriteAddresses(plan, arena_.OverlayAddress(), allocation);
    PlanCommit::MarkInPlace(commit.aliases(), allocation);
    if (arena_.observer() != nullptr) {
      if (!commit.aliases().empty()) arena_.observer()->OnBytesShared(commit.aliases());
      arena_.observer()->OnPlanCommitted(arena_.OverlayAddress(), plan);
    }
  }
  ARENAPROOF_RETURN_IF_ERROR(arena_.DeallocateTemporary(block));
  return status;
}

void ModelAllocator::AbortModelAllocation() {
  if (allocating()) GiveBack();
}

void ModelAllocator::GiveBack() {
  temporaries_.FreeAll(arena_);
  // None of these can fail: no temporary is outstanding, and the tail stayed above the head's floor.
  Status status = arena_.ResetTemporaries();
  if (status.ok()) status = scratch_requests_.Release(arena_);
  if (status.ok()) status = arena_.ReserveOverlay(tail_.head_floor_bytes(), kTensorAlignment);
  if (status.ok()) status = arena_.RewindTail(tail_mark_);
  if (status.ok() && record_ != nullptr) record_->Rewind(*arena_.counters());
  if (status.ok()) tail_mark_ = nullptr;
  set_allocating(!status.ok());
}

void ModelAllocator::WithdrawModelAllocation() {
  if (allocating() || tail_mark_ == nullptr) return;
  tail_.set_head_floor_bytes(head_floor_at_start_);
  GiveBack();
}

void ModelAllocator::KeepModelAllocation(std::uint64_t set_up_checksum) {
  if (allocating() || tail_mark_ == nullptr) return;
  Checksum checksum;
  checksum.AddWord(set_up_mark_);
  checksum.AddWord(set_up_checksum);
  set_up_mark_ = static_cast<std::size_t>((checksum.value() ^ checksum.value() >> 32U) << 1U);
  if (arena_.KeepTail().ok()) tail_mark_ = nullptr;  // always: the mark is this allocator's
}

}  // namespace arenaproof
