// What PlanCommit does for offline plans: the rules about tensors that share bytes, and the reports to a listener.
#include <algorithm>
#include <new>
#include <type_traits>
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

// Checks in the order of the rules: V20, V22, V24, V25, V26, V29.
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
  ARENAPROOF_RETURN_IF_ERROR(offline_.ForEachPlacedTensor(
      allocation_, [&](const TensorNumber& number, const EvalTensor& tensor, std::size_t offset) -> Status {
        PlacedBuffer buffer;
        buffer.offset = offset;
        buffer.variable = tensor.variable;
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

Status PlanCommit::RefuseSharedVariable(std::span<const PlacedBuffer> placed) const {
  const bool any_variable = std::any_of(placed.begin(), placed.end(), [](const PlacedBuffer& b) { return b.variable; });
  if (!any_variable) return Ok();
  const auto role_of = [&](std::size_t i) { return placed[i].variable ? PairRole::kSubject : PairRole::kPartner; };
  const BufferPair pair = FirstSharedBytes(placed, role_of, workspace_);
  if (pair.verdict == OverlapVerdict::kNone) return Ok();
  const OfflineOverlap overlap = DescribePair(pair.first, pair.second);
  const Status status = Failure(StatusCode::kOfflinePlanSharedVariable, offline_.metadata_index(),
                                PlaceOf(overlap.first), PlaceOf(overlap.second), overlap.lowest_shared_offset);
  if (policy_.listener != nullptr) policy_.listener->OnRefusedOverlap(status, overlap);
  return status;
}

// V26 warns where another tensor that some operator touches uses bytes of a placed input of the model.
Status PlanCommit::NoteReusedInput(std::span<const PlacedBuffer> placed) {
  std::size_t main_count = 0;  // placed tensors of the main subgraph, the first ones
  ARENAPROOF_RETURN_IF_ERROR(
      offline_.ForEachPlacedTensor(allocation_, [&](const TensorNumber& number, const EvalTensor&, std::size_t) {
        main_count += number.subgraph == 0 ? 1 : 0;
        return Ok();
      }));
  const auto role_of = [&](std::size_t i) {
    if (placed[i].last < 0) return PairRole::kNone;
    // Nothing else of the main subgraph is alive from scope 0 on: its first operator runs in scope 1.
    return i < main_count && placed[i].first == 0 ? PairRole::kSubject : PairRole::kPartner;
  };
  const BufferPair pair = FirstSharedBytes(placed, role_of, workspace_);
  if (pair.verdict == OverlapVerdict::kNone) return Ok();
  OfflineOverlap overlap = DescribePair(pair.first, pair.second);
  if (role_of(pair.first) != PairRole::kSubject) std::swap(overlap.first, overlap.second);
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
  const Status walked = offline_.ForEachPlacedTensor(
      allocation_, [&](const TensorNumber& number, const EvalTensor& tensor, std::size_t offset) {
        if (index-- != 0) return Ok();
        const Lifetime lifetime = tensor_lifetimes_[number.concatenated];
        found = {number.subgraph, number.tensor, tensor.variable, offset, tensor.bytes, lifetime.first, lifetime.last};
        return Ok();
      });
  static_cast<void>(walked);  // the visit never fails
  return found;
}

void PlanCommit::ReportOfflinePlan() {
  OfflinePlanListener* const listener = policy_.listener;
  if (listener == nullptr) return;
  const auto owners = policy_.trust ? OwnersInPlaceOfLifetimes() : std::span<const BufferOwner>();
  // Where the plan puts a trusted buffer; the others are in no pair.
  const auto buffer_of = [&](std::size_t index) -> PlacedBuffer {
    if (!buffers_[index].trusted) return {};
    PlacedBuffer buffer = buffers_[index];
    buffer.offset = offline_.OffsetAt(owners[index].concatenated);
    return buffer;
  };
  LiveOverlapSweep sweep(owners.size(), buffer_of, workspace_);
  if (offline_.present()) {
    listener->OnAccepted(
        {offline_.metadata_index(), model_.total_tensor_count(), offline_.placed_count(), sweep.CountPairs()});
  }
  for (const Status& warning : offline_.warnings()) listener->OnWarning(warning);
  sweep.VisitPairs([&](std::size_t a, std::size_t b) {
    const OfflineTensor first = DescribeTrusted(owners[a], buffers_[a]);
    const OfflineTensor second = DescribeTrusted(owners[b], buffers_[b]);
    return listener->OnTrustedOverlap({first, second, std::max(first.offset, second.offset)});
  });
}

// One owner for each buffer that is a tensor, in the order of the buffers. They take the bytes of the lifetimes, which
// end here.
std::span<const BufferOwner> PlanCommit::OwnersInPlaceOfLifetimes() {
  static_assert(sizeof(BufferOwner) <= sizeof(Lifetime) && alignof(BufferOwner) <= alignof(Lifetime));
  static_assert(std::is_trivially_destructible_v<Lifetime>);
  auto* const bytes = reinterpret_cast<std::byte*>(tensor_lifetimes_.data());
  tensor_lifetimes_ = {};
  std::size_t count = 0;
  const Status walked = ForEachTensor(allocation_, [&](const TensorNumber& number, const EvalTensor& tensor) {
    if (!InHead(tensor, number.concatenated)) return Ok();
    new (bytes + count++ * sizeof(BufferOwner)) BufferOwner{static_cast<std::uint32_t>(number.concatenated)};
    return Ok();
  });
  static_cast<void>(walked);  // the visit never fails
  return {reinterpret_cast<const BufferOwner*>(bytes), count};
}

OfflineTensor PlanCommit::DescribeTrusted(const BufferOwner& owner, const PlacedBuffer& buffer) const {
  const TensorNumber number = NumberOfTensor(allocation_, owner.concatenated);
  const EvalTensor& tensor = allocation_.subgraphs[number.subgraph].tensors[number.tensor];
  return {number.subgraph, number.tensor, tensor.variable, offline_.OffsetAt(owner.concatenated),
          tensor.bytes,    buffer.first,  buffer.last};
}

OfflineOverlap PlanCommit::DescribePair(std::size_t first, std::size_t second) const {
  OfflineOverlap overlap{DescribePlaced(first), DescribePlaced(second), 0};
  overlap.lowest_shared_offset = std::max(overlap.first.offset, overlap.second.offset);
  return overlap;
}

}  // namespace arenaproof
