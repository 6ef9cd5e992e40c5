// What the planner refuses, and that a refusal changes nothing; addresses that could be stale; order and determinism.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "core/planner/host/arena_dump.h"
#include "engine/oracles/host_planner/graph_run.h"
#include "tests/host_planner/test_graph_support.h"

namespace arenaproof::testing {
namespace {

using ::testing::Each;
using ::testing::Optional;

// A chain 0 -> 1 -> ... -> count without sharing, each of 48 bytes.
SyntheticGraph Chain(std::int32_t count) {
  std::vector<TestNode> nodes;
  for (std::int32_t i = 0; i < count; ++i) nodes.push_back({{i}, {i + 1}, {}, kSharesNothing});
  SyntheticGraph graph = TestGraph({0}, nodes, {count});
  for (ArenaTensor& tensor : graph.tensors) tensor.bytes = 48;
  return graph;
}

// Memory that is refused from a given request on.
struct ScarceMemory {
  int left = 0;

  AlignedMemory Functions() {
    return {this,
            [](void* context, std::size_t bytes, std::size_t alignment) -> void* {
              if (static_cast<ScarceMemory*>(context)->left-- <= 0) return nullptr;
              return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
            },
            nullptr, [](void*, void* block, std::size_t, std::size_t) { std::free(block); }};
  }
};

TEST(ArenaPlannerWithoutMemory, HasPlacesAndNoAddresses) {
  SyntheticGraph graph = Chain(3);
  SyntheticGraph with_memory = graph;
  ArenaPlanner expected(with_memory);
  ASSERT_TRUE(expected.PlanAllocations().ok() && expected.ExecuteAllocations(0, 2).ok());
  ScarceMemory memory{1};
  ArenaPlanner planner(graph, {.memory = memory.Functions(), .takes_memory = false});
  ASSERT_TRUE(planner.PlanAllocations().ok());
  for (std::int32_t last : {1, 2}) ASSERT_TRUE(planner.ExecuteAllocations(last - 1, last).ok());
  ASSERT_TRUE(planner.ResetAllocations().ok() && planner.ExecuteAllocations(0, 2).ok());
  EXPECT_EQ(memory.left, 1) << "nothing was asked for";
  EXPECT_FALSE(planner.HasNonPersistentMemory());
  EXPECT_EQ(planner.GetAllocInfo().non_persistent, 0u);
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    EXPECT_EQ(graph.tensors[i].data, nullptr);
    EXPECT_EQ(planner.tensors()[i].record, expected.tensors()[i].record);
  }
  // However large, and until memory is asked for.
  graph.tensors[1].bytes = SIZE_MAX / 2;
  ASSERT_TRUE(planner.ResetAllocations().ok() && planner.ExecuteAllocations(0, 2).ok());
  graph.tensors[1].bytes = 48;
  ASSERT_TRUE(planner.ResetAllocations().ok() && planner.ExecuteAllocations(0, 2).ok());
  ASSERT_TRUE(planner.AcquireNonPersistentMemory().ok());
  EXPECT_TRUE(planner.HasNonPersistentMemory());
  EXPECT_EQ(graph.tensors[0].data, planner.BasePointer(ArenaTensorKind::kArena));
}

TEST(ArenaPlannerRefusals, GrowthRefusedAtEveryAllocationLosesNothing) {
  for (int granted = 0; granted < 6; ++granted) {
    SCOPED_TRACE(granted);
    SyntheticGraph graph = Chain(6);
    graph.tensors[3].kind = ArenaTensorKind::kPersistentArena;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) graph.tensors[i].bytes = 40 * (i + 1);
    ScarceMemory memory{granted};
    ArenaPlanner planner(graph, {.tensor_alignment = 16, .memory = memory.Functions()});
    ASSERT_TRUE(planner.PlanAllocations().ok());
    bool refused = false;
    for (std::int32_t node = 0; node < 6; ++node) {
      if (graph.tensors[0].data != nullptr) std::memset(graph.tensors[0].data, 0x5a, graph.tensors[0].bytes);
      const std::vector<TensorPlan> before(planner.tensors().begin(), planner.tensors().end());
      const Status status = planner.ExecuteAllocations(node, node);
      if (status.ok()) continue;
      refused = true;
      EXPECT_EQ(status.code, StatusCode::kHostArenaMemory);
      ASSERT_EQ(planner.tensors().size(), before.size());
      for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(planner.tensors()[i].record, before[i].record);
      for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(graph.tensors[i].data != nullptr, before[i].record.size > 0);
        const std::byte* const base = planner.BasePointer(graph.tensors[i].kind);
        if (graph.tensors[i].data != nullptr) {
          EXPECT_EQ(graph.tensors[i].data, base + before[i].record.offset);
        }
      }
      if (graph.tensors[0].data != nullptr) {
        for (std::size_t i = 0; i < graph.tensors[0].bytes; ++i) EXPECT_EQ(graph.tensors[0].data[i], std::byte{0x5a});
      }
      memory.left = 100;  // and the same call works once there is memory
      ASSERT_TRUE(planner.ExecuteAllocations(node, node).ok());
    }
    EXPECT_TRUE(refused || granted > 2);
    EXPECT_EQ(RunFaults(graph), "");
  }
}

