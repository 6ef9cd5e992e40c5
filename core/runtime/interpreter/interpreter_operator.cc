// What the interpreter does around one operator: its frame is filled before the observer gets its begin, and
// its results are taken out of the frame after it has ended. In between only the kernel's code runs.
#include <algorithm>

#include "core/model/builtin_operator.h"
#include "core/runtime/interpreter/access_list.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/kernel_interface/operand_view.h"

namespace arenaproof {
namespace {

// An end of the invoke that is no operator's failure.
bool EndsQuietly(const Status& status) {
  return status.code == StatusCode::kInvokeCancelled || status.code == StatusCode::kInvokeAborted;
}

// A kernel's value has no room for a place. What ended in a subgraph that it called has one: that is never the main
// one.
Status WithPlace(const Status& quiet_end, OperatorLocation where) {
  if (static_cast<std::int64_t>(quiet_end.detail[0]) > 0) return quiet_end;
  return Failure(quiet_end.code, where.subgraph, where.operator_index);
}

}  // namespace

// `failed_operator_` names each operator while it is worked on, so that whatever fails is charged to it.
template <typename Work>
Status Interpreter::ForEachOperator(OperatorPhase phase, Work work) {
  for (std::size_t s = 0; s < allocation_.subgraphs.size(); ++s) {
    for (std::size_t i = 0; i < allocation_.subgraphs[s].operators.size(); ++i) {
      failed_operator_ = {static_cast<std::int32_t>(s), static_cast<std::int32_t>(i), phase};
      ARENAPROOF_RETURN_IF_ERROR(work(failed_operator_));
    }
  }
  failed_operator_ = {};
  return Ok();
}

OperatorRecord& Interpreter::record_at(OperatorLocation where) const {
  return allocation_.subgraphs[static_cast<std::size_t>(where.subgraph)]
      .operators[static_cast<std::size_t>(where.operator_index)];
}

Status Interpreter::LoadFrame(OperatorLocation where) {
  const OperatorRecord& record = record_at(where);
  const bool invoke = where.phase == OperatorPhase::kInvoke;
  const auto subgraph = static_cast<std::size_t>(where.subgraph);
  const OperandSource source{invoke ? nullptr : &model_, subgraph, allocation_.subgraphs[subgraph].tensors, nullptr};
  ARENAPROOF_RETURN_IF_ERROR(FillOperands(source, static_cast<std::size_t>(where.operator_index), record.inputs,
                                          record.outputs, frame_.operands));
  frame_.input_count = record.inputs.size();
  frame_.output_count = record.outputs.size();
  frame_.held_block_count = record.block_count;
  frame_.new_block_count = 0;
  if (invoke) {
    const auto addresses = allocation_.scratch_data.subspan(record.first_scratch, record.scratch_count);
    if (addresses.size() <= frame_.scratch.size()) {
      std::copy(addresses.begin(), addresses.end(), frame_.scratch.begin());
      frame_.scratch_addresses = {frame_.scratch.data(), addresses.size()};
    } else {
      frame_.scratch_addresses = addresses;
    }
    return Ok();
  }
  preallocated_.Hide(subgraph, std::span(frame_.operands).first(frame_.input_count + frame_.output_count));
  const OperatorView view = model_.operator_at(subgraph, static_cast<std::size_t>(where.operator_index));
  frame_.options = view.options;
  frame_.custom_options = view.code == BuiltinOperator::kCustom ? view.custom_options : std::span<const std::byte>();
  return Ok();
}

Status Interpreter::ResolveKernels() {
  return ForEachOperator(OperatorPhase::kInit, [this](OperatorLocation where) -> Status {
    ARENAPROOF_RETURN_IF_ERROR(LoadFrame(where));
    const OperatorView view =
        model_.operator_at(static_cast<std::size_t>(where.subgraph), static_cast<std::size_t>(where.operator_index));
    const Kernel* const kernel =
        view.has_opcode ? FindKernel(kernels_, OperatorKey(view), frame_.inputs(), frame_.outputs()) : nullptr;
    if (kernel == nullptr || kernel->invoke == nullptr) {
      return Failure(StatusCode::kUnresolvedOperator, where.subgraph, where.operator_index, view.code);
    }
    record_at(where).kernel = kernel;
    any_reset_ = any_reset_ || kernel->reset != nullptr;
    any_free_ = any_free_ || kernel->free != nullptr;
    return Ok();
  });
}

Status Interpreter::InitOperators() {
  return ForEachOperator(OperatorPhase::kInit, [this](OperatorLocation where) -> Status {
    return record_at(where).kernel->init == nullptr ? Ok() : SetUpOperator(where);
  });
}

Status Interpreter::PrepareOperators() {
  return ForEachOperator(OperatorPhase::kPrepare, [this](OperatorLocation where) -> Status {
    if (record_at(where).kernel->prepare != nullptr) ARENAPROOF_RETURN_IF_ERROR(SetUpOperator(where));
    ARENAPROOF_RETURN_IF_ERROR(CheckOutputShapes(where));
    return allocator_->FinishPrepareNodeAllocations(where.subgraph, where.operator_index);
  });
}

Status Interpreter::SetUpOperator(OperatorLocation where) {
  ARENAPROOF_RETURN_IF_ERROR(LoadFrame(where));
  OperatorRecord& record = record_at(where);
  PrepareContext context;
  context.inputs = frame_.inputs();
  context.outputs = frame_.outputs();
  context.options = &frame_.options;
  context.services = &services_;
  context.runtime = &runtime_services_;
  context.op_data = record.op_data;
  context.custom_options = frame_.custom_options;
  const auto run = where.phase == OperatorPhase::kInit ? record.kernel->init : record.kernel->prepare;

  Begin(where, record);
  const Status status = run(context);
  End();

  record.op_data = context.op_data;
  ARENAPROOF_RETURN_IF_ERROR(status);
  return KeepNewBlocks(record);
}

Status Interpreter::AskToContinue(OperatorLocation next) const {
  if (options_.cancellation == nullptr || !options_.cancellation->Cancelled(next)) return Ok();
  return Failure(StatusCode::kInvokeCancelled, std::int64_t{next.subgraph}, std::int64_t{next.operator_index});
}

Status Interpreter::RunSubgraph(std::size_t subgraph) {
  const auto active = std::span(active_subgraphs_).first(active_count_);
  if (std::find(active.begin(), active.end(), subgraph) != active.end()) {
    return Failure(StatusCode::kSubgraphActive, subgraph);
  }
  if (active_count_ == active_subgraphs_.size()) {
    return Failure(StatusCode::kModelCallDepth, running_.subgraph, running_.operator_index, active_subgraphs_.size());
  }
  active_subgraphs_[active_count_++] = static_cast<std::uint16_t>(subgraph);
  const auto count = static_cast<std::int32_t>(allocation_.subgraphs[subgraph].operators.size());
  OperatorLocation next{static_cast<std::int32_t>(subgraph), -1, OperatorPhase::kInvoke};
  Status status = AskToContinue(next);
  while (status.ok() && ++next.operator_index < count) {
    status = AskToContinue(next);
    if (!status.ok()) break;
    status = InvokeOperator(next);
    if (status.ok()) {
      failed_operator_ = {};  // whatever failed below it was dealt with
    } else if (EndsQuietly(status)) {
      status = WithPlace(status, next);
      failed_operator_ = {};  // also when something below it had failed
    } else if (!failed_operator_.known()) {
      failed_operator_ = next;
    }
  }
  --active_count_;
  return status;
}

Status Interpreter::InvokeOperator(OperatorLocation where) {
  ARENAPROOF_RETURN_IF_ERROR(LoadFrame(where));
  const OperatorRecord& record = record_at(where);
  InvokeContext context;
  context.inputs = frame_.inputs();
  context.outputs = frame_.outputs();
  context.scratch = frame_.scratch_addresses;
  context.runtime = &runtime_services_;
  context.op_data = record.op_data;
  const auto run = record.kernel->invoke;
  const TensorArena::State before = allocator_->arena().state();

  Profiler* const profiler = options_.profiler;
  const std::uint32_t event = profiler == nullptr ? 0 : profiler->BeginEvent(OperatorNameOf(*record.kernel));
  Begin(where, record);
  const Status status = run(context);
  End();
  if (profiler != nullptr) profiler->EndEvent(event);

  ARENAPROOF_RETURN_IF_ERROR(status);
  if (!(allocator_->arena().state() == before)) {
    return Failure(StatusCode::kArenaMovedInInvoke, where.subgraph, where.operator_index);
  }
  return Ok();
}

Status Interpreter::KeepNewBlocks(OperatorRecord& record) {
  PersistentBlock* kept = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(allocator_->tail().AllocateArray(frame_.new_block_count, &kept));
  PersistentBlock** link = &record.blocks;
  while (*link != nullptr) link = &(*link)->next;
  for (std::size_t i = 0; i < frame_.new_block_count; ++i) {
    kept[i].data = const_cast<std::byte*>(frame_.new_blocks[i].data);
    kept[i].bytes = frame_.new_blocks[i].bytes;
    *link = &kept[i];
    link = &kept[i].next;
  }
  record.block_count += static_cast<std::uint32_t>(frame_.new_block_count);
  return Ok();
}

// The model's file fixes every shape; a shape that differs has to be refused. [0] is an old way to write a
// scalar.
Status Interpreter::CheckOutputShapes(OperatorLocation where) const {
  const std::span<const EvalTensor> tensors = allocation_.subgraphs[static_cast<std::size_t>(where.subgraph)].tensors;
  for (const std::int32_t index : record_at(where).outputs) {
    if (index < 0) continue;
    const EvalTensor& tensor = tensors[static_cast<std::size_t>(index)];
    if (tensor.rank == 1 && tensor.dims[0] == 0) continue;
    for (std::size_t axis = 0; axis < tensor.rank; ++axis) {
      if (tensor.dims[axis] <= 0) {
        return Failure(StatusCode::kDynamicShape, std::int64_t{where.operator_index}, std::int64_t{index}, axis,
                       std::int64_t{tensor.dims[axis]});
      }
    }
  }
  return Ok();
}

void Interpreter::Begin(OperatorLocation where, const OperatorRecord& record) {
  running_ = where;
  if (options_.observer == nullptr) return;
  OperatorScope scope;
  scope.phase = where.phase;
  scope.subgraph = where.subgraph;
  scope.operator_index = where.operator_index;
  scope.operator_name = OperatorNameOf(*record.kernel);
  scope.kernel_name = record.kernel->name;
  scope.operands = BuildAccessList(where.phase, where.subgraph, record, allocation_, frame_);
  options_.observer->OnOperatorBegins(scope);
}

void Interpreter::End() {
  if (options_.observer != nullptr) options_.observer->OnOperatorEnds();
  running_ = {};
}

}  // namespace arenaproof
