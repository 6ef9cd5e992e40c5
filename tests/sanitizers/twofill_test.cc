// twofill: two runs whose results are compared. What decides about a result beside the operator's own operands is
// charged to it; what does not is not.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

class Twofill : public MockOperators {
 protected:
  // Both runs, each with the same bytes in the arena and a fresh attach.
  template <typename Operators>
  void RunTwice(Operators operators) {
    for (int run = 0; run < 2; ++run) {
      if (run == 1) ASSERT_TRUE(instrument_->BeginOtherRun());
      instrument_->OnDetach();
      std::memset(arena(0), 0x11, arena_.bytes());
      instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
      ASSERT_TRUE(instrument_->self_test().status().ok());
      operators();
    }
  }

  const std::vector<OperandRange> operands_ = {Input(arena(128), 20), Output(arena(512), 16)};
};
INSTANTIATE_TEST_SUITE_P(By, Twofill, ::testing::Values("twofill"),
                         [](const auto& instance) { return instance.param; });

TEST_P(Twofill, NamesOperatorResultAndBytes) {
  RunTwice([&] {
    Run(operands_, [&] { std::memcpy(arena(512), arena(128), 16); });
    Run(
        operands_,
        [&] {
          std::memcpy(arena(512), arena(128), 16);
          std::memcpy(arena(512 + 5), arena(148), 3);
        },
        1);
  });
  ASSERT_EQ(groups().size(), 1U);
  const Violation& found = groups()[0];
  EXPECT_EQ(found.op.index, 1);
  EXPECT_EQ(found.side, ViolationSide::kDiffers);
  EXPECT_EQ(found.operand.data, arena(512));
  EXPECT_EQ(found.lowest_touched, 5);
  EXPECT_EQ(found.highest_touched, 7);
  EXPECT_EQ(found.max_width_bytes, 3U);
  EXPECT_EQ(ViolationSentence(found, "y"),
            "MOCK (operator 1, kernel mock) writes output 1 'y' (16 bytes) in another way when bytes outside of its "
            "operands or not yet written are others: 3 bytes, the first is byte 5");
}

TEST_P(Twofill, ChargesNothingToThoseWhoUseAResultThatDiffered) {
  RunTwice([&] {
    Run(operands_, [&] { std::memcpy(arena(512), arena(1024), 16); });
    Run({Input(arena(512), 16), Output(arena(640), 16, 2)}, [&] { std::memcpy(arena(640), arena(512), 16); }, 1);
  });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].op.index, 0);
}

// Which operator runs, or what it answers, must not depend on such bytes either.
TEST_P(Twofill, ChargesAnOperatorThatRunsInOneOfTheRunsOnly) {
  bool once = false;
  RunTwice([&] {
    Run(operands_, [&] { std::memcpy(arena(512), arena(128), 16); }, once ? 1 : 0);
    once = true;
  });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].op.index, 1);
  EXPECT_EQ(groups()[0].operand.data, nullptr);
  EXPECT_TRUE(instrument_->ChargeFailure(0, 1));
  EXPECT_FALSE(instrument_->ChargeFailure(0, 2));
  EXPECT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].count, 2U);
}

// The fill of what is to be written stays below what was written on the way into the runtime and back.
TEST_P(Twofill, LaysItsFillOnceForEachOperator) {
  RunTwice([&] {
    Run(operands_, [&] {
      std::memcpy(arena(512), arena(128), 16);
      instrument_->OnRuntimeEnters();
      RunIn(1, 0, {Input(arena(1024), 8), Output(arena(1040), 8)}, [&] { std::memcpy(arena(1040), arena(1024), 8); });
      instrument_->OnRuntimeLeaves();
    });
  });
  EXPECT_TRUE(groups().empty());
}

TEST_P(Twofill, LeavesResultsInPlaceAsTheyAre) {
  RunTwice(
      [&] { Run({Input(arena(128), 16), Output(arena(128), 16)}, [&] { std::memcpy(arena(128), arena(136), 8); }); });
  EXPECT_TRUE(groups().empty());
}

// Sums of several words that saturate: what was never cleared must not come to the same end of the range twice.
TEST_P(Twofill, SeesSaturatedSumsOfWordsThatNobodyCleared) {
  constexpr std::size_t kMostTerms = 4, kUnitCount = 8;
  std::int32_t words[kMostTerms * kUnitCount];
  RunTwice([&] {
    for (std::size_t terms = 1; terms <= kMostTerms; ++terms) {
      Run(
          {Input(arena(128), 16), Output(arena(512), kUnitCount), Scratch(arena(1024), sizeof words)},
          [&] {
            std::memcpy(words, arena(1024), sizeof words);
            for (std::size_t unit = 0; unit < kUnitCount; ++unit) {
              std::uint32_t sum = 0;
              for (std::size_t i = 0; i < terms; ++i) sum += static_cast<std::uint32_t>(words[unit * terms + i]);
              const std::int32_t scaled = static_cast<std::int32_t>(sum) / 1024;
              *arena(512 + unit) = static_cast<std::byte>(std::clamp(scaled, -128, 127));
            }
          },
          static_cast<std::int32_t>(terms));
    }
  });
  ASSERT_EQ(groups().size(), kMostTerms);
  for (std::size_t i = 0; i < kMostTerms; ++i) EXPECT_EQ(groups()[i].op.index, static_cast<std::int32_t>(i) + 1);
}

}  // namespace
}  // namespace arenaproof::testing