TEST(ArenaPlannerRefusals, AGrownTensorNeedsAReset) {
  PlannedGraph planned(Chain(4));
  planned.ExecuteAll();
  const auto before = planned.Offsets();
  planned.graph.tensors[2].bytes = 1000;
  EXPECT_EQ(planned.planner.ExecuteAllocations(0, 3).code, StatusCode::kArenaResetNeeded);
  EXPECT_EQ(planned.Offsets(), before);
  ASSERT_TRUE(planned.planner.ResetAllocations().ok());
  EXPECT_THAT(planned.Offsets(), Each(std::nullopt));
  planned.ExecuteAll();
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerRefusals, AShrunkOwnerNeedsAReset) {
  SyntheticGraph graph = Chain(4);
  graph.nodes[1].sharing = kSharesInput0 | kLeavesDataUnmodified;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  ASSERT_EQ(planned.planner.tensors()[2].owner, 1);
  planned.graph.tensors[1].bytes = 20;
  const auto before = planned.Offsets();
  EXPECT_EQ(planned.planner.ExecuteAllocations(0, 3).code, StatusCode::kArenaResetNeeded);
  EXPECT_EQ(planned.planner.tensors()[2].owner, 1);
  EXPECT_EQ(planned.Offsets(), before);
}

TEST(ArenaPlannerRefusals, FromNodeZeroAfterAPartialReset) {
  PlannedGraph planned(Chain(6));
  planned.ExecuteAll();
  ASSERT_TRUE(planned.planner.ResetAllocationsAfter(3).ok());
  const auto before = planned.Offsets();
  EXPECT_EQ(planned.planner.ExecuteAllocations(0, 5).code, StatusCode::kArenaResetNeeded);
  EXPECT_EQ(planned.Offsets(), before);
  planned.Execute(4, 5);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerPlaces, ATensorThatWasDynamicDuringAResetIsPlacedAnew) {
  SyntheticGraph graph = Chain(6);
  graph.tensors.push_back({48, ArenaTensorKind::kArena, nullptr});
  graph.nodes[4].temporaries = {7};
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  const auto set_kind = [&](ArenaTensorKind kind) {
    planned.graph.tensors[7].kind = kind;
    planned.graph.tensors[7].data = nullptr;
  };
  set_kind(ArenaTensorKind::kDynamic);
  ASSERT_TRUE(planned.planner.ResetAllocationsAfter(0).ok());
  EXPECT_EQ(planned.planner.tensors()[7].record.size, 0u);
  set_kind(ArenaTensorKind::kArena);
  for (std::size_t i = 2; i < 7; ++i) planned.graph.tensors[i].bytes = 40 + 16 * i;  // everything lies elsewhere now
  planned.Execute(1, 5);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerRefusals, APersistentTensorThatGrewNeedsAReset) {
  SyntheticGraph graph = Chain(3);
  graph.tensors[2].kind = ArenaTensorKind::kPersistentArena;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  planned.graph.tensors[2].bytes += 1;
  EXPECT_EQ(planned.planner.ExecuteAllocations(0, 2).code, StatusCode::kArenaResetNeeded);
}

