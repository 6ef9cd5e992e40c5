// The reference's own tests of its arena planner, re-created, and the table of its results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/oracles/host_planner/graph_run.h"
#include "tests/host_planner/test_graph_support.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

SyntheticGraph SimpleGraph() { return TestGraph({0, 1}, {{{0, 1}, {2}}, {{2, 0}, {4, 5}}, {{4, 5}, {3}}}, {3}); }

// The graph of the reference's first tests, where nothing may share.
SyntheticGraph SimpleGraphWithoutSharing() {
  SyntheticGraph graph = SimpleGraph();
  for (SyntheticNode& node : graph.nodes) node.sharing = kSharesNothing;
  return graph;
}

TEST(ArenaPlannerUpstream, EmptyGraph) {
  PlannedGraph planned(SyntheticGraph{});
  planned.Execute(0, -1);
}

TEST(ArenaPlannerUpstream, GraphWithOneNode) {
  PlannedGraph planned(TestGraph({1}, {{{1}, {2}}}, {2}));
  planned.ExecuteAll();
  EXPECT_THAT(planned.OffsetOf(1), Optional(0u));
  EXPECT_THAT(planned.OffsetOf(2), Optional(8u));
  EXPECT_THAT(planned.After(2), Optional(20u));
  EXPECT_EQ(planned.planner.GetAllocInfo().non_persistent, 17u);
}

TEST(ArenaPlannerUpstream, SimpleGraph) {
  PlannedGraph planned(SimpleGraph());
  planned.ExecuteAll();
  EXPECT_THAT(planned.OffsetOf(5), Optional(12u));
  EXPECT_EQ(planned.OffsetOf(4), planned.After(5));
  EXPECT_EQ(planned.OffsetOf(3), planned.After(4));
  EXPECT_EQ(planned.OffsetOf(2), planned.After(4));
  EXPECT_THAT(planned.OffsetOf(1), Optional(4u));
}

TEST(ArenaPlannerUpstream, InputsArePreserved) {
  PlannedGraph planned(SimpleGraph());
  planned.ExecuteAll();
  EXPECT_THAT(planned.OffsetOf(0), Optional(0u));
  EXPECT_EQ(planned.OffsetOf(1), planned.After(0));
  EXPECT_EQ(planned.OffsetOf(5), planned.After(1));
  EXPECT_EQ(planned.OffsetOf(4), planned.After(5));
  EXPECT_EQ(planned.OffsetOf(3), planned.After(4));
  EXPECT_EQ(planned.OffsetOf(2), planned.After(4));
}

TEST(ArenaPlannerUpstream, TableOfResults) {
  PlannedGraph shared(SimpleGraphWithoutSharing());
  shared.ExecuteAll();
  EXPECT_EQ(shared.planner.GetAllocInfo().non_persistent, 60u);
  EXPECT_THAT(shared.Offsets(),
              ElementsAre(Optional(0u), Optional(4u), Optional(48u), Optional(48u), Optional(32u), Optional(12u)));
  PlannedGraph preserved(SimpleGraphWithoutSharing(), true);
  preserved.ExecuteAll();
  EXPECT_EQ(preserved.planner.GetAllocInfo().non_persistent, 72u);
  EXPECT_THAT(preserved.Offsets(),
              ElementsAre(Optional(0u), Optional(4u), Optional(12u), Optional(60u), Optional(44u), Optional(24u)));
}

TEST(ArenaPlannerUpstream, InPlaceReshape) {
  SyntheticGraph graph = TestGraph({0, 1}, {{{0}, {2}}, {{1}, {3}}, {{2, 3}, {4}, {}, kReshape}, {{4}, {5}}}, {5});
  graph.tensors[2].bytes = graph.tensors[4].bytes = 24;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_EQ(planned.OffsetOf(2), planned.OffsetOf(4));
}

TEST(ArenaPlannerUpstream, ReshapeInsideAGraph) {
  SyntheticGraph graph = TestGraph({0, 1}, {{{0}, {2}}, {{2, 1}, {3}, {}, kReshape}, {{3}, {4}}}, {4});
  graph.tensors[2].bytes = graph.tensors[3].bytes = 24;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_EQ(planned.OffsetOf(2), planned.OffsetOf(3));
}

