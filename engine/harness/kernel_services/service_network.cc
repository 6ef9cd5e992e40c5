#include "engine/harness/kernel_services/service_network.h"

#include <algorithm>
#include <utility>

#include "core/model/builtin_operator.h"
#include "core/model/offline_plan.h"
#include "engine/cases/validated.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

using ServiceIndices = std::vector<std::int32_t>;

// Few sizes, so that tensors that are copied to each other are often of one size.
ServiceTensor DrawServiceTensor(ByteReader& reader) {
  constexpr std::size_t kSizes[] = {16, 16, 40, 1, 24, 100, 16, 7};
  const std::uint8_t choice = reader.Byte();
  ServiceTensor tensor;
  tensor.bytes = kSizes[choice % 8];
  tensor.shape = {static_cast<std::int32_t>(tensor.bytes)};
  tensor.quantised = choice / 8 % 4 == 3;
  if (choice < 232) return tensor;
  tensor.quantised = false;
  if (choice < 244) {
    tensor = {.type = TensorType::kInt32, .shape = {}, .bytes = 4};
  } else if (choice < 250) {
    tensor = {.type = TensorType::kInt16, .shape = {2, 4}, .bytes = 16};
  } else if (choice < 253) {
    tensor = {.shape = {0}, .bytes = 0};
  } else if (choice < 255) {
    tensor = {.shape = {3, 0}, .bytes = 0};
  } else {
    tensor = {.shape = {1, 1, 1, 1, 1, 1, 4}, .bytes = 4};
  }
  return tensor;
}

std::int32_t AddServiceTensor(ServiceGraph& graph, ServiceTensor tensor) {
  graph.tensors.push_back(std::move(tensor));
  return static_cast<std::int32_t>(graph.tensors.size() - 1);
}

struct NetworkDraw {
  std::size_t graph_count;
  bool last_first = false;  // of three graphs the third calls the second
  std::size_t next_custom = 0;
  bool taken[kKernelSlots] = {};

  std::size_t Rank(std::size_t graph) const { return last_first && graph > 0 ? graph_count - graph : graph; }

  std::vector<std::int32_t> Callable(std::size_t from) const {
    std::vector<std::int32_t> graphs;
    for (std::size_t graph = 1; graph < graph_count; ++graph) {
      if (Rank(graph) > Rank(from)) graphs.push_back(static_cast<std::int32_t>(graph));
    }
    return graphs;
  }

  ServiceOperator Kernel(ByteReader& reader, std::size_t graph) {
    const std::uint8_t choice = reader.Byte();
    const std::vector<std::int32_t> callable = Callable(graph);
    const std::size_t caller = kIfSlot + choice % 4;
    ServiceOperator op;
    if (choice % 4 != 3 && choice < 192 && !callable.empty() && !taken[caller]) {
      taken[caller] = true;
      op.slot = caller;
      for (std::size_t i = 0; i < (caller == kCallOnceSlot ? 1 : 2); ++i) {
        op.called.push_back(callable[(choice / 4 + i) % callable.size()]);
      }
      return op;
    }
    op.slot = next_custom++;
    if (choice >= 224) op.kind = ServiceKernelKind::kBare;
    if (choice >= 254) op.kind = ServiceKernelKind::kNobody;
    return op;
  }
};

void DrawServiceOperands(ByteReader& reader, ServiceGraph& graph, ServiceOperator& op) {
  const std::uint8_t counts = reader.Byte();
  const std::size_t given = graph.tensors.size();
  for (std::size_t i = 0; i < counts % 4 && given > 0; ++i) {
    const std::uint8_t choice = reader.Byte();
    op.inputs.push_back(choice >= 248 ? -1 : static_cast<std::int32_t>(choice % given));
  }
  for (std::size_t i = 0; i < 1 + counts / 4u % 4 && counts < 240; ++i) {
    op.outputs.push_back(AddServiceTensor(graph, DrawServiceTensor(reader)));
  }
}