TEST(ArenaPlannerRefusals, GraphsThatNameNoTensor) {
  SyntheticGraph graph = Chain(2);
  ArenaPlanner planner(graph);
  EXPECT_EQ(planner.ExecuteAllocations(0, 1).code, StatusCode::kArenaNotPlanned);
  graph.variables = {-1};
  EXPECT_EQ(planner.PlanAllocations().code, StatusCode::kArenaTensorIndex);
  graph.variables = {};
  graph.nodes[1].outputs = {-1};
  EXPECT_TRUE(planner.PlanAllocations().ok());
  graph.nodes[1].sharing = kSharesInput0;
  EXPECT_EQ(planner.PlanAllocations().code, StatusCode::kArenaTensorIndex);
  graph.nodes[1].outputs = {3};
  EXPECT_EQ(planner.PlanAllocations().code, StatusCode::kArenaTensorIndex);
  graph.nodes[1].outputs = {2};
  ASSERT_TRUE(planner.PlanAllocations().ok());
  EXPECT_EQ(planner.ExecuteAllocations(-1, 1).code, StatusCode::kArenaNodeRange);
  graph.nodes[0].temporaries = {7};
  EXPECT_EQ(planner.ExecuteAllocations(0, 1).code, StatusCode::kArenaTensorIndex);
  graph.nodes[0].temporaries = {1};
  EXPECT_EQ(planner.ExecuteAllocations(0, 1).code, StatusCode::kArenaTemporaryTaken);
  graph.nodes[0].temporaries = {};
  ASSERT_TRUE(planner.ExecuteAllocations(0, 1).ok());
  graph.tensors.pop_back();
  EXPECT_EQ(planner.ExecuteAllocations(0, 1).code, StatusCode::kArenaTensorsGone);
}

TEST(ArenaPlannerRefusals, SizesThatWrap) {
  SyntheticGraph graph = Chain(2);
  graph.tensors[1].bytes = SIZE_MAX;
  PlannedGraph planned(graph);
  EXPECT_EQ(planned.planner.ExecuteAllocations(0, 1).code, StatusCode::kHostArenaOverflow);
  planned.graph.tensors[1].bytes = 48;
  planned.ExecuteAll();
  SyntheticGraph misaligned = Chain(1);
  ArenaPlanner planner(misaligned, {.tensor_alignment = 65});
  ASSERT_TRUE(planner.PlanAllocations().ok());
  EXPECT_EQ(planner.ExecuteAllocations(0, 0).code, StatusCode::kHostArenaAlignment);
}

TEST(ArenaPlannerAddresses, ATensorThatBecomesEmptyHasNone) {
  PlannedGraph planned(Chain(3));
  planned.ExecuteAll();
  ASSERT_TRUE(planned.planner.ResetAllocations().ok());
  planned.graph.tensors[2].bytes = 0;
  planned.graph.tensors[1].bytes = 5000;
  planned.ExecuteAll();
  EXPECT_EQ(planned.graph.tensors[2].data, nullptr);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerAddresses, SharersOfWhatLostItsPlaceHaveNone) {
  SyntheticGraph graph = Chain(4);
  graph.nodes[2].sharing = kSharesInput0 | kLeavesDataUnmodified;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  ASSERT_EQ(planned.planner.tensors()[3].owner, 2);
  ASSERT_TRUE(planned.planner.ResetAllocationsAfter(0).ok());
  EXPECT_EQ(planned.graph.tensors[3].data, nullptr);
}

