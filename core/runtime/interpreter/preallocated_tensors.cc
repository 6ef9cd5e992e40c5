#include "core/runtime/interpreter/preallocated_tensors.h"

#include <algorithm>
#include <limits>

#include "core/base/alignment.h"
#include "core/model/offline_plan.h"
#include "core/model/tensor_bytes.h"
#include "core/runtime/storage/memory_regions.h"

namespace arenaproof {
namespace {

// VAR_HANDLE points its output at the operator's own data.
Status RefuseResourceHandle(const ModelView& model, std::int32_t subgraph, std::int32_t tensor) {
  const auto graph = static_cast<std::size_t>(subgraph);
  for (std::size_t i = 0; i < model.operator_count(graph); ++i) {
    const OperatorView op = model.operator_at(graph, i);
    if (!op.has_opcode || op.code != BuiltinOperator::kVarHandle) continue;
    if (std::find(op.outputs.begin(), op.outputs.end(), tensor) == op.outputs.end()) continue;
    return Failure(StatusCode::kPreallocatedResource, std::int64_t{subgraph}, std::int64_t{tensor}, i);
  }
  return Ok();
}

}  // namespace

void PreallocatedTensors::KeepClearOf(MemoryRegion arena) {
  (arenas_[0].data == nullptr ? arenas_[0] : arenas_[1]) = arena;
}

Status PreallocatedTensors::Register(const ModelView& model, std::int32_t subgraph, std::int32_t tensor,
                                     std::byte* buffer, std::size_t bytes) {
  if (subgraph < 0 || static_cast<std::size_t>(subgraph) >= model.subgraph_count()) {
    return Failure(StatusCode::kPreallocatedSubgraph, std::int64_t{subgraph}, model.subgraph_count());
  }
  const auto graph = static_cast<std::size_t>(subgraph);
  if (tensor < 0 || static_cast<std::size_t>(tensor) >= model.tensor_count(graph)) {
    return Failure(StatusCode::kPreallocatedTensor, graph, std::int64_t{tensor}, model.tensor_count(graph));
  }
  const auto index = static_cast<std::size_t>(tensor);
  const TensorView view = model.tensor(graph, index);
  if (view.is_constant()) return Failure(StatusCode::kPreallocatedConstant, graph, index);
  if (view.is_variable) return Failure(StatusCode::kPreallocatedVariable, graph, index);
  ARENAPROOF_RETURN_IF_ERROR(RefuseResourceHandle(model, subgraph, tensor));
  std::int32_t offset = kPlannedAtRunTime;
  ARENAPROOF_RETURN_IF_ERROR(OfflineOffsetOf(model, graph, index, &offset));
  if (offset >= 0) return Failure(StatusCode::kPreallocatedOfflinePlanned, graph, index, std::int64_t{offset});
  std::size_t needed_bytes = 0;
  ARENAPROOF_RETURN_IF_ERROR(TensorArenaBytes(view, &needed_bytes));
  const Registration wanted{subgraph, tensor, buffer, bytes};
  ARENAPROOF_RETURN_IF_ERROR(CheckBuffer(model, wanted, needed_bytes));
  if (count_ == registrations_.size()) {
    return Failure(StatusCode::kPreallocatedLimit, graph, index, registrations_.size());
  }
  registrations_[count_++] = wanted;
  return Ok();
}

Status PreallocatedTensors::CheckBuffer(const ModelView& model, const Registration& wanted,
                                        std::size_t needed_bytes) const {
  const std::int64_t subgraph = wanted.subgraph;
  const std::int64_t tensor = wanted.tensor;
  for (std::size_t i = 0; i < count_; ++i) {
    if (registrations_[i].subgraph == wanted.subgraph && registrations_[i].tensor == wanted.tensor) {
      return Failure(StatusCode::kPreallocatedTwice, subgraph, tensor, i);
    }
  }
  if (wanted.buffer == nullptr) return Failure(StatusCode::kPreallocatedNull, subgraph, tensor);
  const auto address = reinterpret_cast<std::uintptr_t>(wanted.buffer);
  if (address % kTensorAlignment != 0) {
    return Failure(StatusCode::kPreallocatedMisaligned, subgraph, tensor, address % kTensorAlignment, kTensorAlignment);
  }
  if (wanted.bytes < needed_bytes) {
    return Failure(StatusCode::kPreallocatedTooShort, subgraph, tensor, wanted.bytes, needed_bytes);
  }
  if (wanted.bytes > std::numeric_limits<std::uintptr_t>::max() - address) {
    return Failure(StatusCode::kPreallocatedWraps, subgraph, tensor, wanted.bytes);
  }
  const MemoryRegion buffer{wanted.buffer, wanted.bytes};
  for (const MemoryRegion& arena : arenas_) {
    if (Overlap(buffer, arena)) return Failure(StatusCode::kPreallocatedOverlapsArena, subgraph, tensor);
  }
  if (Overlap(buffer, {model.bytes().data(), model.bytes().size()})) {
    return Failure(StatusCode::kPreallocatedOverlapsModel, subgraph, tensor);
  }
  for (const Registration& other : all()) {
    if (!Overlap(buffer, {other.buffer, other.bytes})) continue;
    return Failure(StatusCode::kPreallocatedOverlapsBuffer, subgraph, tensor, std::int64_t{other.subgraph},
                   std::int64_t{other.tensor});
  }
  return Ok();
}

void PreallocatedTensors::Apply(const ModelAllocation& allocation) const {
  for (const Registration& registration : all()) {
    EvalTensor& tensor = allocation.subgraphs[static_cast<std::size_t>(registration.subgraph)]
                             .tensors[static_cast<std::size_t>(registration.tensor)];
    tensor.data = registration.buffer;
    tensor.preallocated = true;
  }
}

void PreallocatedTensors::Hide(std::size_t subgraph, std::span<Operand> operands) const {
  for (const Registration& registration : all()) {
    if (static_cast<std::size_t>(registration.subgraph) != subgraph) continue;
    for (Operand& operand : operands) {
      if (operand.tensor_index == registration.tensor) operand.data = nullptr;
    }
  }
}

}  // namespace arenaproof
