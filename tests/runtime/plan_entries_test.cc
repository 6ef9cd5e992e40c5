// Whose each buffer of a committed plan is: tensors of all subgraphs in their order, then scratch buffers with the
// operator that asked for them.
#include <gtest/gtest.h>

#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

TEST(PlanEntries, NameSubgraphTensorAndOwner) {
  const MockScope mock;
  std::size_t asked = 0;
  Mock().prepare = [&asked](PrepareContext& context) { return context.services->RequestScratch(3 + 2 * asked++); };
  SmallSubgraph graph = Chain(2, 33);
  graph.tensors.push_back({.shape = {4}, .data = {1, 2, 3, 4}});
  graph.operators[0].inputs.push_back(3);
  const SmallModel model(graph, {}, /*subgraph_count=*/2);
  const TestArena arena(8192);
  EventLog log;
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  ASSERT_EQ(log.plan.size(), 10U) << "constants have no place";
  for (std::int32_t i = 0; i < 6; ++i) {
    const PlanEntry& tensor = log.plan[static_cast<std::size_t>(i)];
    EXPECT_EQ(tensor.subgraph, i / 3);
    EXPECT_EQ(tensor.tensor, i % 3);
    EXPECT_EQ(tensor.scratch, -1);
    EXPECT_EQ(tensor.owner_operator, -1);
    EXPECT_EQ(tensor.bytes, 33U);
  }
  for (std::int32_t i = 0; i < 4; ++i) {
    const PlanEntry& scratch = log.plan[static_cast<std::size_t>(6 + i)];
    EXPECT_EQ(scratch.subgraph, i / 2);
    EXPECT_EQ(scratch.tensor, -1);
    EXPECT_EQ(scratch.scratch, i) << "over the whole model";
    EXPECT_EQ(scratch.owner_operator, i % 2);
    EXPECT_EQ(scratch.bytes, 3U + 2 * static_cast<std::size_t>(i));
    std::span<std::byte> bytes;
    ASSERT_TRUE(interpreter->ScratchBytes(static_cast<std::size_t>(i), &bytes).ok());
    EXPECT_EQ(bytes.data(), log.head_start + scratch.offset);
  }
}

}  // namespace
}  // namespace arenaproof::testing
