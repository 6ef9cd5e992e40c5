#include "engine/harness/lifecycle/lifecycle_model.h"

namespace arenaproof {
namespace {

class Computation {
 public:
  Computation(const Network& network, Memory& memory, const Ending& ending)
      : network_(network), memory_(memory), ending_(ending) {
    for (const NetworkGraph& graph : network.graphs) values_.emplace_back(graph.tensors.size());
  }

  // False when the invoke ended early.
  bool Run(std::size_t graph) {
    const auto subgraph = static_cast<std::int32_t>(graph);
    if (Cancelled({subgraph, -1})) return false;
    const NetworkGraph& described = network_.graphs[graph];
    for (std::size_t i = 0; i < described.operators.size(); ++i) {
      const OperatorPlace place{subgraph, static_cast<std::int32_t>(i)};
      if (Cancelled(place)) return false;
      result.events.push_back(place);
      const bool whole = RunOperator(graph, i);
      result.events.push_back(kNoOperator);
      if (!whole) return false;
    }
    return true;
  }

  Bytes& value(std::size_t graph, std::int32_t tensor) { return values_[graph][static_cast<std::size_t>(tensor)]; }
  InvokeResult result;

 private:
  bool Cancelled(OperatorPlace next) {
    result.asked.push_back(next);
    if (result.asked.size() - 1 != ending_.cancel_at_ask) return false;
    result.code = StatusCode::kInvokeCancelled;
    return true;
  }

  Bytes Input(std::size_t graph, std::int32_t tensor) {
    const NetworkTensor& described = network_.graphs[graph].tensors[static_cast<std::size_t>(tensor)];
    if (described.variable) return memory_.variables.at({graph, tensor});
    return described.constant.empty() ? value(graph, tensor) : described.constant;
  }

  bool RunOperator(std::size_t graph, std::size_t index) {
    const NetworkOperator& op = network_.graphs[graph].operators[index];
    if (op.operation == NetworkOperation::kIf) return RunIf(graph, op);
    if (op.operation == NetworkOperation::kWhile) return RunWhile(graph, op);
    if (op.operation == NetworkOperation::kHandle) return true;
    if (op.operation == NetworkOperation::kRead) {
      value(graph, op.outputs[0]) = Resource(graph, op.inputs[0]);
      return true;
    }
    if (op.operation == NetworkOperation::kAssign) {
      Resource(graph, op.inputs[0]) = Input(graph, op.inputs[1]);
      return true;
    }
    if (op.operation == NetworkOperation::kCallOnce) return RunOnce({graph, static_cast<std::int32_t>(index)}, op);
    if (result.runs++ == ending_.fail_at_run) {
      result.code = StatusCode::kKernelUnsupported;
      result.failed = {static_cast<std::int32_t>(graph), static_cast<std::int32_t>(index)};
      return false;
    }
    if (op.operation == NetworkOperation::kCount) {
      ++memory_.variables.at({graph, op.inputs[0]})[0];
      return true;
    }
    Bytes output(network_.graphs[graph].tensors[static_cast<std::size_t>(op.outputs[0])].bytes);
    const Bytes a = Input(graph, op.inputs[0]);
    if (op.operation == NetworkOperation::kAccumulate) {
      Bytes& variable = memory_.variables.at({graph, op.inputs[1]});
      const Bytes c = Input(graph, op.inputs[2]);
      for (std::size_t i = 0; i < output.size(); ++i) {
        variable[i] = static_cast<std::uint8_t>(variable[i] + a[i]);
        output[i] = variable[i] ^ c[i];
      }
    } else if (op.operation == NetworkOperation::kAnyLeft) {
      output[0] = a[0] % 4 != 0;
    } else if (op.operation == NetworkOperation::kStep) {
      for (std::size_t i = 0; i < output.size(); ++i) output[i] = static_cast<std::uint8_t>(a[i] - 1);
    } else {
      const Bytes b = op.operation == NetworkOperation::kMix ? Input(graph, op.inputs[1]) : Bytes();
      for (std::size_t i = 0; i < output.size(); ++i) {
        output[i] = static_cast<std::uint8_t>(b.empty() ? a[i % a.size()] + i : 3 * a[i % a.size()] + b[i % b.size()]);
      }
    }
    value(graph, op.outputs[0]) = output;
    return true;
  }

  bool RunIf(std::size_t graph, const NetworkOperator& op) {
    const auto called = static_cast<std::size_t>(op.called[Input(graph, op.inputs[0])[0] != 0 ? 0 : 1]);
    const NetworkGraph& callee = network_.graphs[called];
    for (std::size_t i = 0; i < callee.inputs.size(); ++i) {
      value(called, callee.inputs[i]) = Input(graph, op.inputs[i + 1]);
    }
    if (!Run(called)) return false;
    for (std::size_t i = 0; i < callee.outputs.size(); ++i) {
      value(graph, op.outputs[i]) = value(called, callee.outputs[i]);
    }
    return true;
  }

