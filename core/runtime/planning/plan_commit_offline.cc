// What PlanCommit does for offline plans: the rules about tensors that share bytes, and what a listener is told.
#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/alignment.h"
#include "core/base/byte_size.h"
#include "core/planner/certifier.h"
#include "core/planner/live_overlap_sweep.h"
#include "core/planner/offline_overlap.h"
#include "core/runtime/planning/plan_commit.h"
#include "core/runtime/storage/each_tensor.h"

namespace arenaproof {
namespace {

std::uint64_t PlaceOf(const OfflineTensor& tensor) { return TensorPlace(tensor.subgraph, tensor.tensor); }

std::uint64_t EightCharacters(const char*& text) {
  std::uint64_t word = 0;
  for (int shift = 0; shift < 64 && *text != '\0'; shift += 8) {
    word |= std::uint64_t{static_cast<unsigned char>(*text++)} << shift;
  }
  return word;
}

}  // namespace

// In the order of the rules: V20, V22, V24, V25, V26, V29.
Status PlanCommit::CheckOfflinePlan(const MemoryPlanner& planner) {
  offline_.FindWarnings(model_, allocation_);
  if (offline_.placed_count() == 0) return offline_.RefuseUnusedOffsets(allocation_, policy_.strict);
  std::span<PlacedBuffer> placed;
  ARENAPROOF_RETURN_IF_ERROR(CollectPlaced(&placed));
  const std::size_t needed_bytes = CertifierWorkspaceBytes(placed.size());
  if (needed_bytes > workspace_.size()) {
    return Failure(StatusCode::kPlanMemoryDoesNotFit, needed_bytes, workspace_.size());
  }
  if (!policy_.trust) ARENAPROOF_RETURN_IF_ERROR(RefuseLiveOverlap(placed));
  ARENAPROOF_RETURN_IF_ERROR(offline_.RefuseUnusedOffsets(allocation_, policy_.strict));
  ARENAPROOF_RETURN_IF_ERROR(RefuseSharedVariable(placed));
  if (policy_.shared_allocator) offline_.WarnOfSharedAllocator(allocation_);
  ARENAPROOF_RETURN_IF_ERROR(NoteReusedInput(placed));
  return RefusePlanner(planner);
}

Status PlanCommit::CollectPlaced(std::span<PlacedBuffer>* placed) const {
  std::size_t count = 0;
  ARENAPROOF_RETURN_IF_ERROR(
      ForEachTensor(allocation_, [&](const TensorNumber& number, const EvalTensor& tensor) -> Status {
        const std::int32_t offset = offline_.OffsetOf(tensor, number.concatenated);
        if (offset == kPlannedAtRunTime) return Ok();
        PlacedBuffer buffer;
        buffer.offset = static_cast<std::size_t>(offset);
        ARENAPROOF_RETURN_IF_ERROR(RoundUp16(tensor.bytes, &buffer.bytes));
        buffer.first = tensor_lifetimes_[number.concatenated].first;
        buffer.last = tensor_lifetimes_[number.concatenated].last;
        buffers_[count++] = buffer;
        return Ok();
      }));
  *placed = buffers_.first(count);
  return Ok();
}

Status PlanCommit::RefuseLiveOverlap(std::span<PlacedBuffer> placed) const {
  const BufferPair pair = FirstLiveOverlap(placed, workspace_);
  if (pair.verdict == OverlapVerdict::kNone) return Ok();
  const OfflineOverlap overlap = DescribePair(pair.first, pair.second);
  const Status status = Failure(StatusCode::kOfflinePlanLiveOverlap, offline_.metadata_index(), PlaceOf(overlap.first),
                                PlaceOf(overlap.second), overlap.lowest_shared_offset);
  if (policy_.listener != nullptr) policy_.listener->OnRefusedOverlap(status, overlap);
  return status;
}

Status PlanCommit::RefuseSharedVariable(std::span<PlacedBuffer> placed) const {
  std::size_t next = 0;
  bool any_variable = false;
  ARENAPROOF_RETURN_IF_ERROR(ForEachTensor(allocation_, [&](const TensorNumber& number, const EvalTensor& tensor) {
    if (offline_.OffsetOf(tensor, number.concatenated) == kPlannedAtRunTime) return Ok();
    placed[next++].trusted = !tensor.variable;
    any_variable = any_variable || tensor.variable;
    return Ok();
  }));
  if (!any_variable) return Ok();
  const BufferPair pair = FirstSharedBytes(placed, workspace_);
  if (pair.verdict == OverlapVerdict::kNone) return Ok();
  const OfflineOverlap overlap = DescribePair(pair.first, pair.second);
  const Status status = Failure(StatusCode::kOfflinePlanSharedVariable, offline_.metadata_index(),
                                PlaceOf(overlap.first), PlaceOf(overlap.second), overlap.lowest_shared_offset);
  if (policy_.listener != nullptr) policy_.listener->OnRefusedOverlap(status, overlap);
  return status;
}

// V26 warns where another tensor that some operator touches uses bytes of a placed input of the model.
Status PlanCommit::NoteReusedInput(std::span<PlacedBuffer> placed) {
  std::size_t next = 0;
  ARENAPROOF_RETURN_IF_ERROR(ForEachTensor(allocation_, [&](const TensorNumber& number, const EvalTensor& tensor) {
    if (offline_.OffsetOf(tensor, number.concatenated) == kPlannedAtRunTime) return Ok();
    PlacedBuffer& buffer = placed[next++];
    // Nothing else of the main subgraph is alive from scope 0 on: its first operator runs in scope 1.
    buffer.trusted = number.subgraph != 0 || buffer.first != 0;
    if (buffer.last < 0) buffer.bytes = 0;  // shares nothing; the array is filled anew afterwards
    return Ok();
  }));
  const BufferPair pair = FirstSharedBytes(placed, workspace_);
  if (pair.verdict == OverlapVerdict::kNone) return Ok();
  OfflineOverlap overlap = DescribePair(pair.first, pair.second);
  if (placed[pair.first].trusted) std::swap(overlap.first, overlap.second);
  offline_.AddWarning(Failure(StatusCode::kOfflinePlanReusedInput, offline_.metadata_index(), PlaceOf(overlap.first),
                              PlaceOf(overlap.second), overlap.lowest_shared_offset));
  return Ok();
}

Status PlanCommit::RefusePlanner(const MemoryPlanner& planner) const {
  if (planner.supports_offline()) return Ok();
  const char* name = planner.name();
  const std::uint64_t first_characters = EightCharacters(name);
  return Failure(StatusCode::kOfflinePlanPlanner, offline_.metadata_index(), offline_.placed_count(), first_characters,
                 EightCharacters(name));
}

// `index` counts placed tensors, as in the array that CollectPlaced fills.
OfflineTensor PlanCommit::DescribePlaced(std::size_t index) const {
  OfflineTensor found;
  const Status walked = ForEachTensor(allocation_, [&](const TensorNumber& number, const EvalTensor& tensor) {
    const std::int32_t offset = offline_.OffsetOf(tensor, number.concatenated);
    if (offset == kPlannedAtRunTime || index-- != 0) return Ok();
    const Lifetime lifetime = tensor_lifetimes_[number.concatenated];
    found = {number.subgraph, number.tensor,  tensor.variable, static_cast<std::size_t>(offset),
             tensor.bytes,    lifetime.first, lifetime.last};
    return Ok();
  });
  static_cast<void>(walked);  // the visit never fails
  return found;
}

void PlanCommit::ReportOfflinePlan() {
  OfflinePlanListener* const listener = policy_.listener;
  if (listener == nullptr) return;
  const std::size_t count = policy_.trust ? NoteTrustedTensors() : 0;
  const auto buffer_of = [this](std::size_t index) { return TrustedBuffer(index); };
  LiveOverlapSweep sweep(count, buffer_of, workspace_);
  if (offline_.present()) {
    listener->OnAccepted(
        {offline_.metadata_index(), model_.total_tensor_count(), offline_.placed_count(), sweep.CountPairs()});
  }
  for (const Status& warning : offline_.warnings()) listener->OnWarning(warning);
  sweep.VisitPairs([&](std::size_t a, std::size_t b) {
    const OfflineTensor first = DescribeTrusted(a);
    const OfflineTensor second = DescribeTrusted(b);
    return listener->OnTrustedOverlap({first, second, std::max(first.offset, second.offset)});
  });
}

// Where the lifetimes were: the tensor of each buffer. Where the sizes of trusted buffers were: the offset as the plan
// says, which a planner that spreads plans does not keep. Returns how many buffers are tensors.
std::size_t PlanCommit::NoteTrustedTensors() {
  std::size_t next = 0;
  const Status walked = ForEachTensor(allocation_, [&](const TensorNumber& number, const EvalTensor& tensor) {
    if (!InHead(tensor, number.concatenated)) return Ok();
    const BufferOwner owner{static_cast<std::uint32_t>(number.subgraph), static_cast<std::uint32_t>(number.tensor)};
    std::memcpy(static_cast<void*>(&tensor_lifetimes_[next]), &owner, sizeof owner);
    PlacedBuffer& buffer = buffers_[next++];
    if (buffer.trusted) buffer.bytes = static_cast<std::size_t>(offline_.OffsetOf(tensor, number.concatenated));
    return Ok();
  });
  static_cast<void>(walked);  // the visit never fails
  return next;
}

// A buffer that is not trusted is in no pair.
PlacedBuffer PlanCommit::TrustedBuffer(std::size_t index) const {
  if (!buffers_[index].trusted) return {};
  const OfflineTensor tensor = DescribeTrusted(index);
  const std::size_t bytes = (tensor.bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
  return {tensor.offset, bytes, tensor.first, tensor.last, true};
}

OfflineTensor PlanCommit::DescribeTrusted(std::size_t index) const {
  BufferOwner owner;
  std::memcpy(static_cast<void*>(&owner), &tensor_lifetimes_[index], sizeof owner);
  const PlacedBuffer& buffer = buffers_[index];
  const EvalTensor& tensor = allocation_.subgraphs[owner.subgraph].tensors[owner.tensor];
  return {owner.subgraph, owner.tensor, tensor.variable, buffer.bytes, tensor.bytes, buffer.first, buffer.last};
}

OfflineOverlap PlanCommit::DescribePair(std::size_t first, std::size_t second) const {
  OfflineOverlap overlap{DescribePlaced(first), DescribePlaced(second), 0};
  overlap.lowest_shared_offset = std::max(overlap.first.offset, overlap.second.offset);
  return overlap;
}

}  // namespace arenaproof
