// The oracle of lifetimes where calls take about as many steps as there may be, which validation counts without
// scratch.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/model/call_tree.h"
#include "engine/oracles/model/reference_lifetimes.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

constexpr std::uint32_t kDepth = 5, kCalls = 8;

// Each subgraph calls the next one kCalls times; the last has `operators`.
ModelBuilder CallsOf(std::uint32_t operators) {
  ModelBuilder model;
  for (std::uint32_t s = 0; s <= kDepth; ++s) model.AddSubgraph();
  const std::uint32_t call = model.AddCode(BuiltinOperator::kCallOnce), lone = model.AddCustomCode("lone");
  for (std::uint32_t s = 0; s < kDepth; ++s) {
    for (std::uint32_t i = 0; i < kCalls; ++i) {
      model.subgraphs[s].AddOperator({.code = call, .options = CallOnceOptions{static_cast<std::int32_t>(s) + 1}});
    }
  }
  for (std::uint32_t i = 0; i < operators; ++i) model.subgraphs[kDepth].AddOperator({.code = lone});
  return model;
}

TEST(LifetimesOracle, KnowsThatScratchBuffersAreStepsOfCallsToo) {
  constexpr std::uint32_t kOperators = 400;
  const std::vector<std::byte> file = CallsOf(kOperators).Finish();
  ModelView model;
  ASSERT_TRUE(ModelView::Open(file, &model).ok());
  std::vector<ScratchPlace> places;
  for (std::uint32_t i = 0; i < kOperators; ++i) places.push_back({kDepth, i});
  EXPECT_LE(oracle::StepsOfCalls(model, {}), kMaxCallWork);
  EXPECT_GT(oracle::StepsOfCalls(model, {}), oracle::kMostComparedSteps);
  EXPECT_EQ(oracle::CheckLifetimes(model, {}), "");
  EXPECT_GT(oracle::StepsOfCalls(model, places), kMaxCallWork);
  EXPECT_EQ(oracle::CheckLifetimes(model, places), "");
}

TEST(LifetimesOracle, ComparesWhatTakesFewSteps) {
  const std::vector<std::byte> file = CallsOf(2).Finish();
  ModelView model;
  ASSERT_TRUE(ModelView::Open(file, &model).ok());
  EXPECT_LE(oracle::StepsOfCalls(model, {}), oracle::kMostComparedSteps);
  EXPECT_EQ(oracle::CheckLifetimes(model, {}), "");
}

}  // namespace
}  // namespace arenaproof::testing
