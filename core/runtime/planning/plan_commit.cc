#include "core/runtime/planning/plan_commit.h"

#include <cstring>
#include <new>
#include <type_traits>

#include "core/arena/runtime_work.h"
#include "core/base/byte_size.h"
#include "core/model/tensor_bytes.h"
#include "core/runtime/planning/plan_head.h"
#include "core/runtime/planning/sharing_check.h"
#include "core/runtime/storage/each_tensor.h"

namespace arenaproof {
namespace {

// Cuts typed arrays off the front of a block. The block starts at a multiple of 16 and every element here is a whole
// number of words and needs a word's alignment at most, so there is no padding between arrays.
template <typename Element>
Status CutArray(std::span<std::byte>& block, std::size_t count, std::span<Element>* array) {
  static_assert(alignof(Element) <= sizeof(void*) && sizeof(Element) % sizeof(void*) == 0);
  std::size_t bytes = 0;
  ARENAPROOF_RETURN_IF_ERROR(ArrayBytes(count, sizeof(Element), &bytes));
  if (bytes > block.size()) return Failure(StatusCode::kPlanMemoryDoesNotFit, bytes, block.size());
  for (std::size_t i = 0; i < count; ++i) new (block.data() + i * sizeof(Element)) Element();
  *array = {reinterpret_cast<Element*>(block.data()), count};
  block = block.subspan(bytes);
  return Ok();
}

}  // namespace

Status PlanCommit::Plan(MemoryPlanner& planner, ArenaObserver* observer, std::size_t* head_bytes) {
  ARENAPROOF_RETURN_IF_ERROR(RefuseIntermediates());
  ARENAPROOF_RETURN_IF_ERROR(Carve());
  ARENAPROOF_RETURN_IF_ERROR(ComputeAllLifetimes());
  ARENAPROOF_RETURN_IF_ERROR(CheckOfflinePlan(planner));
  ARENAPROOF_RETURN_IF_ERROR(CollectBuffers());
  ARENAPROOF_RETURN_IF_ERROR(FindAliases());
  ARENAPROOF_RETURN_IF_ERROR(PlanWatched(planner, observer, head_bytes));
  // What Describe needs; asked for here so that everything that can fail has been tried before anything is written.
  const std::size_t described_bytes = buffers_.size() * (sizeof(PlanEntry) - sizeof(PlacedBuffer));
  if (described_bytes > workspace_.size()) {
    return Failure(StatusCode::kPlanMemoryDoesNotFit, described_bytes, workspace_.size());
  }
  return Ok();
}

Status PlanCommit::PlanWatched(MemoryPlanner& planner, ArenaObserver* observer, std::size_t* head_bytes) {
  const std::span<const std::byte> buffers = std::as_bytes(buffers_), object = planner.object_bytes();
  const OperandRange operands[] = {
      {workspace_.data(), workspace_.size(), AccessRight::kReadWrite, OperandKind::kWorkspace, 0},
      {buffers.data(), buffers.size(), AccessRight::kReadWrite, OperandKind::kRecord, 0},
      {object.data(), object.size(), AccessRight::kReadWrite, OperandKind::kRecord, 1}};
  const RuntimeWorkScope work(observer, RuntimeWork::kPlanning, operands);
  return PlanHead(planner, buffers_, aliases_, workspace_, head_bytes);
}

Status PlanCommit::RefuseIntermediates() const {
  for (std::size_t s = 0; s < allocation_.subgraphs.size(); ++s) {
    const SubgraphAllocation& subgraph = allocation_.subgraphs[s];
    for (std::size_t i = 0; i < subgraph.operators.size(); ++i) {
      for (const std::int32_t tensor : model_.operator_at(s, i).intermediates) {
        if (tensor < 0 || static_cast<std::size_t>(tensor) >= subgraph.tensors.size()) {
          return Failure(StatusCode::kRuntimeTensorIndex, std::int64_t{tensor}, subgraph.tensors.size());
        }
        const std::size_t bytes = subgraph.tensors[static_cast<std::size_t>(tensor)].bytes;
        if (bytes != 0) return Failure(StatusCode::kIntermediateTensor, i, std::int64_t{tensor}, bytes);
      }
    }
  }
  return Ok();
}

Status PlanCommit::Carve() {
  std::span<std::byte> rest = block_;
  ARENAPROOF_RETURN_IF_ERROR(CutArray(rest, model_.total_tensor_count(), &tensor_lifetimes_));
  ARENAPROOF_RETURN_IF_ERROR(CutArray(rest, requests_.size(), &scratch_places_));
  ARENAPROOF_RETURN_IF_ERROR(CutArray(rest, requests_.size(), &scratch_lifetimes_));
  std::size_t buffer_count = requests_.size();
  ARENAPROOF_RETURN_IF_ERROR(ForEachTensor(allocation_, [&](const TensorNumber& number, const EvalTensor& tensor) {
    buffer_count += InHead(tensor, number.concatenated) ? 1 : 0;
    return Ok();
  }));
  ARENAPROOF_RETURN_IF_ERROR(CutArray(rest, buffer_count, &buffers_));
  workspace_ = rest;
  return Ok();
}

Status PlanCommit::ComputeAllLifetimes() {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    scratch_places_[i] = {static_cast<std::uint32_t>(requests_[i].subgraph),
                          static_cast<std::uint32_t>(requests_[i].operator_index)};
  }
  return ComputeLifetimes(model_, tensor_lifetimes_, scratch_places_, scratch_lifetimes_, &last_scope_);
}

