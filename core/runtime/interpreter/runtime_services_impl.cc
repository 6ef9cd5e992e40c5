#include "core/runtime/interpreter/runtime_services_impl.h"

#include <array>
#include <cstring>

#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/interpreter/runtime_bracket.h"
#include "core/runtime/interpreter/tensor_copy.h"
#include "core/runtime/kernel_interface/operand_view.h"
#include "core/runtime/storage/memory_regions.h"

namespace arenaproof {

Status RuntimeServicesImpl::RequirePhase(OperatorPhase phase) const {
  const InterpreterState wanted =
      phase == OperatorPhase::kPrepare ? InterpreterState::kPrepare : InterpreterState::kInvoke;
  if (interpreter_.state_ != wanted || !interpreter_.running_.known()) {
    return Failure(StatusCode::kRuntimeState, interpreter_.state_, wanted);
  }
  return Ok();
}

ArenaObserver* RuntimeServicesImpl::ObserverOfCall() const {
  return interpreter_.running_.known() ? interpreter_.options_.observer : nullptr;
}

Status RuntimeServicesImpl::RequireCalled(std::int32_t subgraph) const {
  const std::size_t count = interpreter_.allocation_.subgraphs.size();
  if (subgraph < 0 || static_cast<std::size_t>(subgraph) >= count) {
    return Failure(StatusCode::kRuntimeSubgraphIndex, std::int64_t{subgraph}, count);
  }
  const OperatorLocation& running = interpreter_.running_;
  for (const std::int16_t called : interpreter_.record_at(running).called_subgraphs) {
    if (called == subgraph) return Ok();
  }
  return Failure(StatusCode::kSubgraphNotCalled, running.subgraph, running.operator_index, std::int64_t{subgraph});
}

Status RuntimeServicesImpl::Resolve(const TensorList& list, Tensors* tensors) const {
  const OperatorLocation& running = interpreter_.running_;
  const bool own = list.kind == TensorListKind::kOperatorInputs || list.kind == TensorListKind::kOperatorOutputs;
  if (!own) ARENAPROOF_RETURN_IF_ERROR(RequireCalled(list.subgraph));
  const auto subgraph = static_cast<std::size_t>(own ? running.subgraph : list.subgraph);
  const SubgraphAllocation& allocation = interpreter_.allocation_.subgraphs[subgraph];
  std::span<const std::int32_t> listed;
  switch (list.kind) {
    case TensorListKind::kOperatorInputs:
      listed = interpreter_.record_at(running).inputs;
      break;
    case TensorListKind::kOperatorOutputs:
      listed = interpreter_.record_at(running).outputs;
      break;
    case TensorListKind::kSubgraphInputs:
      listed = allocation.inputs;
      break;
    case TensorListKind::kSubgraphOutputs:
      listed = allocation.outputs;
      break;
  }
  *tensors = {allocation.tensors, listed.subspan(list.skip_count < listed.size() ? list.skip_count : listed.size())};
  return Ok();
}

Status RuntimeServicesImpl::DescribeSubgraph(std::int32_t subgraph, SubgraphCounts* counts) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequirePhase(OperatorPhase::kPrepare));
  ARENAPROOF_RETURN_IF_ERROR(RequireCalled(subgraph));
  const SubgraphAllocation& called = interpreter_.allocation_.subgraphs[static_cast<std::size_t>(subgraph)];
  *counts = {called.inputs.size(), called.outputs.size()};
  return Ok();
}

Status RuntimeServicesImpl::DescribeOperand(std::int32_t subgraph, std::size_t position, Operand* operand) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequirePhase(OperatorPhase::kPrepare));
  ARENAPROOF_RETURN_IF_ERROR(RequireCalled(subgraph));
  const SubgraphAllocation& called = interpreter_.allocation_.subgraphs[static_cast<std::size_t>(subgraph)];
  const bool output = position >= kFirstOutputOperand;
  const std::span<const std::int32_t> listed = output ? called.outputs : called.inputs;
  const std::size_t place = output ? position - kFirstOutputOperand : position;
  if (place >= listed.size()) return Failure(StatusCode::kRuntimeTensorIndex, place, listed.size());
  *operand = OperandOf(called.tensors[static_cast<std::size_t>(listed[place])], listed[place]);
  interpreter_.preallocated_.Hide(static_cast<std::size_t>(subgraph), {operand, 1});
  return Ok();
}

