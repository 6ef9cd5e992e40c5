// Every way of breaking a rule of every row of the table comes from a fixed seed, and kernels refuse it.
#include "engine/generators/operators/table/beyond_case.h"

#include <gtest/gtest.h>

#include "engine/generators/operators/table/table_case.h"
#include "engine/harness/kernels/table_checks.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof {
namespace {

std::optional<BeyondCase> MakeSoon(CaseRandom& random, const OperatorRow& row, const RuleBreak& broken) {
  constexpr int kAttempts = 12;
  std::optional<BeyondCase> made;
  for (int attempt = 0; attempt < kAttempts && !made; ++attempt) made = MakeBeyondCase(random, row, broken);
  return made;
}

TEST(BeyondCases, AreMadeOfEveryRuleOfEveryRowAndRefused) {
  constexpr std::size_t kRounds = 2;
  for (const OperatorRow* row : RowsWithCases()) {
    for (const RuleBreak& broken : RuleBreaksOf(*row)) {
      for (std::size_t round = 0; round < kRounds; ++round) {
        CaseRandom random(20261122 + round);
        const std::optional<BeyondCase> made = MakeSoon(random, *row, broken);
        EXPECT_TRUE(made) << BreakName(*row, broken);
        if (!made) continue;
        bool in_prepare = false;
        const testing::Difference difference = testing::DifferenceOfRefusal(ReferenceKernels(), *made, &in_prepare);
        EXPECT_TRUE(difference.none()) << BreakName(*row, broken) << ": " << difference.what << ", "
                                       << difference.numbers << "\n"
                                       << made->refusal.what << ": " << made->subject.Describe();
      }
    }
  }
}

std::size_t CountOf(const OperatorRow& row, Breakage kind) {
  std::size_t count = 0;
  for (const RuleBreak& broken : RuleBreaksOf(row)) count += broken.kind == kind ? 1 : 0;
  return count;
}

TEST(BeyondCases, AreOfOptionsThatShapesDecideToo) {
  for (const OperatorRow* row : RowsWithCases()) {
    for (std::size_t i = 0; i < row->options.size(); ++i) {
      const OptionRow& option = row->options[i];
      if (!option.read || option.more || !option.by_shape_rule || row->shape == ShapeRule::kLstm) continue;
      bool is_broken = false;
      for (const RuleBreak& broken : RuleBreaksOf(*row)) {
        const bool of_option = broken.kind == Breakage::kOptionBelow || broken.kind == Breakage::kOptionAbove;
        is_broken = is_broken || (of_option && broken.place == i);
      }
      EXPECT_TRUE(is_broken) << BuiltinOperatorName(row->code) << ": " << option.name;
    }
  }
}

TEST(BeyondCases, AreOfEveryLongestRow) {
  for (const OperatorRow* row : RowsWithCases()) {
    EXPECT_EQ(CountOf(*row, Breakage::kRowTooLong), row->longest_rows.size()) << BuiltinOperatorName(row->code);
  }
}

}  // namespace
}  // namespace arenaproof