Status PlanCommit::CollectBuffers() {
  PlacedBuffer* next = buffers_.data();
  ARENAPROOF_RETURN_IF_ERROR(
      ForEachTensor(allocation_, [&](const TensorNumber& number, const EvalTensor& tensor) -> Status {
        if (!InHead(tensor, number.concatenated)) return Ok();
        PlacedBuffer buffer;
        ARENAPROOF_RETURN_IF_ERROR(RoundUp16(tensor.bytes, &buffer.bytes));
        const Lifetime lifetime = tensor_lifetimes_[number.concatenated];
        buffer.first = tensor.variable ? -1 : lifetime.first;
        buffer.last = tensor.variable ? last_scope_ : lifetime.last;
        buffer.offset = offline_.OffsetOf(tensor, number.concatenated);
        buffer.variable = tensor.variable;
        buffer.trusted = policy_.trust && buffer.offset != kUnplaced && !buffer.variable;
        *next++ = buffer;
        return Ok();
      }));
  for (std::size_t i = 0; i < requests_.size(); ++i, ++next) {
    *next = PlacedBuffer();
    ARENAPROOF_RETURN_IF_ERROR(RoundUp16(requests_[i].bytes, &next->bytes));
    next->first = scratch_lifetimes_[i].first;
    next->last = scratch_lifetimes_[i].last;
  }
  return Ok();
}

Status PlanCommit::FindAliases() {
  if (sharing_ == nullptr) return Ok();
  const std::span<std::uint32_t> buffer_of_tensor = sharing_->BufferOfTensor(model_.total_tensor_count());
  if (buffer_of_tensor.size() != model_.total_tensor_count()) {
    return Failure(StatusCode::kHostPlannerMemory, model_.total_tensor_count());
  }
  std::uint32_t count = 0;
  ARENAPROOF_RETURN_IF_ERROR(ForEachTensor(allocation_, [&](const TensorNumber& number, const EvalTensor& tensor) {
    buffer_of_tensor[number.concatenated] = InHead(tensor, number.concatenated) ? count++ : kNoBuffer;
    return Ok();
  }));
  std::size_t first_tensor = 0;
  for (const SubgraphAllocation& subgraph : allocation_.subgraphs) {
    const auto mark = [&](std::span<const std::int32_t> tensors, std::uint8_t kept) {
      for (const std::int32_t tensor : tensors) {
        if (tensor < 0) continue;
        const std::uint32_t buffer = buffer_of_tensor[first_tensor + static_cast<std::size_t>(tensor)];
        if (buffer == kNoBuffer) continue;
        buffers_[buffer].kept = static_cast<std::uint8_t>(buffers_[buffer].kept | kept);
      }
    };
    mark(subgraph.inputs, kKeptInput);
    mark(subgraph.outputs, kKeptOutput);
    first_tensor += subgraph.tensors.size();
  }
  ARENAPROOF_RETURN_IF_ERROR(sharing_->Find(model_, allocation_, buffers_, buffer_of_tensor, &aliases_));
  return CheckSharingOperators(allocation_, buffer_of_tensor, aliases_);
}