Status RuntimeServicesImpl::CopyTensors(const TensorList& from, const TensorList& to) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequirePhase(OperatorPhase::kInvoke));
  if (to.kind != TensorListKind::kOperatorOutputs && to.kind != TensorListKind::kSubgraphInputs) {
    return Failure(StatusCode::kSubgraphCopyTarget, to.kind);
  }
  Tensors sources;
  Tensors destinations;
  ARENAPROOF_RETURN_IF_ERROR(Resolve(from, &sources));
  ARENAPROOF_RETURN_IF_ERROR(Resolve(to, &destinations));
  const std::size_t count = sources.listed.size();
  std::array<TensorMove, kMaxOperandsPerOperator> moves;
  if (count != destinations.listed.size() || count > moves.size()) {
    return Failure(StatusCode::kSubgraphCopyCount, count, destinations.listed.size());
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (sources.listed[i] < 0 || destinations.listed[i] < 0) {
      return Failure(StatusCode::kRuntimeTensorIndex, std::int64_t{-1}, sources.all.size());
    }
    const EvalTensor& source = sources.all[static_cast<std::size_t>(sources.listed[i])];
    const EvalTensor& destination = destinations.all[static_cast<std::size_t>(destinations.listed[i])];
    if (source.bytes != destination.bytes) {
      return Failure(StatusCode::kSubgraphCopyBytes, i, source.bytes, destination.bytes);
    }
    moves[i] = {destination.data, source.data, source.bytes};
  }
  return CopyTogether({moves.data(), count}, interpreter_.options_.observer);
}

Status RuntimeServicesImpl::InvokeSubgraph(std::int32_t subgraph) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequirePhase(OperatorPhase::kInvoke));
  ARENAPROOF_RETURN_IF_ERROR(RequireCalled(subgraph));
  const OperatorLocation caller = interpreter_.running_;
  const Status status = interpreter_.RunSubgraph(static_cast<std::size_t>(subgraph));
  // The callee's operators used the frame; the caller's spans point into it.
  interpreter_.running_ = caller;
  ARENAPROOF_RETURN_IF_ERROR(interpreter_.LoadFrame(caller));
  return status;
}

Status RuntimeServicesImpl::ReadOutput(std::int32_t subgraph, std::size_t position, std::span<std::byte> bytes) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequirePhase(OperatorPhase::kInvoke));
  Tensors outputs;
  ARENAPROOF_RETURN_IF_ERROR(Resolve({TensorListKind::kSubgraphOutputs, subgraph, 0}, &outputs));
  if (position >= outputs.listed.size()) {
    return Failure(StatusCode::kRuntimeTensorIndex, position, outputs.listed.size());
  }
  const EvalTensor& output = outputs.all[static_cast<std::size_t>(outputs.listed[position])];
  if (bytes.size() > output.bytes) {
    return Failure(StatusCode::kSubgraphCopyBytes, position, output.bytes, bytes.size());
  }
  if (!bytes.empty()) std::memcpy(bytes.data(), output.data, bytes.size());
  return Ok();
}

Status RuntimeServicesImpl::Resources(ResourceVariables** resources) const {
  *resources = interpreter_.resources_;
  return *resources != nullptr ? Ok() : Failure(StatusCode::kResourceTableMissing);
}

Status RuntimeServicesImpl::FindResource(const char* container, const char* shared_name, std::int32_t* id) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequirePhase(OperatorPhase::kPrepare));
  ResourceVariables* resources = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(Resources(&resources));
  return resources->FindOrAdd(container, shared_name, id);
}