TEST(ArenaPlannerAddresses, ReleaseAndAcquire) {
  PlannedGraph planned(Chain(5));
  planned.ExecuteAll();
  const auto before = planned.Offsets();
  ASSERT_TRUE(planned.planner.ReleaseNonPersistentMemory().ok());
  EXPECT_FALSE(planned.planner.HasNonPersistentMemory());
  EXPECT_EQ(planned.planner.BasePointer(ArenaTensorKind::kArena), nullptr);
  EXPECT_THAT(planned.Offsets(), Each(std::nullopt));
  ASSERT_TRUE(planned.planner.AcquireNonPersistentMemory().ok());
  EXPECT_TRUE(planned.planner.HasNonPersistentMemory());
  EXPECT_EQ(planned.Offsets(), before);
}

TEST(ArenaPlannerPlaces, NodeByNodeKeepsWhatLives) {
  SyntheticGraph graph = Chain(12);
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) graph.tensors[i].bytes = 17 + (i * 37) % 90;
  for (std::size_t i = 3; i < graph.nodes.size(); i += 3) graph.nodes[i].inputs.push_back(static_cast<int>(i) - 2);
  PlannedGraph planned(graph);
  for (std::int32_t node = 0; node < 12; ++node) {
    const auto before = planned.Offsets();
    planned.Execute(node, node);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i]) {
        EXPECT_EQ(planned.OffsetOf(i), before[i]);
      }
    }
  }
  EXPECT_EQ(RunFaults(planned.graph), "");
}

// 0 is a constant; 4 is needed while node 1 runs, and while node 2 runs.
SyntheticGraph TemporaryOfTwoNodes() {
  SyntheticGraph graph = TestGraph({}, {{{0}, {1}, {}, 0}, {{1}, {2}, {4}, 0}, {{0}, {3, 5}, {4}, 0}}, {2, 3, 5});
  for (ArenaTensor& tensor : graph.tensors) tensor.bytes = 200;
  graph.tensors[0].kind = ArenaTensorKind::kConstant;
  return graph;
}

TEST(ArenaPlannerPlaces, ATemporaryOfTwoNodesIsPlacedNodeByNode) {
  PlannedGraph planned(TemporaryOfTwoNodes());
  planned.ExecuteAll();
  PlannedGraph stepwise(TemporaryOfTwoNodes());
  for (std::int32_t node = 0; node < 3; ++node) stepwise.Execute(node, node);
  EXPECT_EQ(RunFaults(stepwise.graph), "");
  const auto offsets = stepwise.Offsets();
  const std::size_t bytes = stepwise.planner.GetAllocInfo().non_persistent;
  for (std::int32_t node = 0; node < 3; ++node) stepwise.Execute(node, node);
  stepwise.ExecuteAll();
  EXPECT_EQ(stepwise.Offsets(), offsets) << "a second time moves nothing";
  EXPECT_EQ(stepwise.planner.GetAllocInfo().non_persistent, bytes);
}

TEST(ArenaPlannerPlaces, ATemporaryThatIsNeededAgainKeepsAPlaceThatIsFree) {
  SyntheticGraph graph = TestGraph({}, {{{0}, {1}, {}, 0}, {{1}, {2}, {4}, 0}, {{0}, {3}, {4}, 0}}, {2, 3});
  for (ArenaTensor& tensor : graph.tensors) tensor.bytes = 200;
  graph.tensors[0].kind = ArenaTensorKind::kConstant;
  PlannedGraph planned(graph);
  planned.Execute(0, 1);
  const auto place = planned.OffsetOf(4);
  planned.Execute(2, 2);
  EXPECT_EQ(planned.OffsetOf(3), 0u) << "in the bytes of 1, which has died";
  EXPECT_EQ(planned.OffsetOf(4), place);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerPlaces, OneTemporaryOfTwoNodesLivesFromOneToTheOther) {
  SyntheticGraph graph = Chain(3);
  graph.tensors.push_back({100, ArenaTensorKind::kArena, nullptr});
  graph.nodes[0].temporaries = graph.nodes[2].temporaries = {4};
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  EXPECT_EQ(planned.planner.tensors()[4].alloc_node, 0);
  EXPECT_EQ(planned.planner.tensors()[4].dealloc_node, 2);
  EXPECT_EQ(RunFaults(planned.graph), "");
}

