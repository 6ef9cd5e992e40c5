#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/explain.h"
#include "engine/harness/kernel_services/service_session.h"
#include "engine/oracles/defect.h"

namespace arenaproof {
namespace {

std::byte ScratchByte(std::size_t scratch, std::size_t position) {
  return static_cast<std::byte>(0x40 + 3 * scratch + position);
}

}  // namespace

bool ServiceSession::Cancelled(const OperatorLocation& next) {
  if (setting_up_) FinishSetUp(Ok());  // the first invoke allocates
  if (state_.running.empty()) Defect("cancellation", "asked although nothing runs");
  RunningGraph& graph = state_.running.back();
  const auto op = static_cast<std::ptrdiff_t>(next.operator_index);
  if (static_cast<std::size_t>(next.subgraph) != graph.graph || op != graph.asked + 1 || graph.ended ||
      (op >= 0 && static_cast<std::size_t>(op) != graph.next)) {
    Defect("cancellation", "the application was asked about another operator than the one that is next");
  }
  graph.asked = op;
  if (cancel_at_ == 0 || ++questions_ != cancel_at_) return false;
  graph.ended = Failure(StatusCode::kInvokeCancelled, std::int64_t{next.subgraph}, std::int64_t{op});
  return true;
}

Status ServiceSession::Invoke(std::size_t slot, const InvokeContext& context) {
  const OperatorPlace place = PlaceOf(slot);
  if (state_.running.empty()) Defect("kernel", "it is invoked although nothing runs");
  const std::size_t depth = state_.running.size();
  {
    const RunningGraph& graph = state_.running.back();
    if (graph.graph != place.graph || graph.next != place.index || graph.ended ||
        graph.asked != static_cast<std::ptrdiff_t>(place.index)) {
      Defect("kernel", "it is invoked out of its turn");
    }
  }
  if (Explaining()) {
    Explain("  invoke of operator " + std::to_string(place.index) + " of graph " + std::to_string(place.graph));
  }
  const auto phase = std::exchange(phase_, ScriptPhase::kInvoke);
  const auto running = std::exchange(running_, place);
  const auto* const invoke = std::exchange(invoke_, &context);
  runtime_ = context.runtime;
  if (context.op_data != state_at(place).op_data) Defect("kernel", "it is not given the data that it set");
  RequireOperands(context.inputs, context.outputs);
  granted_.RequireUntouched();
  RequireValues("before an operator runs");
  FillScratch(context);
  WriteResults(context);
  FollowKernel();
  RequireScratch(context);
  RequireValues("after an operator ran");
  const Status result = DrawResult();
  if (state_.running.size() != depth) Defect("kernel", "a graph that it called still runs");
  RunningGraph& graph = state_.running.back();
  const bool quiet = result.code == StatusCode::kInvokeCancelled || result.code == StatusCode::kInvokeAborted;
  if (result.ok()) {
    ++graph.next;
    state_.failed.reset();
  } else {
    graph.ended = result;
    // A kernel's own value says nothing of the place, which the runtime knows. The main graph is called by nobody.
    if (quiet && static_cast<std::int64_t>(result.detail[0]) <= 0) {
      graph.ended = Failure(result.code, place.graph, place.index);
    }
    if (quiet) state_.failed.reset();
    if (!quiet && !state_.failed) state_.failed = place;
  }
  invoke_ = invoke;
  running_ = running;
  phase_ = phase;
  return result;
}

void ServiceSession::FillScratch(const InvokeContext& context) const {
  const ServiceOperatorState& op = state_.operators[running_->graph][running_->index];
  if (context.scratch.size() != op.scratch_bytes.size()) Defect("kernel", "another number of scratch buffers");
  for (std::size_t i = 0; i < op.scratch_bytes.size(); ++i) {
    std::span<std::byte> bytes;
    RequireOk(interpreter_->ScratchBytes(op.first_scratch + i, &bytes), "ScratchBytes");
    if (context.scratch[i] != bytes.data()) Defect("L5", "a scratch buffer is another's, or moved");
    for (std::size_t at = 0; at < op.scratch_bytes[i]; ++at) context.scratch[i][at] = ScratchByte(i, at);
  }
}

void ServiceSession::RequireScratch(const InvokeContext& context) const {
  const ServiceOperatorState& op = state_.operators[running_->graph][running_->index];
  if (context.scratch.size() != op.scratch_bytes.size()) Defect("kernel", "its scratch buffers are another's now");
  for (std::size_t i = 0; i < op.scratch_bytes.size(); ++i) {
    for (std::size_t at = 0; at < op.scratch_bytes[i]; ++at) {
      if (context.scratch[i][at] != ScratchByte(i, at)) Defect("L5", "somebody else wrote into a scratch buffer");
    }
  }
}

// New values for the outputs and for the variables that are listed.
void ServiceSession::WriteResults(const InvokeContext& context) {
  const auto write = [&](const Operand& operand) {
    std::vector<std::byte> value(operand.bytes, static_cast<std::byte>(++next_value_));
    if (!value.empty()) std::memcpy(operand.data, value.data(), value.size());
    Write(running_->graph, operand.tensor_index, std::move(value));
  };
  for (const Operand& output : context.outputs) write(output);
  for (const Operand& input : context.inputs) {
    if (input.present && input.variable) write(input);
  }
}

// The running operator's operands hold what was written last.
void ServiceSession::RequireValues(const char* when) {
  const auto require = [&](const std::vector<std::int32_t>& tensors) {
    for (const std::int32_t tensor : tensors) {
      if (tensor < 0) continue;
      const ServiceTensorState& state = tensor_at(running_->graph, tensor);
      if (!state.known || state.value.empty()) continue;
      if (std::memcmp(state.address, state.value.data(), state.value.size()) != 0) {
        Defect(when, "an operand of it does not hold what was written there");
      }
    }
  };
  require(running_op().inputs);
  require(running_op().outputs);
}

void ServiceSession::Write(std::size_t graph, std::int32_t tensor, std::vector<std::byte> value) {
  ServiceTensorState& state = tensor_at(graph, tensor);
  state.known = !state.shares && (tracks_values() || described(graph, tensor).variable);
  state.value = std::move(value);
}

// Variables keep what they hold.
void ServiceSession::ForgetGraph(std::size_t graph, Keep keep) {
  const ServiceGraph& forgotten = graph_of(graph);
  const std::vector<std::int32_t>& kept = keep == Keep::kInputs ? forgotten.inputs : forgotten.outputs;
  for (std::size_t t = 0; t < forgotten.tensors.size(); ++t) {
    if (forgotten.tensors[t].variable) continue;
    if (keep != Keep::kNothing && std::find(kept.begin(), kept.end(), static_cast<std::int32_t>(t)) != kept.end()) {
      continue;
    }
    state_.tensors[graph][t].known = false;
  }
}

// Graphs that are not running are alive one at a time.
void ServiceSession::ForgetOthersThan(std::size_t graph) {
  for (std::size_t g = 0; g < network_.graphs.size(); ++g) {
    const bool runs = std::any_of(state_.running.begin(), state_.running.end(),
                                  [&](const RunningGraph& running) { return running.graph == g; });
    if (!runs && g != graph) ForgetGraph(g, Keep::kNothing);
  }
}

void ServiceSession::EnterGraph(std::size_t graph) {
  ForgetOthersThan(graph);
  ForgetGraph(graph, Keep::kInputs);
}

void ServiceSession::LeaveGraph(std::size_t graph) { ForgetGraph(graph, Keep::kOutputs); }

void ServiceSession::ExpectEndOfGraph(ExpectedAnswer& expected) {
  const RunningGraph graph = state_.running.back();
  state_.running.pop_back();
  if (graph.ended) return expected.Insist(*graph.ended);
  if (graph.asked == -2) Defect("Invoke", "the application was not asked whether to begin");
  if (graph.next != graph_of(graph.graph).operators.size()) Defect("Invoke", "a graph ended before its last operator");
}

}  // namespace arenaproof