std::span<const PlanEntry> PlanCommit::Describe() {
  static_assert(sizeof(PlanEntry) >= sizeof(PlacedBuffer) && alignof(PlanEntry) <= alignof(PlacedBuffer));
  static_assert(std::is_trivially_copyable_v<PlanEntry> && std::is_trivially_copyable_v<PlacedBuffer>);
  // The longer descriptions take the place of the buffers from the last to the first, so that each buffer is read
  // before its bytes are written.
  std::byte* const start = reinterpret_cast<std::byte*>(buffers_.data());
  std::size_t next = buffers_.size();
  const auto describe = [&](PlanEntry description) {
    --next;
    PlacedBuffer placed;  // by memcpy: both types have bytes here, and accesses of two types may be reordered
    std::memcpy(&placed, start + next * sizeof placed, sizeof placed);
    description.offset = placed.offset;
    description.first = placed.first;
    description.last = placed.last;
    std::memcpy(start + next * sizeof description, &description, sizeof description);
  };
  for (std::size_t i = requests_.size(); i-- > 0;) {
    PlanEntry scratch;
    scratch.subgraph = requests_[i].subgraph;
    scratch.scratch = static_cast<std::int32_t>(i);
    scratch.owner_operator = requests_[i].operator_index;
    scratch.bytes = requests_[i].bytes;
    describe(scratch);
  }
  std::size_t concatenated = model_.total_tensor_count();
  for (std::size_t s = allocation_.subgraphs.size(); s-- > 0;) {
    const std::span<const EvalTensor> tensors = allocation_.subgraphs[s].tensors;
    for (std::size_t i = tensors.size(); i-- > 0;) {
      if (!InHead(tensors[i], --concatenated)) continue;
      PlanEntry tensor;
      tensor.subgraph = static_cast<std::int32_t>(s);
      tensor.tensor = static_cast<std::int32_t>(i);
      tensor.bytes = tensors[i].bytes;
      describe(tensor);
    }
  }
  return {reinterpret_cast<const PlanEntry*>(start), buffers_.size()};
}

void PlanCommit::MarkInPlace(std::span<const BufferAlias> aliases, ModelAllocation* allocation) {
  for (const BufferAlias& alias : aliases) {
    const SubgraphAllocation& subgraph = allocation->subgraphs[static_cast<std::size_t>(alias.subgraph)];
    const OperatorRecord& writer = subgraph.operators[static_cast<std::size_t>(alias.operator_index)];
    subgraph.tensors[static_cast<std::size_t>(writer.outputs[0])].in_place = true;
  }
}

void PlanCommit::WriteAddresses(std::span<const PlanEntry> plan, std::byte* head_start, ModelAllocation* allocation) {
  for (const PlanEntry& buffer : plan) {
    std::byte* const address = head_start + buffer.offset;
    if (buffer.tensor >= 0) {
      allocation->subgraphs[static_cast<std::size_t>(buffer.subgraph)]
          .tensors[static_cast<std::size_t>(buffer.tensor)]
          .data = address;
    } else {
      allocation->scratch_data[static_cast<std::size_t>(buffer.scratch)] = address;
    }
  }
}

}  // namespace arenaproof
