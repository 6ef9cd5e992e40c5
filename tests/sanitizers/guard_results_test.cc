// The guard's two runs: what an operator leaves unwritten differs in the other one, each scratch buffer is a copy, and
// results are those of invokes.
#include <gtest/gtest.h>

#include "tests/sanitizers/guarded_body.h"

namespace arenaproof::testing {
namespace {

class GuardResults : public GuardedBodies {};
INSTANTIATE_TEST_SUITE_P(By, GuardResults, ::testing::Values("guard"),
                         [](const auto& instance) { return instance.param; });

TEST_P(GuardResults, DifferInTheBytesThatNobodyWrote) {
  for (const bool other : {false, true}) {
    BeginRun(other);
    for (const std::size_t written : {15u, 16u}) {
      Invoke({Input(arena(128), 16), Output(arena(256), 16)},
             [&](const InvokeContext& given) { std::memset(given.outputs[0].data, 1, written); },
             {.operator_index = static_cast<std::int32_t>(written), .operands = {}});
    }
  }
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].op.index, 15);
  EXPECT_EQ(groups()[0].side, ViolationSide::kDiffers);
  EXPECT_EQ(groups()[0].operand.data, arena(256));
  EXPECT_EQ(groups()[0].lowest_touched, 15);
  EXPECT_EQ(groups()[0].highest_touched, 15);
}

// An output that fills its pages lies at the same place of them in both runs: only the fill is another one.
TEST_P(GuardResults, DifferByTheFillWhereThePagesAreFull) {
  for (const bool other : {false, true}) {
    BeginRun(other);
    Invoke({Output(arena(0), kPageBytes)},
           [](const InvokeContext& given) { std::memset(given.outputs[0].data, 1, kPageBytes - 2); });
  }
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].lowest_touched, static_cast<std::int64_t>(kPageBytes - 2));
  EXPECT_EQ(groups()[0].max_width_bytes, 2U);
}

// What was scratch memory before is none of an operator's business, in whichever of its buffers it lies.
TEST_P(GuardResults, DifferByWhatLaysInEachScratchBuffer) {
  for (const bool other : {false, true}) {
    BeginRun(other);
    std::memset(arena(0), 0x33, 1024);
    for (const std::size_t buffer : {0u, 1u, 2u}) {
      Invoke({Output(arena(256), 16), Scratch(arena(512), 16), Scratch(arena(528), 16), Scratch(arena(768), 16)},
             [&](const InvokeContext& given) {
               ASSERT_EQ(given.scratch.size(), 3U);
               for (std::size_t i = 0; i < 3; ++i) {
                 EXPECT_NE(given.scratch[i], arena(512 + (i == 2 ? 256 : 16 * i)));
                 EXPECT_NE(given.scratch[i][15], std::byte{0x33}) << "it begins empty";
               }
               std::memset(given.outputs[0].data, 1, 16);
               given.outputs[0].data[3] = given.scratch[buffer][7];
             },
             {.operator_index = static_cast<std::int32_t>(buffer), .operands = {}});
    }
  }
  ASSERT_EQ(groups().size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(groups()[i].op.index, static_cast<std::int32_t>(i));
    EXPECT_EQ(groups()[i].lowest_touched, 3);
    EXPECT_EQ(groups()[i].max_width_bytes, 1U);
  }
}

TEST_P(GuardResults, AreNoneOfPrepare) {
  for (const bool other : {false, true}) {
    BeginRun(other);
    OperatorScope scope;
    scope.phase = OperatorPhase::kPrepare;
    const OperandRange output = Output(arena(256), 16);
    scope.operands = {&output, 1};
    instrument_->OnOperatorBegins(scope);
    *arena(256) = std::byte{static_cast<unsigned char>(other ? 1 : 2)};
    instrument_->OnOperatorEnds();
    Invoke({Output(arena(256), 16)}, [](const InvokeContext& given) { std::memset(given.outputs[0].data, 1, 16); });
  }
  EXPECT_EQ(groups().size(), 0U);
}

}  // namespace
}  // namespace arenaproof::testing
