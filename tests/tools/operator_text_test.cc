#include "tools/text/operator_text.h"

#include <gtest/gtest.h>

namespace arenaproof {
namespace {

TEST(OperatorText, NamesAnOperatorByItsCodeWhateverNameTheFileCarries) {
  OperatorView view;
  view.has_opcode = true;
  view.code = BuiltinOperator::kWhile;
  view.custom_name = "multiple_inputs_op";
  view.has_custom_name = true;
  EXPECT_EQ(OperatorName(view), "WHILE");
  view.code = BuiltinOperator::kCustom;
  EXPECT_EQ(OperatorName(view), "custom operator 'multiple_inputs_op'");
  view.code = static_cast<BuiltinOperator>(9999);
  EXPECT_EQ(OperatorName(view), "operator code 9999");
  view.has_opcode = false;
  view.opcode_index = 7;
  EXPECT_EQ(OperatorName(view), "operator of the missing code 7");
}

TEST(OperatorText, PutsAnOperatorBeforeASentenceThatDoesNotNameIt) {
  const OperatorLocation location{0, 3};
  EXPECT_EQ(Located(location, "input 1 is omitted"), "operator 3 of subgraph 0: input 1 is omitted");
  EXPECT_EQ(Located(location, "operator 3 of subgraph 0 has 20 inputs"), "operator 3 of subgraph 0 has 20 inputs");
  EXPECT_EQ(Located(location, "operator 3 of subgraph 01 has 20 inputs"),
            "operator 3 of subgraph 0: operator 3 of subgraph 01 has 20 inputs");
  EXPECT_EQ(Located({}, "the arena is too small"), "the arena is too small");
}

}  // namespace
}  // namespace arenaproof
