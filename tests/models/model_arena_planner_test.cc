// The arena planner of a model on small models: heads that can be written down, and what it refuses.
#include "tools/model/model_arena_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/planner/host/arena_planner.h"
#include "engine/cases/validated.h"
#include "engine/oracles/model/graph_head.h"
#include "kernels/kernel_sets.h"
#include "tools/memory/memory_need.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

std::int32_t AddVector(SubgraphSpec& graph) { return graph.AddTensor({.shape = {{1, 4}}}); }

// What `planner` plans, as a set-up has it; the same as what each graph's planner makes alone.
MemoryNeed Planned(const ModelBuilder& builder, ModelArenaPlanner& planner) {
  const std::vector<std::byte> file = builder.Finish();
  const ValidatedModel model = Validated(file);
  MemoryQuestion question;
  question.set_up.planner = &planner;
  question.set_up.sharing = &planner;
  const KernelSet& kernels = *FindKernelSet("reference");
  MemoryNeed need = MeasureMemory(model, kernels, question);
  EXPECT_TRUE(need.status.ok()) << static_cast<int>(need.status.code);
  const GraphHead alone = HeadOfGraphs(model, need.plan, kernels, true);
  EXPECT_EQ(need.head_bytes, alone.bytes);
  for (std::size_t i = 0; i < need.plan.size(); ++i) EXPECT_EQ(need.plan[i].offset, alone.offsets[i]) << i;
  return need;
}

std::vector<std::size_t> OffsetsOf(const MemoryNeed& need) {
  std::vector<std::size_t> offsets;
  for (const PlanEntry& entry : need.plan) offsets.push_back(entry.offset);
  return offsets;
}

// x -> a by RELU, y = a + u, where nobody writes u; a tensor that nothing touches behind them.
TEST(ModelArenaPlanner, WhatNobodyWritesIsAnInput) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::int32_t x = AddVector(graph), a = AddVector(graph), u = AddVector(graph), y = AddVector(graph);
  AddVector(graph);
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {x}, .outputs = {a}});
  graph.AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kAdd), .inputs = {a, u}, .outputs = {y}, .options = AddOptions{}});
  graph.inputs = {x};
  graph.outputs = {y};
  ModelArenaPlanner planner(true);
  const MemoryNeed need = Planned(builder, planner);
  // Inputs first, which keep their bytes to the end; then a, which y may not lie in, for it is an output.
  EXPECT_THAT(OffsetsOf(need), ElementsAre(0, 128, 64, 192, 0));
  EXPECT_EQ(need.head_bytes, 208u);
}

// y = IF c THEN x ELSE relu(x): the one branch has no operator.
TEST(ModelArenaPlanner, ArenasStandOneBehindTheOther) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::int32_t c = graph.AddTensor({.type = TensorType::kBool, .shape = {{1}}});
  const std::int32_t x = AddVector(graph), y = AddVector(graph);
  graph.AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kIf), .inputs = {c, x}, .outputs = {y}, .options = IfOptions{1, 2}});
  graph.inputs = {c, x};
  graph.outputs = {y};
  SubgraphSpec& same = builder.AddSubgraph();
  same.inputs = same.outputs = {AddVector(same)};
  SubgraphSpec& relu = builder.AddSubgraph();
  relu.inputs = {AddVector(relu)};
  relu.outputs = {AddVector(relu)};
  relu.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {0}, .outputs = {1}});
  ModelArenaPlanner planner(true);
  const MemoryNeed need = Planned(builder, planner);
  EXPECT_THAT(OffsetsOf(need), ElementsAre(0, 64, 128, 192, 256, 320));
  EXPECT_EQ(need.head_bytes, 336u);
}

