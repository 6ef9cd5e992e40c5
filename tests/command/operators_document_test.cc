// docs/operators.md is what the command prints.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "core/operators/operator_table.h"
#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;

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

TEST(OperatorsCommand, SaysSoWhenTheReportIsNotTaken) {
  const auto run = testing::Bash("arenaproof operators > /dev/full", "/");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_EQ(run.errors, "arenaproof: standard output did not take the whole report\n");
}

}  // namespace
}  // namespace arenaproof