TEST(ArenaPlannerUpstream, ReshapeToAGraphOutputAfterAnInputBecameDynamic) {
  PlannedGraph planned(TestGraph({0, 1}, {{{0}, {2}}, {{2, 1}, {3}, {}, kReshape}}, {3}));
  planned.graph.tensors[0].kind = ArenaTensorKind::kDynamic;
  planned.ExecuteAll();
  EXPECT_NE(planned.OffsetOf(2), planned.OffsetOf(3));
}

TEST(ArenaPlannerUpstream, BroadcastAddInPlace) {
  SyntheticGraph graph = TestGraph(
      {0, 1}, {{{0, 1}, {3}}, {{1, 2}, {4}}, {{3, 4}, {5}, {}, kSharesInput0 | kSharesInput1}, {{5}, {6}}}, {6});
  graph.tensors[3].bytes = 8;
  graph.tensors[4].bytes = graph.tensors[5].bytes = 16;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_NE(planned.OffsetOf(3), planned.OffsetOf(5));
  EXPECT_EQ(planned.OffsetOf(4), planned.OffsetOf(5));
}

TEST(ArenaPlannerUpstream, ResetAllocationsAfter) {
  PlannedGraph planned(TestGraph({0, 1}, {{{0, 1}, {2}}, {{2, 0}, {4}, {5}}, {{4}, {3}}}, {3}));
  planned.ExecuteAll();
  EXPECT_THAT(planned.OffsetOf(3), Optional(12u));
  EXPECT_THAT(planned.OffsetOf(5), Optional(12u));
  EXPECT_EQ(planned.OffsetOf(4), planned.After(5));
  EXPECT_EQ(planned.OffsetOf(2), planned.After(4));
  const auto before = planned.Offsets();
  ASSERT_TRUE(planned.planner.ResetAllocationsAfter(0).ok());
  EXPECT_THAT(planned.Offsets(),
              ElementsAre(before[0], before[1], before[2], std::nullopt, std::nullopt, std::nullopt));
  planned.graph.tensors[4].bytes += 64;
  planned.Execute(1, 2);
  EXPECT_THAT(planned.OffsetOf(3), Optional(12u));
  EXPECT_THAT(planned.OffsetOf(5), Optional(12u));
  EXPECT_EQ(planned.OffsetOf(4), planned.After(2));
  EXPECT_THAT(planned.OffsetOf(2), Optional(48u));
}

TEST(ArenaPlannerUpstream, OptionalOperands) {
  PlannedGraph planned(TestGraph({0, -1, 1}, {{{0, 1}, {2}}, {{2, 0}, {4, 5}}, {{4, -1, 5}, {3}}}, {3}));
  planned.ExecuteAll();
  EXPECT_THAT(planned.OffsetOf(5), Optional(12u));
  EXPECT_EQ(planned.OffsetOf(4), planned.After(5));
  EXPECT_EQ(planned.OffsetOf(3), planned.After(4));
  EXPECT_EQ(planned.OffsetOf(2), planned.After(4));
}

TEST(ArenaPlannerUpstream, LargeTensorFirst) {
  SyntheticGraph graph = TestGraph({0, -1}, {{{0}, {1}}, {{1}, {2}}, {{2, 0}, {4}, {5}}, {{4, -1}, {3}}}, {3});
  graph.tensors[1].bytes = 40;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_THAT(planned.OffsetOf(1), Optional(4u));
  EXPECT_EQ(planned.OffsetOf(2), planned.After(1));
  EXPECT_THAT(planned.OffsetOf(3), Optional(4u));
  EXPECT_THAT(planned.OffsetOf(5), Optional(4u));
  EXPECT_EQ(planned.OffsetOf(4), planned.After(5));
}