TEST(ArenaPlannerPlaces, EveryAlignmentUpToTheArenas) {
  for (std::size_t alignment = 1; alignment <= kArenaAlignment; ++alignment) {
    SyntheticGraph graph = Chain(7);
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) graph.tensors[i].bytes = 1 + (i * 29) % 71;
    PlannedGraph planned(graph, false, alignment);
    planned.ExecuteAll();
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) EXPECT_EQ(*planned.OffsetOf(i) % alignment, 0u);
    EXPECT_EQ(RunFaults(planned.graph), "");
  }
}

class Lines final : public PictureSink {
 public:
  bool Line(std::string_view line) override {
    text += std::string(line) + "\n";
    return true;
  }
  std::string text;
};

// 0 -> 1 -> 2, and 3 from 0 and 2, of 16 bytes each.
SyntheticGraph ReadAgain() {
  SyntheticGraph graph = TestGraph({0}, {{{0}, {1}, {}, 0}, {{1}, {2}, {}, 0}, {{0, 2}, {3}, {}, 0}}, {3});
  for (ArenaTensor& tensor : graph.tensors) tensor.bytes = 16;
  return graph;
}

TEST(ArenaPlannerRefusals, TheGreatestNodeIsOneThatDoesNotExist) {
  PlannedGraph grown(ReadAgain());
  grown.Execute(0, kNoNode);
  grown.graph.tensors[1].bytes = 20;
  EXPECT_EQ(grown.planner.ExecuteAllocations(0, kNoNode).code, StatusCode::kArenaResetNeeded);
  PlannedGraph reset(ReadAgain());
  reset.Execute(0, 1);
  ASSERT_TRUE(reset.planner.ResetAllocationsAfter(kNoNode).ok());
  EXPECT_EQ(reset.planner.ExecuteAllocations(2, 2).code, StatusCode::kArenaResetNeeded);
}

TEST(ArenaPlannerAddresses, SharersGoWhereTheirOwnerGoes) {
  SyntheticGraph graph = TestGraph(
      {0}, {{{0}, {1}, {}, 0}, {{1}, {2}, {}, 0}, {{0, 2}, {3}, {}, 0}, {{3}, {4}, {}, kReshape}, {{4}, {5}, {}, 0}},
      {5});
  for (ArenaTensor& tensor : graph.tensors) tensor.bytes = 16;
  graph.tensors[1].bytes = 400;
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  ASSERT_TRUE(planned.planner.ResetAllocationsAfter(2).ok());
  planned.graph.tensors[3].bytes = 24;
  planned.Execute(2, 2);
  EXPECT_EQ(planned.graph.tensors[4].data, planned.graph.tensors[3].data);
}

TEST(ArenaPlannerAddresses, ATensorOfAnotherKindMeanwhileDoesNotComeBackToOthers) {
  SyntheticGraph graph = ReadAgain();
  graph.nodes[2].inputs = {1, 2};
  PlannedGraph planned(graph);
  planned.ExecuteAll();
  planned.graph.tensors[1].kind = ArenaTensorKind::kDynamic;
  planned.graph.tensors[1].data = nullptr;
  planned.graph.tensors[0].bytes = 32;
  planned.Execute(0, 2);
  planned.graph.tensors[1].kind = ArenaTensorKind::kArena;
  ASSERT_TRUE(planned.planner.AcquireNonPersistentMemory().ok());
  EXPECT_EQ(planned.graph.tensors[1].data, nullptr) << "its old place is under tensor 0";
  EXPECT_EQ(planned.planner.ExecuteAllocations(0, 2).code, StatusCode::kArenaResetNeeded);
}

TEST(ArenaPlannerAddresses, MemoryThatCameBackInARefusedCallIsFoundByTheNext) {
  SyntheticGraph graph = Chain(2);
  graph.tensors.push_back({48, ArenaTensorKind::kPersistentArena, nullptr});
  graph.nodes[1].outputs.push_back(3);
  ScarceMemory memory{1};
  ArenaPlanner planner(graph, {.memory = memory.Functions()});
  ASSERT_TRUE(planner.PlanAllocations().ok() && planner.ExecuteAllocations(0, 0).ok());
  ASSERT_TRUE(planner.ReleaseNonPersistentMemory().ok());
  memory.left = 1;
  ASSERT_EQ(planner.ExecuteAllocations(1, 1).code, StatusCode::kHostArenaMemory);
  memory.left = 9;
  ASSERT_TRUE(planner.ExecuteAllocations(0, 0).ok());
  EXPECT_NE(graph.tensors[0].data, nullptr);
  EXPECT_NE(graph.tensors[1].data, nullptr);
}

