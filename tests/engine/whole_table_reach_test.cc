// Draws reach everything of the table of operators that is counted (engine/generators/operators/reach/table_reach.h),
// so that nothing is missing in a fuzzing run but for want of time.
#include <gtest/gtest.h>

#include "engine/generators/models/passed_value_models.h"
#include "engine/generators/operators/reach/table_reach.h"
#include "engine/generators/operators/table/table_case.h"

namespace arenaproof {
namespace {

bool IsComplete(const TableReach& reach) {
  const auto all = [](const TableReach::Numbers& numbers) { return numbers.reached == numbers.all; };
  return all(reach.shapes()) && all(reach.zero_points()) && all(reach.options());
}

// `count_one(random, reach)` draws one of the row.
template <typename CountOne>
void ExpectWholeRow(const OperatorRow& row, const CountOne& count_one) {
  constexpr int kMostDraws = 100'000, kBetweenLooks = 200;
  const OperatorRow* const rows[] = {&row};
  TableReach reach(rows);
  CaseRandom random(20261129);
  for (int i = 0; i < kMostDraws; ++i) {
    count_one(random, reach);
    if (i % kBetweenLooks == 0 && IsComplete(reach)) break;
  }
  EXPECT_EQ(reach.Missing(), "");
}

TEST(WholeTable, ComesFromCases) {
  for (const OperatorRow* row : RowsWithCases()) {
    ExpectWholeRow(*row, [&](CaseRandom& random, TableReach& reach) {
      reach.Count(ReachedOf(MakeNearOrFarTableCase(random, *row).subject));
    });
  }
}

TEST(WholeTable, ComesFromModelsThatPassValuesOn) {
  for (const OperatorRow* row : RowsOfPassedValues()) {
    ExpectWholeRow(*row, [&](CaseRandom& random, TableReach& reach) {
      const std::vector<std::byte> file = MakePassedValueModel(random, *row);
      ModelView model;
      ASSERT_TRUE(ModelView::Open(file, &model).ok());
      reach.Count(model);
    });
  }
}

}  // namespace
}  // namespace arenaproof
