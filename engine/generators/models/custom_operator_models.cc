#include "engine/generators/models/custom_operator_models.h"

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/offline_plan.h"

namespace arenaproof::testing {
namespace {

std::int32_t AddTensor(SubgraphSpec& graph, RandomSource& random) {
  const auto bytes = static_cast<std::int32_t>(1 + random.Below(200));
  return graph.AddTensor({.name = "t" + std::to_string(graph.tensors.size()),
                          .type = TensorType::kInt8,
                          .shape = std::vector<std::int32_t>{1, bytes}});
}

// One behind the other with room between them, and some left to the device.
std::vector<std::int32_t> DrawOffsets(const SubgraphSpec& graph, RandomSource& random) {
  std::vector<std::int32_t> offsets;
  std::int32_t next = 0;
  for (const TensorSpec& tensor : graph.tensors) {
    if (random.OneIn(2)) {
      offsets.push_back(kPlannedAtRunTime);
      continue;
    }
    next += 16 * static_cast<std::int32_t>(random.Below(4));
    offsets.push_back(next);
    next += ((*tensor.shape)[1] + 15) / 16 * 16;
  }
  return offsets;
}

}  // namespace

CustomOperatorModel MakeCustomOperatorModel(RandomSource& random) {
  CustomOperatorModel model;
  SubgraphSpec& graph = model.builder.AddSubgraph();
  graph.inputs = {AddTensor(graph, random)};
  const std::size_t operators = 1 + random.Below(5);
  for (std::size_t i = 0; i < operators; ++i) {
    OperatorSpec op;
    op.code = model.builder.AddCustomCode(kCustomOperators[random.Below(std::size(kCustomOperators))]);
    const std::size_t given = graph.tensors.size();
    op.inputs.push_back(static_cast<std::int32_t>(given - 1));
    if (random.OneIn(2)) op.inputs.push_back(static_cast<std::int32_t>(random.Below(given)));
    op.outputs.push_back(AddTensor(graph, random));
    if (random.OneIn(3)) op.outputs.push_back(AddTensor(graph, random));
    graph.outputs = op.outputs;
    graph.AddOperator(std::move(op));
  }
  model.has_plan = random.OneIn(2);
  if (model.has_plan) {
    const std::vector<std::int32_t> offsets = DrawOffsets(graph, random);
    std::vector<std::byte> bytes(OfflinePlanBytes(offsets.size()));
    EncodeOfflinePlan({.version = 1, .subgraph_count = 1}, offsets, bytes);
    model.builder.AddMetadata(std::string(kOfflinePlanName), bytes);
  }
  return model;
}

}  // namespace arenaproof::testing
