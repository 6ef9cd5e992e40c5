#include "tests/model/models_support.h"

namespace arenaproof::testing {

SmallModel::SmallModel() {
  const std::uint32_t weights = builder.AddBufferOf(std::vector<std::int8_t>(12, 1));
  const std::uint32_t bias = builder.AddBufferOf(std::vector<std::int32_t>(3, 7));
  SubgraphSpec& subgraph = builder.AddSubgraph("main");
  const auto add = [&](const char* name, TensorType type, std::vector<std::int32_t> shape, std::uint32_t buffer) {
    TensorSpec spec;
    spec.name = name;
    spec.type = type;
    spec.shape = std::move(shape);
    spec.buffer = buffer;
    spec.quantization = Scale(0.5f, 0);
    subgraph.AddTensor(std::move(spec));
  };
  add("x", TensorType::kInt8, {1, 4}, 0);
  add("weights", TensorType::kInt8, {3, 4}, weights);
  add("bias", TensorType::kInt32, {3}, bias);
  add("hidden", TensorType::kInt8, {1, 3}, 0);
  add("y", TensorType::kInt8, {1, 3}, 0);
  subgraph.AddOperator({.code = builder.AddCode(BuiltinOperator::kFullyConnected),
                        .inputs = {kX, kWeights, kBias},
                        .outputs = {kHidden},
                        .options = FullyConnectedOptions{}});
  subgraph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {kHidden}, .outputs = {kY}});
  subgraph.inputs = {kX};
  subgraph.outputs = {kY};
}

ModelBuilder BuildIfModel() {
  ModelBuilder builder;
  SubgraphSpec& main = builder.AddSubgraph("main");
  main.AddTensor({.name = "condition", .type = TensorType::kBool, .shape = {{1}}});
  for (const char* name : {"a", "b", "c"}) main.AddTensor({.name = name, .shape = {{1, 2}}});
  main.AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kIf), .inputs = {0, 1, 2}, .outputs = {3}, .options = IfOptions{1, 2}});
  main.inputs = {0, 1, 2};
  main.outputs = {3};
  for (const BuiltinOperator code : {BuiltinOperator::kAdd, BuiltinOperator::kMul}) {
    SubgraphSpec& branch = builder.AddSubgraph();
    for (int i = 0; i < 3; ++i) branch.AddTensor({.shape = {{1, 2}}});
    branch.AddOperator({.code = builder.AddCode(code), .inputs = {0, 1}, .outputs = {2}});
    branch.inputs = {0, 1};
    branch.outputs = {2};
  }
  return builder;
}

Outcome Validate(const std::vector<std::byte>& file, const OperatorSupport* support) {
  Outcome outcome;
  ModelView view;
  outcome.status = ModelView::Open(file, &view);
  if (outcome.status.ok()) outcome.status = ValidateModel(view, &outcome.report, support);
  return outcome;
}

Outcome Validate(const ModelBuilder& builder, const OperatorSupport* support) {
  return Validate(builder.Finish(), support);
}

std::string Text(const Status& status) {
  std::string text = std::to_string(static_cast<int>(status.code));
  for (const std::uint64_t number : status.detail) text += " " + std::to_string(static_cast<std::int64_t>(number));
  return text;
}

}  // namespace arenaproof::testing
