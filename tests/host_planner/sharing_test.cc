// Which outputs lie in an input's bytes where the reference errs: chains and forks of aliases, lost links, variables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/oracles/host_planner/graph_run.h"
#include "tests/host_planner/test_graph_support.h"

namespace arenaproof::testing {
namespace {

constexpr unsigned kInPlace = kSharesInput0;

// Every tensor of 48 bytes.
SyntheticGraph EqualTensors(const std::vector<TestNode>& nodes, std::vector<std::int32_t> outputs) {
  SyntheticGraph graph = TestGraph({0}, nodes, std::move(outputs));
  for (ArenaTensor& tensor : graph.tensors) tensor.bytes = 48;
  return graph;
}

TEST(ArenaPlannerSharing, AMiddleLinkThatIsReadLaterKeepsItsBytes) {
  PlannedGraph planned(EqualTensors(
      {{{0}, {1}, {}, 0}, {{1}, {2}, {}, kReshape}, {{2}, {3}, {}, kReshape}, {{3}, {4}, {}, kInPlace}, {{2, 4}, {5}}},
      {5}));
  planned.ExecuteAll();
  EXPECT_EQ(planned.OffsetOf(1), planned.OffsetOf(3)) << "reshapes share";
  EXPECT_NE(planned.OffsetOf(3), planned.OffsetOf(4)) << "what would overwrite tensor 2 does not";
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerSharing, AMiddleLinkThatIsReadBeforeIsOverwritten) {
  PlannedGraph planned(EqualTensors({{{0}, {1}, {}, 0},
                                     {{1}, {2}, {}, kReshape},
                                     {{2}, {3}, {}, kReshape},
                                     {{2, 0}, {4}, {}, 0},
                                     {{3}, {5}, {}, kInPlace},
                                     {{5, 4}, {6}}},
                                    {6}));
  planned.ExecuteAll();
  EXPECT_EQ(planned.OffsetOf(1), planned.OffsetOf(5));
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerSharing, TheOperatorItselfReadsAnotherName) {
  PlannedGraph planned(EqualTensors({{{0}, {1}, {}, 0},
                                     {{1}, {2}, {}, kReshape},
                                     {{2}, {3}, {}, kReshape},
                                     {{2, 3}, {4}, {}, kSharesInput1},
                                     {{4}, {5}, {}, 0}},
                                    {5}));
  planned.ExecuteAll();
  EXPECT_NE(planned.OffsetOf(3), planned.OffsetOf(4));
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerSharing, AVariableDoesNotMoveIntoAnInputsBytes) {
  SyntheticGraph graph = EqualTensors({{{0}, {1}, {}, 0}, {{1}, {2}, {}, kReshape}, {{2}, {3}, {}, 0}}, {3});
  graph.variables = {2};
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_NE(planned.OffsetOf(1), planned.OffsetOf(2));
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerSharing, AVariableThatIsWrittenAgainLendsNoBytes) {
  SyntheticGraph graph = EqualTensors({{{1, 0}, {2}, {}, kReshape}, {{0}, {1}, {}, 0}, {{2}, {3}, {}, 0}}, {3});
  graph.variables = {1};
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_NE(planned.OffsetOf(1), planned.OffsetOf(2));
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerSharing, APersistentOutputOfAnArenaInputHasMemory) {
  SyntheticGraph graph = EqualTensors({{{0}, {1}, {}, 0}, {{1}, {2}, {}, kInPlace}, {{2}, {3}, {}, 0}}, {3});
  graph.tensors[2].kind = ArenaTensorKind::kPersistentArena;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_NE(planned.graph.tensors[2].data, nullptr);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerSharing, APersistentOutputProlongsTheInputAsInTheReference) {
  SyntheticGraph graph = EqualTensors(
      {{{0}, {1}, {}, 0}, {{1}, {2}, {}, kReshape}, {{0}, {3}, {}, 0}, {{2, 3}, {4}, {}, 0}, {{4}, {5}, {}, 0}}, {5});
  graph.tensors[2] = {96, ArenaTensorKind::kPersistentArena, nullptr};
  PlannedGraph planned(graph);
  EXPECT_EQ(planned.planner.tensors()[2].owner, 1);
  EXPECT_EQ(planned.planner.tensors()[1].dealloc_node, 3) << "the last to read 2";
  planned.ExecuteAll();
  EXPECT_EQ(planned.planner.tensors()[2].owner, -1);
  EXPECT_EQ(planned.OffsetOf(2), 0u);
  EXPECT_NE(planned.OffsetOf(3), planned.OffsetOf(1));
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerSharing, WhatAPersistentOutputNeedsIsNoReasonToCopy) {
  // 4 may be written over 1, 2 and 3; the persistent 5, which is read later, is none of their names.
  SyntheticGraph graph = EqualTensors({{{0}, {1}, {}, 0},
                                       {{1}, {2}, {}, kReshape},
                                       {{2}, {5}, {}, kReshape},
                                       {{2}, {3}, {}, kReshape},
                                       {{3}, {4}, {}, kInPlace},
                                       {{4, 5}, {6}, {}, 0}},
                                      {6});
  graph.tensors[5].kind = ArenaTensorKind::kPersistentArena;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_EQ(planned.OffsetOf(4), planned.OffsetOf(1));
  EXPECT_NE(planned.graph.tensors[5].data, nullptr);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

// 1 -> 2 -> 3 by reshapes; 2 turns out to be larger, so that 3 would copy its bytes over those of 1.
SyntheticGraph LostLink(bool first_is_read_later) {
  SyntheticGraph graph = EqualTensors({{{0}, {1}, {}, 0},
                                       {{1}, {2}, {}, kReshape},
                                       {{2}, {3}, {}, kReshape},
                                       {{3}, {4}, {}, 0},
                                       {{4, first_is_read_later ? 1 : 0}, {5}, {}, 0}},
                                      {5});
  return graph;
}

TEST(ArenaPlannerSharing, BehindALostLinkNothingIsOverwritten) {
  PlannedGraph planned(LostLink(true));
  EXPECT_EQ(planned.planner.tensors()[3].owner, 1);
  planned.graph.tensors[2].bytes = 96;
  planned.ExecuteAll();
  EXPECT_EQ(planned.planner.tensors()[2].owner, -1);
  EXPECT_EQ(planned.planner.tensors()[3].owner, -1);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerSharing, BehindALostLinkBytesThatNobodyReadsAreTaken) {
  PlannedGraph planned(LostLink(false));
  planned.graph.tensors[2].bytes = 96;
  planned.ExecuteAll();
  EXPECT_EQ(planned.planner.tensors()[3].owner, 1);
  EXPECT_EQ(planned.OffsetOf(1), planned.OffsetOf(3));
  EXPECT_EQ(RunFaults(planned.graph), "");
}

// Node 2 is left out, so that node 3 takes it that 3 lies where 1 does; then 3 has to copy, and 4 would overwrite 1.
TEST(ArenaPlannerSharing, ANodeThatWasLeftOutIsRefusedWhereItsShareIsLost) {
  SyntheticGraph graph = EqualTensors({{{0}, {1}, {}, 0},
                                       {{1}, {2}, {}, kReshape},
                                       {{2}, {3}, {}, kReshape},
                                       {{3}, {4}, {}, kReshape},
                                       {{4, 1}, {5}, {}, 0}},
                                      {5});
  PlannedGraph planned(graph);
  planned.graph.tensors[2].bytes = 96;
  planned.Execute(0, 1);
  planned.Execute(3, 4);
  EXPECT_EQ(planned.planner.tensors()[2].owner, -1);
  EXPECT_EQ(planned.planner.tensors()[4].owner, 1);
  EXPECT_EQ(planned.planner.ExecuteAllocations(2, 2), Failure(StatusCode::kArenaResetNeeded, 4, 0, 3, 0));
  ASSERT_TRUE(planned.planner.ResetAllocations().ok());
  planned.ExecuteAll();
  EXPECT_EQ(planned.planner.tensors()[4].owner, -1);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerSharing, AGraphInputThatIsWrittenLiesInNoOthersBytes) {
  for (const unsigned sharing : {kInPlace, kReshape}) {
    PlannedGraph planned(EqualTensors({{{0}, {1}, {}, 0}, {{1}, {0}, {}, sharing}, {{0}, {2}, {}, 0}}, {2}));
    EXPECT_EQ(planned.planner.tensors()[0].owner, -1);
    planned.ExecuteAll();
    EXPECT_NE(planned.OffsetOf(0), planned.OffsetOf(1));
  }
}

// 1 -> 2 -> 3 by reshapes; 2 is smaller and 3 has no bytes, so that no byte is written in its name.
TEST(ArenaPlannerSharing, ATensorOfNoBytesDependsOnNoLink) {
  SyntheticGraph graph = EqualTensors({{{0}, {1}, {}, 0},
                                       {{1}, {2}, {}, kReshape},
                                       {{2}, {3}, {}, kReshape},
                                       {{2}, {4}, {}, kReshape},
                                       {{3, 4, 1}, {5}, {}, 0}},
                                      {5});
  graph.tensors[2].bytes = 4;
  graph.tensors[3].bytes = 0;
  graph.tensors[4].bytes = 16;
  PlannedGraph planned(graph);
  planned.Execute(0, 2);
  planned.Execute(3, 4);
  EXPECT_EQ(planned.graph.tensors[3].data, nullptr);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerSharing, AnInputThatNobodyHasWrittenLendsNoBytes) {
  PlannedGraph planned(EqualTensors({{{1}, {2}, {}, kReshape}, {{2, 0}, {3}, {}, 0}}, {3}));
  planned.ExecuteAll();
  EXPECT_NE(planned.graph.tensors[2].data, nullptr);
}

}  // namespace
}  // namespace arenaproof::testing
