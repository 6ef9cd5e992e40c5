#include "engine/generators/offline_plan/plan_model.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/model/offline_plan.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

class SubgraphWriter {
 public:
  SubgraphWriter(ModelBuilder& builder) : builder_(builder), graph_(builder.AddSubgraph()) {}

  std::int32_t Tensor(std::int32_t bytes) { return graph_.AddTensor(Spec(bytes)); }
  std::int32_t Variable(std::int32_t bytes) {
    TensorSpec spec = Spec(bytes);
    spec.is_variable = true;
    return graph_.AddTensor(spec);
  }
  std::int32_t Constant(std::int32_t bytes) {
    TensorSpec spec = Spec(bytes);
    spec.buffer = builder_.AddBuffer(std::vector<std::byte>(static_cast<std::size_t>(bytes)));
    return graph_.AddTensor(spec);
  }
  void Operator(std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs) {
    graph_.AddOperator({.code = builder_.AddCode(BuiltinOperator::kConcatenation),
                        .inputs = std::move(inputs),
                        .outputs = std::move(outputs)});
  }
  void If(std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs, std::int32_t then_subgraph,
          std::int32_t else_subgraph) {
    graph_.AddOperator({.code = builder_.AddCode(BuiltinOperator::kIf),
                        .inputs = std::move(inputs),
                        .outputs = std::move(outputs),
                        .options = IfOptions{then_subgraph, else_subgraph}});
  }
  void Ends(std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs) {
    graph_.inputs = std::move(inputs);
    graph_.outputs = std::move(outputs);
  }

 private:
  static TensorSpec Spec(std::int32_t bytes) {
    return {.type = TensorType::kInt8, .shape = std::vector<std::int32_t>{bytes}};
  }

  ModelBuilder& builder_;
  SubgraphSpec& graph_;
};

}  // namespace

std::vector<std::byte> PlanFuzzModel(std::size_t plan_bytes) {
  ModelBuilder builder;
  {
    SubgraphWriter main(builder);
    const std::int32_t input = main.Tensor(40);
    const std::int32_t weights = main.Constant(24);
    const std::int32_t state = main.Variable(32);
    const std::int32_t middle = main.Tensor(100);
    const std::int32_t empty = main.Tensor(0);
    const std::int32_t chosen = main.Tensor(64);
    const std::int32_t output = main.Tensor(16);
    main.Tensor(48);  // nobody's
    const std::int32_t unmade = main.Tensor(20);
    main.Tensor(8);  // kSuppliedTensor
    main.Operator({input, weights, state, unmade}, {middle});
    main.If({middle, input}, {chosen}, 1, 2);
    main.Operator({chosen, empty}, {output});
    main.Ends({input}, {output});
  }
  {
    SubgraphWriter then_graph(builder);
    const std::int32_t input = then_graph.Tensor(40);
    const std::int32_t state = then_graph.Variable(16);
    const std::int32_t output = then_graph.Tensor(64);
    then_graph.Operator({input, state}, {output});
    then_graph.Ends({input}, {output});
  }
  {
    SubgraphWriter else_graph(builder);
    const std::int32_t through = else_graph.Tensor(40);
    else_graph.Ends({through}, {through});
  }
  builder.AddMetadata("min_runtime_version", std::vector<std::byte>(16));
  builder.AddMetadata(std::string(kOfflinePlanName), std::vector<std::byte>(plan_bytes));
  // Not plans: a name that is shorter, one that is longer, and none.
  for (const char* name : {"OfflineMemoryAlloc", "OfflineMemoryAllocation2", ""}) {
    builder.AddMetadata(name, std::vector<std::byte>(8));
  }
  return builder.Finish();
}

std::span<const std::size_t> PlanScratchBytes(std::size_t input_count) {
  static constexpr std::array<std::size_t, 2> kBytes = {24, 160};
  return std::span(kBytes).first(std::min<std::size_t>(input_count / 2, kBytes.size()));
}

}  // namespace arenaproof