TEST(ArenaPlannerAddresses, APersistentOutputHasNoneBeforeItsNode) {
  SyntheticGraph graph = TestGraph({0}, {{{0}, {1}, {}, 0}, {{1}, {2}, {}, kReshape}}, {2});
  for (ArenaTensor& tensor : graph.tensors) tensor.bytes = 48;
  graph.tensors[1].kind = graph.tensors[2].kind = ArenaTensorKind::kPersistentArena;
  graph.outputs = {};
  PlannedGraph planned(graph);
  planned.Execute(0, 0);
  EXPECT_EQ(planned.graph.tensors[2].data, nullptr);
}

TEST(ArenaPlannerDump, ListsWhatHasAPlaceHoweverItCameThere) {
  PlannedGraph whole(Chain(4)), stepwise(Chain(4));
  whole.ExecuteAll();
  for (std::int32_t i = 0; i < 4; ++i) stepwise.Execute(i, i);
  Lines of_whole, of_steps;
  whole.planner.DumpDebugInfo(of_whole);
  stepwise.planner.DumpDebugInfo(of_steps);
  EXPECT_THAT(of_steps.text, ::testing::HasSubstr("5 tensors\n"));
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_THAT(of_steps.text, ::testing::HasSubstr("tensor " + std::to_string(i) + ": life span"));
  }
  SyntheticGraph graph = Chain(2);
  graph.tensors.push_back({100, ArenaTensorKind::kPersistentArena, nullptr});
  graph.variables = {3};
  PlannedGraph partly(graph);
  partly.ExecuteAll();
  for (const std::int32_t node : {0, -1}) {
    ASSERT_TRUE(partly.planner.ResetAllocationsAfter(node).ok());
    Lines lines;
    partly.planner.DumpDebugInfo(lines);
    const std::string of_arena = lines.text.substr(0, lines.text.find("\npersistent arena"));
    EXPECT_THAT(of_arena, ::testing::Not(::testing::HasSubstr("tensor 3:"))) << "after " << node;
    EXPECT_THAT(lines.text, ::testing::Not(::testing::HasSubstr("tensor -1")));
  }
}

TEST(ArenaPlannerDump, SaysWhatLivesAtEachNodeAndDrawsIt) {
  PlannedGraph planned(Chain(3));
  planned.ExecuteAll();
  Lines lines;
  planned.planner.DumpDebugInfo(lines);
  EXPECT_THAT(lines.text, ::testing::HasSubstr("non-persistent arena of subgraph 0: 144 bytes (0.000 MB), 4 tensors\n"
                                               "tensor 0: life span [0, 2], offset 0, 48 bytes (0.000 MB)\n"));
  EXPECT_THAT(lines.text, ::testing::HasSubstr("largest tensors, of 48 bytes (0.000 MB): [0-3]\n"));
  EXPECT_THAT(lines.text,
              ::testing::HasSubstr("node 1: 144 bytes (0.000 MB), utilisation 100.000%, 3 tensors: [0-2]\n"));
  EXPECT_THAT(lines.text, ::testing::HasSubstr("\n   2: "));
  Lines empty;
  PlannedGraph(Chain(2)).planner.DumpDebugInfo(empty);
  EXPECT_EQ(empty.text, "");
}

TEST(ArenaPlannerDump, CompressesIds) {
  EXPECT_EQ(IdList({7, 1, 2, 4, 5, 6}), "[1,2,4-7]");
  EXPECT_EQ(IdList({}), "[]");
  EXPECT_EQ(IdList({3}), "[3]");
}

}  // namespace
}  // namespace arenaproof::testing