// What the last operator writes, or some of the tensors.
void DrawServiceOutputs(ByteReader& reader, ServiceGraph& graph) {
  const std::uint8_t choice = reader.Byte();
  graph.outputs = graph.operators.back().outputs;
  if (choice < 128) return;
  ServiceIndices written = graph.inputs;
  for (const ServiceOperator& op : graph.operators) written.insert(written.end(), op.outputs.begin(), op.outputs.end());
  graph.outputs.clear();
  for (std::size_t i = 0; i < choice % 4u && !written.empty(); ++i) {
    const std::int32_t tensor = written[reader.Below(written.size())];
    if (std::find(graph.outputs.begin(), graph.outputs.end(), tensor) == graph.outputs.end()) {
      graph.outputs.push_back(tensor);
    }
  }
}

ServiceGraph DrawServiceGraph(ByteReader& reader, NetworkDraw& draw, std::size_t index) {
  ServiceGraph graph;
  const std::uint8_t choice = reader.Byte();
  for (std::size_t i = 0; i < choice % 3u; ++i)
    graph.inputs.push_back(AddServiceTensor(graph, DrawServiceTensor(reader)));
  if (choice / 4 % 2 == 1) AddServiceTensor(graph, {.shape = {16}, .bytes = 16, .constant = true});
  if (choice / 8 % 2 == 1) {
    AddServiceTensor(graph, {.shape = {16}, .bytes = 16, .variable = true, .quantised = choice >= 128});
  }
  for (std::size_t i = 0; i < 1 + choice / 16u % 3; ++i) {
    ServiceOperator op = draw.Kernel(reader, index);
    DrawServiceOperands(reader, graph, op);
    graph.operators.push_back(std::move(op));
  }
  DrawServiceOutputs(reader, graph);
  return graph;
}

// Offsets that may overlap as they like.
void DrawServicePlan(ByteReader& reader, ServiceNetwork& network) {
  for (ServiceGraph& graph : network.graphs) {
    for (ServiceTensor& tensor : graph.tensors) {
      const std::uint8_t choice = reader.Byte();
      if (tensor.constant || tensor.variable || tensor.bytes == 0 || choice >= 192) continue;
      tensor.offset = 16 * (choice % 12);
    }
  }
}

std::uint32_t CodeOfService(ModelBuilder& builder, const ServiceOperator& op) {
  if (op.slot == kIfSlot) return builder.AddCode(BuiltinOperator::kIf);
  if (op.slot == kWhileSlot) return builder.AddCode(BuiltinOperator::kWhile);
  if (op.slot == kCallOnceSlot) return builder.AddCode(BuiltinOperator::kCallOnce);
  const char* const name = op.kind == ServiceKernelKind::kScripted ? "scripted "
                           : op.kind == ServiceKernelKind::kBare   ? "bare "
                                                                   : "nobody's ";
  return builder.AddCustomCode(name + std::to_string(op.slot));
}

OperatorSpec SpecOfService(ModelBuilder& builder, const ServiceOperator& op) {
  OperatorSpec spec{.code = CodeOfService(builder, op), .inputs = op.inputs, .outputs = op.outputs};
  if (op.slot == kIfSlot) spec.options = IfOptions{op.called[0], op.called[1]};
  if (op.slot == kWhileSlot) spec.options = WhileOptions{op.called[0], op.called[1]};
  if (op.slot == kCallOnceSlot) spec.options = CallOnceOptions{op.called[0]};
  if (op.slot < kCustomSlots) spec.custom_options.assign(op.slot + 1, static_cast<std::byte>(op.slot));
  return spec;
}

