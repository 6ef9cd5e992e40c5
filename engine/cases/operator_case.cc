#include "engine/cases/operator_case.h"

#include <algorithm>

#include "tools/model_builder/model_builder.h"

namespace arenaproof {

std::size_t CaseTensor::count() const {
  std::size_t product = 1;
  for (const std::int32_t extent : shape) product *= static_cast<std::size_t>(extent);
  return product;
}

std::string OperatorCase::Describe() const {
  std::string text = BuiltinOperatorName(code);
  const auto add = [&](const CaseTensor& tensor) {
    if (!tensor.present) {
      text += " none";
      return;
    }
    text += tensor.constant ? " constant " : tensor.variable ? " variable " : " ";
    text += TensorTypeName(tensor.type);
    text += "[";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(tensor.shape[i]);
    text += "]";
  };
  for (const CaseTensor& input : inputs) add(input);
  text += " ->";
  for (std::size_t i = 0; i < output_count(); ++i) add(output_at(i));
  if (second_omits_last_input) text += ", the second without its last input";
  return text;
}

std::vector<std::byte> ModelOf(const OperatorCase& subject) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto add = [&](const CaseTensor& tensor) {
    TensorSpec spec{.type = tensor.type, .shape = tensor.shape, .is_variable = tensor.variable};
    if (!tensor.scales.empty()) {
      std::vector<std::int64_t> zero_points(tensor.scales.size(), tensor.zero_point);
      std::copy(tensor.channel_zero_points.begin(), tensor.channel_zero_points.end(), zero_points.begin());
      spec.quantization = QuantizationSpec{tensor.scales, zero_points, tensor.dimension};
    }
    // Some producers align data to 4 bytes only.
    if (tensor.constant) spec.buffer = builder.AddBuffer(tensor.bytes, tensor.count() % 2 == 0);
    return graph.AddTensor(spec);
  };
  std::vector<std::int32_t> inputs;
  for (const CaseTensor& input : subject.inputs) {
    inputs.push_back(input.present ? add(input) : -1);
    if (input.present && !input.constant && !input.variable) graph.inputs.push_back(inputs.back());
  }
  const std::uint32_t code = builder.AddCode(subject.code);
  for (int copy = 0; copy < 2; ++copy) {
    std::vector<std::int32_t> outputs;
    for (std::size_t i = 0; i < subject.output_count(); ++i) {
      outputs.push_back(subject.output_at(i).present ? add(subject.output_at(i)) : -1);
    }
    graph.outputs.insert(graph.outputs.end(), outputs.begin(), outputs.end());
    if (copy == 1 && subject.second_omits_last_input) inputs.back() = -1;
    graph.AddOperator({.code = code, .inputs = inputs, .outputs = outputs, .options = subject.options});
  }
  return builder.Finish();
}

}  // namespace arenaproof
