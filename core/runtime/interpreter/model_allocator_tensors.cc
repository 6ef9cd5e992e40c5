// Tensor structs by index: described first, so that a refusal takes nothing.
#include <new>

#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/kernel_interface/operand_view.h"

namespace arenaproof {
namespace {

Status Describe(const ValidatedModel& model, const ModelAllocation* allocation, ConstantPlacement* constants,
                std::int32_t subgraph, std::int32_t tensor, Operand* described) {
  const std::size_t subgraph_count = allocation == nullptr ? model.subgraph_count() : allocation->subgraphs.size();
  if (subgraph < 0 || static_cast<std::size_t>(subgraph) >= subgraph_count) {
    return Failure(StatusCode::kRuntimeSubgraphIndex, std::int64_t{subgraph}, subgraph_count);
  }
  OperandSource source{&model, static_cast<std::size_t>(subgraph), {}, constants};
  if (allocation != nullptr) source.tensors = allocation->subgraphs[source.subgraph].tensors;
  const std::size_t tensor_count = model.tensor_count(source.subgraph);
  if (tensor < 0 || static_cast<std::size_t>(tensor) >= tensor_count) {  // -1 is no tensor here
    return Failure(StatusCode::kRuntimeTensorIndex, std::int64_t{tensor}, tensor_count);
  }
  return FillOperands(source, 0, std::span(&tensor, 1), {}, std::span(described, 1));
}

}  // namespace

Status ModelAllocator::AllocatePersistentTensor(const ValidatedModel& model, const ModelAllocation* allocation,
                                                std::int32_t subgraph, std::int32_t tensor, const Operand** described) {
  Operand contents;
  ARENAPROOF_RETURN_IF_ERROR(Describe(model, allocation, constants_, subgraph, tensor, &contents));
  const RecordingScope scope = RecordAs(MemoryCategory::kPersistentTensors);
  Operand* place = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(tail_.AllocateArray(1, &place));
  *place = contents;
  *described = place;
  return Ok();
}

Status ModelAllocator::AllocateTemporaryTensor(const ValidatedModel& model, const ModelAllocation* allocation,
                                               std::int32_t subgraph, std::int32_t tensor, const Operand** described) {
  Operand contents;
  ARENAPROOF_RETURN_IF_ERROR(Describe(model, allocation, constants_, subgraph, tensor, &contents));
  std::byte* place = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateTemporary(sizeof(Operand), alignof(Operand), &place));
  *described = new (place) Operand(contents);
  return Ok();
}

Status ModelAllocator::FreeTemporaryTensor(const Operand* described) {
  return FreeTemporary(const_cast<std::byte*>(reinterpret_cast<const std::byte*>(described)));
}

}  // namespace arenaproof
