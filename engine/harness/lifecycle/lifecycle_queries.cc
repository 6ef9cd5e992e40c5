// What an interpreter answers to questions between any two commands.
#include <algorithm>
#include <string>

#include "engine/harness/lifecycle/lifecycle_system.h"

namespace arenaproof {
namespace {

std::int32_t Index(std::size_t index) { return static_cast<std::int32_t>(index); }

std::string CheckStructs(const Interpreter& interpreter, std::span<const Operand> structs,
                         const std::vector<std::int32_t>& tensors) {
  if (structs.size() != tensors.size()) return "another number of inputs or outputs than the graph has";
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::span<std::byte> bytes;
    const bool right = interpreter.TensorBytes(tensors[i], &bytes).ok() && structs[i].tensor_index == tensors[i] &&
                       structs[i].data == bytes.data() && structs[i].bytes == bytes.size();
    if (!right) return "an input or output is described as another tensor";
  }
  return "";
}

// What does not exist is refused, whichever number is wrong, and the number is named.
std::string CheckRefusals(const Interpreter& interpreter, const Network& network) {
  const std::size_t graph_count = network.graphs.size();
  std::span<std::byte> bytes;
  std::size_t offset = 0;
  for (const std::int32_t graph : {-1, Index(graph_count)}) {
    const Status expected = Failure(StatusCode::kRuntimeSubgraphIndex, graph, graph_count);
    if (interpreter.TensorBytes(0, &bytes, graph) != expected ||
        interpreter.TensorOffset(0, &offset, graph) != expected)
      return "a subgraph that does not exist has tensors";
    if (interpreter.kernel_of(0, graph) != nullptr) return "a subgraph that does not exist has kernels";
  }
  for (std::size_t graph = 0; graph < graph_count; ++graph) {
    const std::size_t tensor_count = network.graphs[graph].tensors.size();
    for (const std::int32_t tensor : {-1, Index(tensor_count)}) {
      const Status expected = Failure(StatusCode::kRuntimeTensorIndex, tensor, tensor_count);
      if (interpreter.TensorBytes(tensor, &bytes, Index(graph)) != expected)
        return "a tensor that does not exist has bytes";
    }
    for (const std::int32_t op : {-1, Index(network.graphs[graph].operators.size())}) {
      if (interpreter.kernel_of(op, Index(graph)) != nullptr) return "an operator that does not exist has a kernel";
    }
  }
  const std::size_t scratch_count = interpreter.scratch_count();
  if (interpreter.ScratchBytes(scratch_count, &bytes) !=
      Failure(StatusCode::kRuntimeTensorIndex, scratch_count, scratch_count)) {
    return "a scratch buffer that does not exist has bytes";
  }
  return "";
}

std::string CheckKernels(const Interpreter& interpreter, const Network& network) {
  for (std::size_t graph = 0; graph < network.graphs.size(); ++graph) {
    const auto& operators = network.graphs[graph].operators;
    for (std::size_t i = 0; i < operators.size(); ++i) {
      const Kernel* const kernel = interpreter.kernel_of(Index(i), Index(graph));
      if (kernel == nullptr || std::string(OperatorNameOf(*kernel)) != NameOf(operators[i].operation)) {
        return "an operator has another operator's kernel, or none";
      }
    }
  }
  return "";
}

}  // namespace

std::string LifecycleSystem::CheckQueries(const LifecycleModel& model, std::size_t slot) const {
  const Interpreter& interpreter = *slots_[slot].interpreter;
  const Network& network = model.NetworkOf(slot);
  const NetworkGraph& main = network.graphs[0];
  if (std::string wrong = CheckStructs(interpreter, interpreter.inputs(), main.inputs); !wrong.empty()) return wrong;
  if (std::string wrong = CheckStructs(interpreter, interpreter.outputs(), main.outputs); !wrong.empty()) return wrong;
  if (std::string wrong = CheckKernels(interpreter, network); !wrong.empty()) return wrong;
  if (std::string wrong = CheckRefusals(interpreter, network); !wrong.empty()) return wrong;
  std::size_t scratch_count = 0;
  for (const PlanEntry& buffer : slots_[slot].committed) {
    if (buffer.scratch < 0) continue;
    ++scratch_count;
    std::span<std::byte> bytes;
    const Status status = interpreter.ScratchBytes(static_cast<std::size_t>(buffer.scratch), &bytes);
    const std::byte* const place = interpreter.allocator()->arena().OverlayAddress() + buffer.offset;
    if (!status.ok() || bytes.data() != place || bytes.size() != buffer.bytes) {
      return "L5: a scratch buffer does not lie where the plan puts it";
    }
  }
  if (interpreter.scratch_count() != scratch_count) return "L5: another number of scratch buffers than were planned";
  std::size_t value_bytes = 0;
  for (const auto& [name, value] : model.slots[slot].memory.resources) value_bytes += value.size();
  if (interpreter.resource_variable_count() != model.slots[slot].memory.resources.size() ||
      interpreter.resource_value_bytes() != value_bytes) {
    return "L17: there are other resource variables than the model names";
  }
  return "";
}

// Nothing that a set-up gives is there before one has succeeded.
std::string LifecycleSystem::CheckUnreadySlot(std::size_t slot) const {
  const Interpreter& interpreter = *slots_[slot].interpreter;
  std::span<std::byte> bytes;
  const Status expected = Failure(StatusCode::kRuntimeState, interpreter.state(), InterpreterState::kInvoke);
  if (interpreter.TensorBytes(0, &bytes) != expected || interpreter.ScratchBytes(0, &bytes) != expected) {
    return "an interpreter that is not set up has bytes of tensors or scratch buffers";
  }
  const bool empty = interpreter.inputs().empty() && interpreter.outputs().empty() &&
                     interpreter.scratch_count() == 0 && interpreter.kernel_of(0) == nullptr &&
                     interpreter.image_bytes() == 0;
  return empty ? "" : "an interpreter that is not set up reports a set-up";
}

}  // namespace arenaproof