// Three operators one behind the other: called once, what is between two of them is shared; called twice, all is kept.
TEST(ModelArenaPlanner, KeepsAllTensorsOfASubgraphThatIsCalledTwice) {
  for (const bool twice : {false, true}) {
    ModelBuilder builder;
    SubgraphSpec& graph = builder.AddSubgraph();
    const std::int32_t c = graph.AddTensor({.type = TensorType::kBool, .shape = {{1}}});
    const std::int32_t x = AddVector(graph), y = AddVector(graph);
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kIf),
                       .inputs = {c, x},
                       .outputs = {y},
                       .options = IfOptions{1, twice ? 1 : 2}});
    graph.inputs = {c, x};
    graph.outputs = {y};
    SubgraphSpec& chain = builder.AddSubgraph();
    for (int i = 0; i < 4; ++i) AddVector(chain);
    const std::uint32_t relu = builder.AddCode(BuiltinOperator::kRelu);
    for (std::int32_t i = 0; i < 3; ++i) chain.AddOperator({.code = relu, .inputs = {i}, .outputs = {i + 1}});
    chain.inputs = {0};
    chain.outputs = {3};
    SubgraphSpec& same = builder.AddSubgraph();
    same.inputs = same.outputs = {AddVector(same)};
    ModelArenaPlanner planner(true);
    const MemoryNeed need = Planned(builder, planner);
    EXPECT_EQ(need.sharing.size(), twice ? 0u : 1u);
    if (twice) {
      EXPECT_THAT(OffsetsOf(need), ElementsAre(0, 64, 128, 192, 256, 320, 384, 0)) << "nobody calls subgraph 2";
    } else {
      EXPECT_THAT(OffsetsOf(need), ElementsAre(0, 64, 128, 192, 256, 256, 320, 384));
    }
  }
}

TEST(ModelArenaPlanner, TakesTheBuffersOfTheGraphItHasSeenAndNoOthers) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < 4; ++i) AddVector(graph);
  const std::uint32_t relu = builder.AddCode(BuiltinOperator::kRelu);
  for (std::int32_t i = 0; i < 3; ++i) graph.AddOperator({.code = relu, .inputs = {i}, .outputs = {i + 1}});
  graph.inputs = {0};
  graph.outputs = {3};
  ModelArenaPlanner planner(true);
  EXPECT_EQ(planner.AddBuffer(16, 0, 1), Failure(StatusCode::kPlannerOtherBuffer, 0, 16, 0, 1)) << "no graph yet";
  Planned(builder, planner);

  // Buffer 2 lies in the bytes of buffer 1.
  ASSERT_TRUE(planner.Init({}).ok());
  EXPECT_EQ(planner.AddBuffer(16, 0, 1, 64), Failure(StatusCode::kPlannerOfflineOffset, 0, 64));
  EXPECT_EQ(planner.AddBuffer(32, 0, 1), Failure(StatusCode::kPlannerOtherBuffer, 0, 32, 0, 1));
  EXPECT_EQ(planner.AddBuffer(16, 0, 2), Failure(StatusCode::kPlannerOtherBuffer, 0, 16, 0, 2));
  EXPECT_EQ(planner.AddBuffer(16, 1, 1), Failure(StatusCode::kPlannerOtherBuffer, 0, 16, 1, 1));
  ASSERT_TRUE(planner.AddBuffer(16, 0, 1).ok());
  EXPECT_EQ(planner.AddBuffer(16, 1, 2), Failure(StatusCode::kPlannerOtherBuffer, 1, 16, 1, 2)) << "not by itself";
  ASSERT_TRUE(planner.AddBuffer(16, 1, 3).ok()) << "as long as the last of its group";
  ASSERT_TRUE(planner.AddBuffer(16, 3, 3).ok());
  EXPECT_EQ(planner.AddBuffer(16, 3, 3), Failure(StatusCode::kPlannerOtherBuffer, 4, 16, 3, 3));
  EXPECT_EQ(planner.BufferCount(), 3u);
  std::size_t offset = 0;
  EXPECT_EQ(planner.OffsetOf(3, &offset), Failure(StatusCode::kPlannerBufferIndex, 3, 3));
  ASSERT_TRUE(planner.OffsetOf(1, &offset).ok());
  EXPECT_EQ(planner.offsets(), (std::vector<std::size_t>{0, 64, 64, 128}));
  EXPECT_EQ(offset, 64u);
}

}  // namespace
}  // namespace arenaproof::testing
