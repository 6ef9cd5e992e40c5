// A chain of operators that all work in place has as many names for its bytes as it has operators: what the planner
// does about it grows with the chain's length, not with its square.
#include <gtest/gtest.h>

#include "engine/processor_time.h"
#include "tests/host_planner/test_graph_support.h"

namespace arenaproof::testing {
namespace {

constexpr std::int32_t kShort = 10'000, kLong = 80'000;
// The square of the lengths' ratio is 64.
constexpr double kMostGrowth = 24;

// Tensor 0 is the graph's input, tensor 1 has bytes of its own, and all up to `length` may lie in these.
SyntheticGraph ChainOf(std::int32_t length, unsigned sharing) {
  SyntheticGraph graph;
  graph.tensors.assign(static_cast<std::size_t>(length) + 2, {.bytes = 48});
  for (std::int32_t i = 0; i <= length; ++i) {
    graph.nodes.push_back({{i}, {i + 1}, {}, i == 0 || i == length ? kSharesNothing : sharing});
  }
  graph.inputs = {0};
  graph.outputs = {length + 1};
  return graph;
}

void ExpectOneOwner(const ArenaPlanner& planner, std::int32_t length) {
  std::int32_t owned = 0;
  for (std::int32_t i = 2; i <= length; ++i) {
    owned += planner.tensors()[static_cast<std::size_t>(i)].owner == 1 ? 1 : 0;
  }
  EXPECT_EQ(owned, length - 1);
}

TEST(ArenaPlannerLongChain, SharingIsFoundInTimeOfItsLength) {
  for (const unsigned sharing : {kSharesInput0, kReshape}) {
    SyntheticGraph short_chain = ChainOf(kShort, sharing), long_chain = ChainOf(kLong, sharing);
    ArenaPlanner short_planner(short_chain), long_planner(long_chain);
    const auto plan = [](ArenaPlanner& planner) {
      return TimeOf([&] { EXPECT_TRUE(planner.PlanAllocations().ok()); });
    };
    EXPECT_LT(GrowthOf([&] { return plan(short_planner); }, [&] { return plan(long_planner); }), kMostGrowth);
    ExpectOneOwner(short_planner, kShort);
    ExpectOneOwner(long_planner, kLong);
  }
}

TEST(ArenaPlannerLongChain, WhatALostLinkMeansIsFoundInTimeOfItsLength) {
  const auto lose_a_link = [](SyntheticGraph& graph, ArenaPlanner& planner) {
    for (ArenaTensor& tensor : graph.tensors) tensor.bytes = 48;
    EXPECT_TRUE(planner.PlanAllocations().ok());
    graph.tensors[2].bytes = 96;
    const auto last = static_cast<std::int32_t>(graph.nodes.size()) - 1;
    const double nanoseconds = TimeOf([&] { EXPECT_TRUE(planner.ExecuteAllocations(0, last).ok()); });
    EXPECT_EQ(planner.tensors()[2].owner, -1);
    EXPECT_EQ(planner.tensors()[3].owner, 1) << "nobody else reads the owner's bytes any more";
    return nanoseconds;
  };
  SyntheticGraph short_chain = ChainOf(kShort, kReshape), long_chain = ChainOf(kLong, kReshape);
  ArenaPlanner short_planner(short_chain), long_planner(long_chain);
  EXPECT_LT(GrowthOf([&] { return lose_a_link(short_chain, short_planner); },
                     [&] { return lose_a_link(long_chain, long_planner); }),
            kMostGrowth);
}

}  // namespace
}  // namespace arenaproof::testing