void BuildServiceNetwork(ServiceNetwork& network) {
  ModelBuilder builder;
  ServiceIndices offsets;
  for (const ServiceGraph& graph : network.graphs) {
    SubgraphSpec& subgraph = builder.AddSubgraph();
    for (const ServiceTensor& tensor : graph.tensors) {
      TensorSpec spec{.type = tensor.type, .shape = tensor.shape, .is_variable = tensor.variable};
      if (tensor.shape.empty()) spec.shape = std::nullopt;
      if (tensor.quantised) spec.quantization = Scale(0.5f, kServiceZeroPoint);
      if (tensor.constant) {
        std::vector<std::uint8_t> values;
        for (std::size_t i = 0; i < tensor.bytes; ++i) values.push_back(ServiceConstantByte(i));
        spec.buffer = builder.AddBufferOf(values);
      }
      offsets.push_back(tensor.offset);
      subgraph.AddTensor(spec);
    }
    for (const ServiceOperator& op : graph.operators) subgraph.AddOperator(SpecOfService(builder, op));
    subgraph.inputs = graph.inputs;
    subgraph.outputs = graph.outputs;
  }
  if (network.has_plan) {
    std::vector<std::byte> bytes(OfflinePlanBytes(offsets.size()));
    EncodeOfflinePlan({.version = 1, .subgraph_count = static_cast<std::uint32_t>(network.graphs.size())}, offsets,
                      bytes);
    builder.AddMetadata(std::string(kOfflinePlanName), bytes);
  }
  network.file = builder.Finish();
  network.view = Validated(network.file);
}

std::string IndexWords(const ServiceIndices& indices) {
  std::string words = "[";
  for (const std::int32_t index : indices) words += (words.size() > 1 ? " " : "") + std::to_string(index);
  return words + "]";
}

}  // namespace

std::size_t ServiceTensor::dynamic_axis() const {
  if (shape.size() == 1) return 1;  // [0] is an old way to write a scalar
  return static_cast<std::size_t>(std::find(shape.begin(), shape.end(), 0) - shape.begin());
}

std::uint8_t ServiceConstantByte(std::size_t position) { return static_cast<std::uint8_t>(90 + 7 * position); }

ServiceNetwork DrawServiceNetwork(ByteReader& reader) {
  const std::uint8_t choice = reader.Byte();
  ServiceNetwork network;
  NetworkDraw draw{.graph_count = 1 + choice % 3u, .last_first = choice / 4 % 2 == 1};
  network.has_plan = choice >= 208;
  for (std::size_t i = 0; i < draw.graph_count; ++i) network.graphs.push_back(DrawServiceGraph(reader, draw, i));
  if (network.has_plan) DrawServicePlan(reader, network);
  BuildServiceNetwork(network);
  return network;
}

std::string ServiceNetworkWords(const ServiceNetwork& network) {
  constexpr const char* kCallers[] = {"IF", "WHILE", "CALL_ONCE"};
  std::string words = network.has_plan ? "a network with a plan of its own, which is trusted" : "a network";
  for (std::size_t g = 0; g < network.graphs.size(); ++g) {
    const ServiceGraph& graph = network.graphs[g];
    words += "\n  graph " + std::to_string(g) + ": tensors of";
    for (const ServiceTensor& tensor : graph.tensors) {
      words += " " + std::to_string(tensor.bytes) + (tensor.constant ? "c" : tensor.variable ? "v" : "");
    }
    words += " bytes; " + IndexWords(graph.inputs) + " to " + IndexWords(graph.outputs) + " by";
    for (const ServiceOperator& op : graph.operators) {
      words += op.slot >= kIfSlot                        ? std::string(" ") + kCallers[op.slot - kIfSlot]
               : op.kind == ServiceKernelKind::kScripted ? std::string(" scripted")
               : op.kind == ServiceKernelKind::kBare     ? std::string(" bare")
                                                         : std::string(" nobody's");
      if (!op.called.empty()) words += " of graphs " + IndexWords(op.called);
      words += " " + IndexWords(op.inputs) + IndexWords(op.outputs);
    }
  }
  return words;
}

}  // namespace arenaproof
