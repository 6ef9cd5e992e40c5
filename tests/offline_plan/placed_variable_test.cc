// A variable that an offline plan places keeps its bytes for itself, also before and behind the operators that touch
// it.
#include <gtest/gtest.h>

#include <algorithm>

#include "plan_model_support.h"

namespace arenaproof::testing {
namespace {

// 0 -> 1 -> 2 -> 3 of 48 bytes each, and the variable 4, which one operator reads.
PlanModel ChainWithVariable(std::size_t reader) {
  PlanSubgraph subgraph{std::vector<PlanTensor>(5), {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}}, {0}, {3}};
  subgraph.tensors[4].variable = true;
  subgraph.operators[reader].inputs.push_back(4);
  return PlanModel({subgraph});
}

TEST(PlacedVariable, SharesItsBytesAtNoTime) {
  for (std::size_t reader = 0; reader < 3; ++reader) {
    for (const bool trust : {false, true}) {
      const PlanOutcome outcome =
          SetUpModel(ChainWithVariable(reader).WithPlan({-1, -1, -1, -1, 48}).Build(), {.trust = trust});
      ASSERT_EQ(outcome.status, Ok());
      ASSERT_EQ(outcome.plan.size(), 5U);
      const PlanEntry& variable = outcome.plan[4];
      EXPECT_EQ(variable.offset, 48U);
      EXPECT_EQ(variable.first, -1);
      EXPECT_EQ(variable.last, 3) << "the last scope";
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t offset = outcome.plan[i].offset;
        EXPECT_TRUE(offset + 48 <= 48 || offset >= 96) << "tensor " << i << " at " << offset << ", read by " << reader;
      }
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