Status RuntimeServicesImpl::PlaceOutput(std::size_t output, std::byte* block) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequirePhase(OperatorPhase::kPrepare));
  const OperatorLocation& running = interpreter_.running_;
  const std::span<const std::int32_t> outputs = interpreter_.record_at(running).outputs;
  if (output >= outputs.size() || outputs[output] < 0) {
    return Failure(StatusCode::kRuntimeTensorIndex, output, outputs.size());
  }
  EvalTensor& tensor = interpreter_.allocation_.subgraphs[static_cast<std::size_t>(running.subgraph)]
                           .tensors[static_cast<std::size_t>(outputs[output])];
  if (tensor.constant || tensor.variable || tensor.preallocated) {
    const int kind = tensor.constant ? 0 : tensor.variable ? 1 : 2;
    return Failure(StatusCode::kPlacedOutputKind, running.subgraph, std::int64_t{outputs[output]}, kind);
  }
  if (!HoldsPersistent({block, tensor.bytes})) {
    return Failure(StatusCode::kPlacedOutputBlock, running.subgraph, std::int64_t{outputs[output]}, tensor.bytes);
  }
  tensor.data = block;
  return Ok();
}

bool RuntimeServicesImpl::HoldsPersistent(MemoryRegion region) const {
  const OperatorFrame& frame = interpreter_.frame_;
  for (const MemoryRegion& block : std::span(frame.new_blocks).first(frame.new_block_count)) {
    if (Contains(block, region)) return true;
  }
  const PersistentBlock* block = interpreter_.record_at(interpreter_.running_).blocks;
  while (block != nullptr && !Contains({block->data, block->bytes}, region)) block = block->next;
  return block != nullptr;
}

Status RuntimeServicesImpl::SizeResource(std::int32_t id, std::size_t bytes, std::uint8_t fill) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequirePhase(OperatorPhase::kPrepare));
  ResourceVariables* resources = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(Resources(&resources));
  ResourceVariable* variable = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(resources->Find(id, &variable));
  if (variable->data != nullptr) {
    if (variable->bytes == bytes) return Ok();
    return Failure(StatusCode::kResourceBytes, std::int64_t{id}, bytes, variable->bytes);
  }
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(interpreter_.allocator_->AllocateResource(bytes, &block));
  variable->data = block;
  variable->bytes = bytes;
  variable->fill = fill;
  return Ok();
}

Status RuntimeServicesImpl::Pair(std::int32_t id, const TensorList& list, std::size_t position,
                                 TensorMove* operand_to_variable) const {
  ARENAPROOF_RETURN_IF_ERROR(RequirePhase(OperatorPhase::kInvoke));
  ResourceVariables* resources = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(Resources(&resources));
  Tensors operands;
  ARENAPROOF_RETURN_IF_ERROR(Resolve(list, &operands));
  if (position >= operands.listed.size() || operands.listed[position] < 0) {
    return Failure(StatusCode::kRuntimeTensorIndex, position, operands.listed.size());
  }
  const EvalTensor& operand = operands.all[static_cast<std::size_t>(operands.listed[position])];
  std::span<std::byte> value;
  ARENAPROOF_RETURN_IF_ERROR(resources->Value(id, operand.bytes, &value));
  *operand_to_variable = {value.data(), operand.data, operand.bytes};
  return Ok();
}

Status RuntimeServicesImpl::ReadResource(std::int32_t id, std::size_t output) {
  const RuntimeBracket bracket(ObserverOfCall());
  TensorMove move;
  ARENAPROOF_RETURN_IF_ERROR(Pair(id, {TensorListKind::kOperatorOutputs, -1, 0}, output, &move));
  const TensorMove back{const_cast<std::byte*>(move.from), move.to, move.bytes};
  return CopyTogether({&back, 1}, interpreter_.options_.observer);
}

Status RuntimeServicesImpl::AssignResource(std::int32_t id, std::size_t input) {
  const RuntimeBracket bracket(ObserverOfCall());
  TensorMove move;
  ARENAPROOF_RETURN_IF_ERROR(Pair(id, {TensorListKind::kOperatorInputs, -1, 0}, input, &move));
  return CopyTogether({&move, 1}, interpreter_.options_.observer);
}

void* RuntimeServicesImpl::external_context() const { return interpreter_.external_context_; }

Status RuntimeServicesImpl::SetExternalContext(void* context) {
  const RuntimeBracket bracket(ObserverOfCall());
  if (!interpreter_.running_.known()) {
    return Failure(StatusCode::kRuntimeState, interpreter_.state_, InterpreterState::kInvoke);
  }
  ARENAPROOF_RETURN_IF_ERROR(interpreter_.SetExternalContext(context));
  interpreter_.context_is_of_kernels_ = true;
  return Ok();
}

}  // namespace arenaproof
