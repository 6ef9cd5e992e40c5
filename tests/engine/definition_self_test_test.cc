// The self-test of definitions finds those that are too weak.
#include "engine/harness/self_test/definition_self_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/operators/operator_table.h"
#include "engine/generators/operators/table/table_case.h"

namespace arenaproof::props {
namespace {

const OperatorRow& AbsRow() { return *FindOperatorRow(BuiltinOperator::kAbs); }

std::vector<Expected> AbsOf(const OperatorCase& subject) {
  return FindDefinition(BuiltinOperator::kAbs)->outputs(subject);
}

TEST(DefinitionSelfTest, FindsNothingInTheDefinitionsOfTheTable) {
  for (const OperatorRow* row : RowsWithCases()) EXPECT_EQ(WeaknessOf(*row, *FindDefinition(row->code)), "");
}

TEST(DefinitionSelfTest, FindsATolerancePlainlyTooLarge) {
  const OperatorDefinition tolerant{BuiltinOperator::kAbs, [](const OperatorCase& subject) {
                                      std::vector<Expected> expected = AbsOf(subject);
                                      expected[0].tolerance = 1000;
                                      expected[0].to_the_bit = false;
                                      return expected;
                                    }};
  EXPECT_NE(WeaknessOf(AbsRow(), tolerant).find("would be tolerated"), std::string::npos);
}

TEST(DefinitionSelfTest, FindsADefinitionThatDecidesTooLittle) {
  const OperatorDefinition silent{BuiltinOperator::kAbs, [](const OperatorCase& subject) {
                                    std::vector<Expected> expected = AbsOf(subject);
                                    expected[0].to_the_bit = false;
                                    for (std::size_t i = 0; i < expected[0].values.size(); ++i) {
                                      if (i % 3 != 0) expected[0].values[i] = std::numeric_limits<double>::quiet_NaN();
                                    }
                                    return expected;
                                  }};
  EXPECT_NE(WeaknessOf(AbsRow(), silent).find("are decided"), std::string::npos) << WeaknessOf(AbsRow(), silent);
}

}  // namespace
}  // namespace arenaproof::props
