// Faults in a guarded kernel: of a process that dies in it they are told, once, and inside of a copy they are charged
// to the operand that holds the byte.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/sanitizers/guarded_body.h"

namespace arenaproof::testing {
namespace {

class GuardFaults : public GuardedBodies {};
INSTANTIATE_TEST_SUITE_P(By, GuardFaults, ::testing::Values("guard"),
                         [](const auto& instance) { return instance.param; });

// The report of a crash detaches the instrument while the kernel runs.
TEST_P(GuardFaults, AreToldWhenTheProcessDies) {
  std::size_t told_count = 0;
  Invoke({Input(arena(256), 32, 4), Input(arena(512), 32, 5)},
         [&](const InvokeContext& given) {
           Load<std::uint8_t>(given.inputs[0].data + 32);
           Store<std::uint8_t>(given.inputs[1].data + 32);
           instrument_->OnDetach();
           told_count = groups().size();
         },
         {.operator_index = 7, .operands = {}});
  EXPECT_EQ(told_count, 2U);
  ASSERT_EQ(groups().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(groups()[i].op.index, 7);
    EXPECT_EQ(groups()[i].operand.index, static_cast<std::int32_t>(4 + i));
    EXPECT_EQ(groups()[i].side, ViolationSide::kAfter);
    EXPECT_EQ(groups()[i].distance_bytes, 1U);
    EXPECT_EQ(groups()[i].write, i == 1);
    EXPECT_EQ(groups()[i].count, 1U);
  }
  EXPECT_TRUE(instrument_->log().capped());
}

// Inputs that share bytes lie in one copy; what is written there is charged to the first that holds it.
TEST_P(GuardFaults, InsideOfACopyAreChargedToTheInputThatHoldsThem) {
  std::int32_t index = 0;
  for (const auto& [at, holder, place] : {std::tuple{0, 4, 0}, std::tuple{16, 4, 16}, std::tuple{31, 4, 31},
                                          std::tuple{32, 5, 16}, std::tuple{47, 5, 31}}) {
    Invoke({Input(arena(256), 32, 4), Input(arena(272), 32, 5)},
           [written_at = at](const InvokeContext& given) { Store<std::uint8_t>(given.inputs[0].data + written_at); },
           {.operator_index = index++, .operands = {}});
    ASSERT_EQ(groups().size(), static_cast<std::size_t>(index));
    EXPECT_EQ(groups().back().side, ViolationSide::kInside) << at;
    EXPECT_EQ(groups().back().operand.index, holder) << at;
    EXPECT_EQ(groups().back().lowest_touched, place) << at;
    EXPECT_EQ(groups().back().distance_bytes, 0U) << at;
    EXPECT_TRUE(groups().back().write);
  }
}

// A constant's copy is kept for the next operator that reads it, but not with what this one may read beside it.
TEST_P(GuardFaults, BesideAConstantGoByWhatTheOperatorIsAllowed) {
  const OperandRange allowed[] = {{model(64) + 32, 16, AccessRight::kRead, OperandKind::kConstant, 2},
                                  {model(64) - 16, 16, AccessRight::kRead, OperandKind::kConstant, 2}};
  for (const bool other : {false, true}) {
    BeginRun(other);
    for (const std::int32_t index : {0, 1, 2}) {
      Invoke(
          {Constant(model(64), 32)},
          [&](const InvokeContext& given) { Load<std::uint8_t>(given.inputs[0].data + (other ? -1 : 32)); },
          {.operator_index = index, .operands = {}, .read_allowances = std::span(allowed).first(index == 1 ? 0 : 2)});
    }
    ASSERT_EQ(groups().size(), other ? 2U : 1U);
    EXPECT_EQ(groups().back().op.index, 1);
    EXPECT_EQ(groups().back().distance_bytes, 1U);
    EXPECT_EQ(groups().back().side, other ? ViolationSide::kBefore : ViolationSide::kAfter);
  }
}

}  // namespace
}  // namespace arenaproof::testing
