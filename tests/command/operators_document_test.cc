// docs/operators.md is what the command prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <sstream>
#include <string>

#include "core/operators/operator_table.h"
#include "core/runtime/kernel_interface/limits.h"
#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/command/operator_words.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::ParseJson;

TEST(OperatorsDocument, IsWhatTheCommandPrints) {
  const auto run = Arenaproof("operators --markdown");
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_EQ(run.errors, "");
  std::ifstream file(testing::SourceFolder() / "docs" / "operators.md");
  std::ostringstream committed;
  committed << file.rdbuf();
  EXPECT_EQ(committed.str(), run.output)
      << "docs/operators.md is out of date: arenaproof operators --markdown > docs/operators.md";
}

TEST(OperatorsCommand, NamesEveryOperatorOfTheTable) {
  const auto run = Arenaproof("operators");
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_EQ(run.errors, "");
  for (const OperatorRow* row : OperatorTable()) {
    EXPECT_NE(("\n" + run.output).find(std::string("\n") + BuiltinOperatorName(row->code) + "\n"), std::string::npos)
        << BuiltinOperatorName(row->code);
  }
}

using Json = nlohmann::json;

// A program can look up every rule: by names and numbers, of columns that operands have.
TEST(OperatorsCommand, PrintsRulesAsNamesAndOnlyColumnsThatOperandsHave) {
  const Json report = ParseJson(Arenaproof("operators --json").output);
  Json by_name;
  for (const Json& op : report["operators"]) {
    std::set<int> of_operands, of_types;
    for (const char* side : {"inputs", "outputs"}) {
      for (const Json& operand : op[side]) {
        if (operand["read"] && operand["presence"] != "forbidden")
          of_operands.insert(operand["type_column"].get<int>());
      }
    }
    for (const Json& tuple : op["types"]) {
      for (const Json& column : tuple["columns"]) of_types.insert(column["column"].get<int>());
    }
    if (!op["types"].empty()) EXPECT_EQ(of_types, of_operands) << op["name"];
    by_name[op["name"].get<std::string>()] = op;
  }
  EXPECT_EQ(by_name["ADD"]["shape_rule"], "broadcast");
  EXPECT_EQ(by_name["ADD"]["types"][1], ParseJson(R"({"columns": [{"column": 0, "type": "INT8"}]})"));
  EXPECT_EQ(by_name["SUB"]["inputs"][0]["quantization"], ParseJson(R"([{"type": "INT8", "rule": "free", "read": "all"},
                            {"type": "INT16", "rule": "symmetric", "read": "all"}])"));
  EXPECT_EQ(by_name["CONV_2D"]["inputs"][1]["quantization"][0],
            ParseJson(R"({"type": "INT8", "rule": "channels", "read": "all", "channel_axis": 0})"));
  EXPECT_EQ(by_name["LOG_SOFTMAX"]["row_lengths"], ParseJson(R"([{"type": "INT8", "most": 4095}])"));
}

// As many operands as the runtime takes for one operator.
TEST(OperatorsCommand, SaysHowManyOperandsAreServed) {
  for (const OperatorRow* row : OperatorTable()) {
    std::size_t least = 0, of_a_side = 0;
    for (const std::span<const OperandRow> side : {row->inputs, row->outputs}) {
      std::size_t others = 0;
      for (const OperandRow& operand : side) others += operand.presence == Presence::kRepeated ? 0 : 1;
      const bool repeats = others < side.size();
      least += others;
      of_a_side = std::max(of_a_side, others + (repeats ? MostRepeated(*row) : 0));
    }
    EXPECT_LE(of_a_side, kMaxOperandsPerOperator) << BuiltinOperatorName(row->code);
    if (row->more_repeated) EXPECT_EQ(least + MostRepeated(*row), kMaxOperandsPerOperator);
  }
  EXPECT_EQ(MostRepeated(*FindOperatorRow(BuiltinOperator::kPack)), 63u);
  EXPECT_EQ(MostRepeated(*FindOperatorRow(BuiltinOperator::kIf)), 63u);
  EXPECT_EQ(MostRepeated(*FindOperatorRow(BuiltinOperator::kWhile)), 32u);
  EXPECT_EQ(MostRepeated(*FindOperatorRow(BuiltinOperator::kConcatenation)), 10u);
}

TEST(OperatorsCommand, SaysWhatIsReadOfInt4AndOfABias) {
  const std::string text = Arenaproof("operators --markdown").output;
  const auto has = [&](const char* line) { return text.find(line) != std::string::npos; };
  EXPECT_TRUE(has("| input 1 | filter | required | any; INT4: constant | 4 |"));
  EXPECT_TRUE(has("| input 0 | input | required | any; INT4: computed | 0 to 6 |"));
  EXPECT_TRUE(has("| input 2 | bias | optional | any | 0 to 6 | INT32, INT64: see the limits |"));
  EXPECT_TRUE(has("| rank | what the limits say; cases have 1 to 3 |"));
}

TEST(OperatorsCommand, SaysSoWhenTheReportIsNotTaken) {
  const auto run = testing::Bash("arenaproof operators > /dev/full", "/");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_EQ(run.errors, "arenaproof: standard output did not take the whole report\n");
}

}  // namespace
}  // namespace arenaproof
