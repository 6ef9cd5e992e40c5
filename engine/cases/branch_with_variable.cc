#include "engine/cases/branch_with_variable.h"

#include <cstdint>
#include <vector>

namespace arenaproof {

ModelBuilder BranchWithVariable() {
  ModelBuilder model;
  const auto value = [](const char* name) { return TensorSpec{.name = name, .shape = std::vector<std::int32_t>{12}}; };
  SubgraphSpec& main = model.AddSubgraph("main");
  const auto condition =
      main.AddTensor({.name = "condition", .type = TensorType::kBool, .shape = std::vector<std::int32_t>{1}});
  const auto x = main.AddTensor(value("x"));
  const auto middle = main.AddTensor(value("middle"));
  const auto y = main.AddTensor(value("y"));
  main.AddOperator({.code = model.AddCode(BuiltinOperator::kRelu), .inputs = {x}, .outputs = {middle}});
  main.AddOperator({.code = model.AddCode(BuiltinOperator::kIf),
                    .inputs = {condition, middle},
                    .outputs = {y},
                    .options = IfOptions{1, 2}});
  main.inputs = {condition, x};
  main.outputs = {y};
  SubgraphSpec& adds = model.AddSubgraph("adds the variable");
  const auto a = adds.AddTensor(value("a"));
  const auto sum = adds.AddTensor(value("sum"));
  TensorSpec state = value("state");
  state.is_variable = true;
  const auto variable = adds.AddTensor(state);
  adds.AddOperator({.code = model.AddCode(BuiltinOperator::kAdd),
                    .inputs = {a, variable},
                    .outputs = {sum},
                    .options = AddOptions{}});
  adds.inputs = {a};
  adds.outputs = {sum};
  SubgraphSpec& passes = model.AddSubgraph("does not");
  const auto b = passes.AddTensor(value("b"));
  const auto c = passes.AddTensor(value("c"));
  passes.AddOperator({.code = model.AddCode(BuiltinOperator::kRelu), .inputs = {b}, .outputs = {c}});
  passes.inputs = {b};
  passes.outputs = {c};
  return model;
}

}  // namespace arenaproof
