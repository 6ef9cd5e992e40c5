// What PlanCommit does for offline plans: the rules about tensors that share bytes, and what a listener is told.
#include <algorithm>
#include <utility>

#include "core/base/alignment.h"
#include "core/base/byte_size.h"
#include "core/planner/certifier.h"
#include "core/planner/offline_overlap.h"
#include "core/runtime/each_tensor.h"
#include "core/runtime/plan_commit.h"

namespace arenaproof {
namespace {

std::uint64_t PlaceOf(const OfflineTensor& tensor) { return TensorPlace(tensor.subgraph, tensor.tensor); }

bool AliveTogether(const OfflineTensor& a, const OfflineTensor& b) {
  return AliveTogether(PlacedBuffer{0, 1, a.first, a.last}, PlacedBuffer{0, 1, b.first, b.last});
}

// In whole units of alignment, wherever the planner put them: tensors that share bytes on purpose move together.
bool MayShareBytes(const PlannedBuffer& a, const PlannedBuffer& b) {
  const auto end_of = [](const PlannedBuffer& buffer) {
    return buffer.offset + (buffer.bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
  };
  return a.bytes != 0 && b.bytes != 0 && a.offset < end_of(b) && b.offset < end_of(a);
}

std::uint64_t EightCharacters(const char*& text) {
  std::uint64_t word = 0;
  for (int shift = 0; shift < 64 && *text != '\0'; shift += 8) {
    word |= std::uint64_t{static_cast<unsigned char>(*text++)} << shift;
  }
  return word;
}

}  // namespace

// In the order of the rules: V20, V24, V25, V26, V29.
Status PlanCommit::CheckOfflinePlan(const MemoryPlanner& planner) {
  offline_.FindWarnings(model_, allocation_);
  if (offline_.placed_count() == 0) return offline_.RefusePreallocated(allocation_);
  std::span<PlacedBuffer> placed;
  ARENAPROOF_RETURN_IF_ERROR(CollectPlaced(&placed));
  const std::size_t needed_bytes = CertifierWorkspaceBytes(placed.size());
  if (needed_bytes > workspace_.size()) {
    return Failure(StatusCode::kPlanMemoryDoesNotFit, needed_bytes, workspace_.size());
  }
  if (!policy_.trust) ARENAPROOF_RETURN_IF_ERROR(RefuseLiveOverlap(placed));
  ARENAPROOF_RETURN_IF_ERROR(offline_.RefusePreallocated(allocation_));
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
  PlannedBuffer found;
  const Status walked = ForEachTensor(allocation_, [&](const TensorNumber& number, const EvalTensor& tensor) {
    if (offline_.OffsetOf(tensor, number.concatenated) == kPlannedAtRunTime || index-- != 0) return Ok();
    found.subgraph = static_cast<std::int32_t>(number.subgraph);
    found.tensor = static_cast<std::int32_t>(number.tensor);
    return Ok();
  });
  static_cast<void>(walked);  // the visit never fails
  return DescribeIfPlaced(found).value_or(OfflineTensor{});
}

void PlanCommit::TellOfflinePlan(std::span<const PlannedBuffer> plan) const {
  OfflinePlanListener* const listener = policy_.listener;
  if (listener == nullptr) return;
  if (offline_.present()) {
    listener->OnAccepted({offline_.metadata_index(), model_.total_tensor_count(), offline_.placed_count()});
  }
  for (const Status& warning : offline_.warnings()) listener->OnWarning(warning);
  if (!policy_.trust || offline_.placed_count() < 2) return;
  for (std::size_t a = 0; a < plan.size(); ++a) {
    const std::optional<OfflineTensor> first = DescribeIfPlaced(plan[a]);
    if (!first) continue;
    for (std::size_t b = a + 1; b < plan.size(); ++b) {
      if (!MayShareBytes(plan[a], plan[b])) continue;
      const std::optional<OfflineTensor> second = DescribeIfPlaced(plan[b]);
      if (!second || !AliveTogether(*first, *second)) continue;
      listener->OnTrustedOverlap({*first, *second, std::max(first->offset, second->offset)});
    }
  }
}

// Before addresses are written.
std::optional<OfflineTensor> PlanCommit::DescribeIfPlaced(const PlannedBuffer& planned) const {
  if (planned.tensor < 0) return std::nullopt;
  const auto subgraph = static_cast<std::size_t>(planned.subgraph);
  const auto index = static_cast<std::size_t>(planned.tensor);
  const std::size_t concatenated = model_.first_tensor_of(subgraph) + index;
  const EvalTensor& tensor = allocation_.subgraphs[subgraph].tensors[index];
  const std::int32_t offset = offline_.OffsetOf(tensor, concatenated);
  if (offset == kPlannedAtRunTime) return std::nullopt;
  const Lifetime lifetime = tensor_lifetimes_[concatenated];
  return OfflineTensor{subgraph,     index,          tensor.variable, static_cast<std::size_t>(offset),
                       tensor.bytes, lifetime.first, lifetime.last};
}

OfflineOverlap PlanCommit::DescribePair(std::size_t first, std::size_t second) const {
  OfflineOverlap overlap{DescribePlaced(first), DescribePlaced(second), 0};
  overlap.lowest_shared_offset = std::max(overlap.first.offset, overlap.second.offset);
  return overlap;
}

}  // namespace arenaproof