TEST(ArenaPlannerUpstream, DynamicTensor) {
  SyntheticGraph graph = TestGraph({0, -1, 1}, {{{0, 1}, {2}}, {{2, 0}, {4}, {5}}, {{4, -1}, {3}}}, {3});
  graph.tensors[1].kind = ArenaTensorKind::kDynamic;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_EQ(planned.OffsetOf(1), std::nullopt);
  EXPECT_THAT(planned.OffsetOf(5), Optional(4u));
  EXPECT_EQ(planned.OffsetOf(4), planned.After(5));
  EXPECT_THAT(planned.OffsetOf(3), Optional(4u));
  EXPECT_EQ(planned.OffsetOf(2), planned.After(4));
}

TEST(ArenaPlannerUpstream, ModifiedGraph) {
  PlannedGraph planned(SimpleGraph());
  planned.ExecuteAll();
  planned.graph = TestGraph({0, 1}, {{{0, 1}, {3}}}, {3});
  ASSERT_TRUE(planned.planner.PlanAllocations().ok());
  planned.ExecuteAll();
  EXPECT_THAT(planned.OffsetOf(0), Optional(0u));
  EXPECT_EQ(planned.OffsetOf(1), planned.After(0));
  EXPECT_EQ(planned.OffsetOf(3), planned.After(1));
}

TEST(ArenaPlannerUpstream, ComplexGraph) {
  SyntheticGraph graph = TestGraph(
      {0}, {{{0}, {1}}, {{1}, {2}}, {{1}, {3}}, {{1}, {4}}, {{2, 3, 4}, {5}}, {{5}, {6}}, {{5}, {7}}, {{6, 7}, {8}}},
      {8});
  const std::size_t bytes[] = {32, 28, 36, 16, 8, 64, 10, 40};
  for (std::size_t i = 0; i < 8; ++i) graph.tensors[i].bytes = bytes[i];
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_THAT(planned.OffsetOf(5), Optional(32u));
  EXPECT_EQ(planned.OffsetOf(7), planned.After(5));
  EXPECT_EQ(planned.OffsetOf(6), planned.After(7));
  EXPECT_EQ(planned.OffsetOf(2), planned.After(5));
  EXPECT_EQ(planned.OffsetOf(3), planned.After(2));
  EXPECT_EQ(planned.OffsetOf(4), planned.After(3));
  EXPECT_THAT(planned.OffsetOf(0), Optional(0u));
  EXPECT_EQ(planned.OffsetOf(1), planned.After(0));
  EXPECT_THAT(planned.OffsetOf(8), Optional(32u));
  EXPECT_EQ(planned.planner.GetAllocInfo().non_persistent, 156u);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerUpstream, PreservesAllTensors) {
  const SyntheticGraph graph = TestGraph({0, 1}, {{{0, 1}, {2}, {5}}, {{2, 0}, {4}, {6}}, {{4}, {3}, {7}}}, {3});
  PlannedGraph dying(graph);
  dying.ExecuteAll();
  EXPECT_EQ(dying.OffsetOf(5), dying.OffsetOf(6));
  EXPECT_EQ(dying.OffsetOf(6), dying.OffsetOf(7));
  PlannedGraph preserved(graph, true);
  preserved.ExecuteAll();
  auto offsets = preserved.Offsets();
  std::sort(offsets.begin(), offsets.end());
  EXPECT_EQ(std::unique(offsets.begin(), offsets.end()), offsets.end());
  EXPECT_EQ(offsets.size(), 8u);
}

class CountingListener final : public ArenaMemoryListener {
 public:
  void OnArenaMemory(int, const void*, std::size_t) override { ++taken; }
  void OnArenaMemoryReturned(int, const void*, std::size_t) override { ++returned; }
  int taken = 0;
  int returned = 0;
};

TEST(ArenaPlannerUpstream, ProfilersAreToldOfMemory) {
  SyntheticGraph graph = TestGraph({1}, {{{1}, {2}}}, {2});
  CountingListener listener;
  {
    ArenaPlanner planner(graph, {.tensor_alignment = kTestAlignment, .listener = &listener});
    ASSERT_TRUE(planner.PlanAllocations().ok());
    ASSERT_TRUE(planner.ExecuteAllocations(0, 0).ok());
    EXPECT_EQ(listener.taken, 1);
    EXPECT_EQ(listener.returned, 0);
  }
  EXPECT_EQ(listener.returned, 1);
}

}  // namespace
}  // namespace arenaproof::testing