  bool RunWhile(std::size_t graph, const NetworkOperator& op) {
    const auto condition = static_cast<std::size_t>(op.called[0]);
    const auto body = static_cast<std::size_t>(op.called[1]);
    std::vector<Bytes> carried;
    for (const std::int32_t tensor : op.inputs) carried.push_back(Input(graph, tensor));
    const auto give = [&](std::size_t called) {
      for (std::size_t i = 0; i < carried.size(); ++i) value(called, network_.graphs[called].inputs[i]) = carried[i];
      return Run(called);
    };
    while (true) {
      if (!give(condition)) return false;
      if (value(condition, network_.graphs[condition].outputs[0])[0] == 0) break;
      if (!give(body)) return false;
      for (std::size_t i = 0; i < carried.size(); ++i) carried[i] = value(body, network_.graphs[body].outputs[i]);
    }
    for (std::size_t i = 0; i < carried.size(); ++i) value(graph, op.outputs[i]) = carried[i];
    return true;
  }

  // Its size is fixed by whoever assigns.
  Bytes& Resource(std::size_t graph, std::int32_t handle) {
    return memory_.resources.at(network_.graphs[graph].tensors[static_cast<std::size_t>(handle)].resource);
  }

  // L17: until its subgraph has once come to its end.
  bool RunOnce(TensorKey place, const NetworkOperator& op) {
    if (memory_.called_once.contains(place)) return true;
    if (!Run(static_cast<std::size_t>(op.called[0]))) return false;
    memory_.called_once.insert(place);
    return true;
  }

  const Network& network_;
  Memory& memory_;
  const Ending ending_;
  std::vector<std::vector<Bytes>> values_;
};

}  // namespace

Memory LifecycleModel::FreshMemory(const Network& network) {
  Memory memory;
  Refill(network, memory);
  return memory;
}

void LifecycleModel::Refill(const Network& network, Memory& memory) {
  for (std::size_t graph = 0; graph < network.graphs.size(); ++graph) {
    const auto& tensors = network.graphs[graph].tensors;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (!tensors[i].variable) continue;
      memory.variables[{graph, static_cast<std::int32_t>(i)}] = Bytes(tensors[i].bytes, tensors[i].zero_point);
    }
    for (const NetworkOperator& op : network.graphs[graph].operators) {
      if (op.operation != NetworkOperation::kAssign) continue;
      memory.resources[tensors[static_cast<std::size_t>(op.inputs[0])].resource] =
          Bytes(tensors[static_cast<std::size_t>(op.inputs[1])].bytes, 0);
    }
  }
}

Bytes LifecycleModel::InputOf(const NetworkTensor& tensor, std::uint32_t seed, std::size_t position) {
  Bytes bytes(tensor.bytes);
  std::uint32_t state = seed * 2654435761u + static_cast<std::uint32_t>(position) * 40503u + 1;
  for (std::uint8_t& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = tensor.truth ? (state >> 24) & 1 : static_cast<std::uint8_t>(state >> 24);
  }
  return bytes;
}

InvokeResult LifecycleModel::Invoke(const Network& network, Memory& memory, std::uint32_t seed, const Ending& ending) {
  Computation computation(network, memory, ending);
  const NetworkGraph& main = network.graphs[0];
  for (std::size_t i = 0; i < main.inputs.size(); ++i) {
    const std::int32_t tensor = main.inputs[i];
    computation.value(0, tensor) = InputOf(main.tensors[static_cast<std::size_t>(tensor)], seed, i);
  }
  if (computation.Run(0)) {
    for (const std::int32_t tensor : main.outputs) computation.result.outputs.push_back(computation.value(0, tensor));
  }
  return computation.result;
}

StatusCode LifecycleModel::CheckOffer(std::size_t slot, TensorKey key, Offer offer, std::size_t buffer) const {
  const Slot& subject = slots[slot];
  if (subject.state == SlotState::kReady) return StatusCode::kPreallocatedTooLate;
  const NetworkGraph& graph = NetworkOf(slot).graphs[key.first];
  const auto tensor = static_cast<std::size_t>(key.second);
  if (key.second < 0 || tensor >= graph.tensors.size()) return StatusCode::kPreallocatedTensor;
  const NetworkTensor& described = graph.tensors[tensor];
  if (!described.constant.empty()) return StatusCode::kPreallocatedConstant;
  if (described.variable) return StatusCode::kPreallocatedVariable;
  if (described.resource != nullptr) return StatusCode::kPreallocatedResource;
  if (subject.outside.contains(key)) return StatusCode::kPreallocatedTwice;
  switch (offer) {
    case Offer::kNull:
      return StatusCode::kPreallocatedNull;
    case Offer::kMisaligned:
      return StatusCode::kPreallocatedMisaligned;
    case Offer::kTooShort:
      return StatusCode::kPreallocatedTooShort;
    case Offer::kInTheArena:
      return StatusCode::kPreallocatedOverlapsArena;
    case Offer::kSound:
    case Offer::kOfAnother:
      break;
  }
  for (const auto& [other, taken] : subject.outside) {
    if (taken == buffer) return StatusCode::kPreallocatedOverlapsBuffer;
  }
  return StatusCode::kOk;
}

std::vector<OperatorPlace> LifecycleModel::OwnKernels(const Network& network) {
  std::vector<OperatorPlace> places;
  for (std::size_t graph = 0; graph < network.graphs.size(); ++graph) {
    const auto& operators = network.graphs[graph].operators;
    for (std::size_t i = 0; i < operators.size(); ++i) {
      if (!IsOwn(operators[i].operation)) continue;
      places.emplace_back(static_cast<std::int32_t>(graph), static_cast<std::int32_t>(i));
    }
  }
  return places;
}

}  // namespace arenaproof
