#include "own_model.h"

#include "tools/model_builder/model_builder.h"

namespace consumer {

std::vector<std::byte> OwnModel() {
  using namespace arenaproof;
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::vector<std::int32_t> shape = {1, static_cast<std::int32_t>(kLength)};
  for (const char* name : {"x", "averages", "y"}) graph.AddTensor({.name = name, .shape = shape});
  graph.AddOperator({.code = builder.AddCustomCode("consumer.average"), .inputs = {0}, .outputs = {1}});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {1}, .outputs = {2}});
  graph.inputs = {0};
  graph.outputs = {2};
  return builder.Finish();
}

}  // namespace consumer
