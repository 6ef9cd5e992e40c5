// Models that loop for ever: a limit ends them with the operator that ran, and a terminal shows them meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/command/command_support.h"
#include "tests/command/started_command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using testing::ParseJson;
using Json = nlohmann::json;

// The loop runs all the time; what runs in it is a matter of chance.
const std::string kWhile =
    " while WHILE \\(operator [0-9]+\\) ran(, in it [A-Z_]+ \\(operator [0-9]+ of subgraph "
    "[0-9]+\\))? \\([0-9]+ operators had begun\\)";

TEST(TimeLimit, OfRunNamesTheOperatorThatRan) {
  const auto run = Arenaproof("run --time-limit=1 --json " + EndlessModel());
  EXPECT_EQ(run.exit_status, 2);
  const std::string sentence = "ended after 1 second" + kWhile + "; --time-limit=SECONDS allows more";
  EXPECT_THAT(run.errors, MatchesRegex("arenaproof: " + sentence + "\n"));
  EXPECT_THAT(ParseJson(run.output).at("refusal").get<std::string>(), MatchesRegex(sentence));
}

TEST(TimeLimit, OfCheckIsOneOfAllItsParts) {
  const auto run = Arenaproof("check --instrument=none --jobs=1 --time-limit=1 --json " + EndlessModel());
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_THAT(run.errors, MatchesRegex("arenaproof check: none over the faithful layout: the child was ended after 1 "
                                       "second" +
                                       kWhile + "; --time-limit=SECONDS allows more\n"));
  const Json parts = ParseJson(run.output).at("parts");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].at("problem"),
            "not started: the check had taken the 1 second that it may take; --time-limit=SECONDS allows more");
  EXPECT_FALSE(parts[1].contains("running"));
  const Json& running = parts[0].at("running");
  ASSERT_GE(running.size(), 1u);
  EXPECT_EQ(running[0].at("operator_name"), "WHILE");
  EXPECT_EQ(running[0].at("subgraph"), 0);
  EXPECT_EQ(running[0].at("phase"), "invoke");
}

// Each of ten parts takes 0.6 seconds at least: one or two of them alone would meet no limit.
TEST(TimeLimit, OfCheckIsOneOfTheSumOfItsParts) {
  const auto run = Arenaproof("check --json --jobs=1 --time-limit=4 --kernels=" + FaultyLibrary() + " " + ReluChain(),
                              "ARENAPROOF_FAULT=invoke_slow");
  EXPECT_EQ(run.exit_status, 2) << run.output;
  EXPECT_THAT(run.output, HasSubstr("not started: the check had taken the 4 seconds"));
}

TEST(TimeLimit, IsNamedByTheHelpWithItsDefault) {
  for (const char* command : {"run", "check"}) {
    const auto help = Arenaproof(std::string(command) + " --help");
    EXPECT_THAT(help.output, HasSubstr("--time-limit UINT:in [1 to 86400]=300\n"));
  }
}

TEST(Progress, OnATerminalShowsPartTimeAndOperator) {
  const std::string model = EndlessModel();
  const CommandEnd run = StartedCommand({"run", "--time-limit=2", model}, {.errors_to_terminal = true}).AwaitEnd();
  EXPECT_EQ(run.exit_status, 2) << run.signal;
  EXPECT_THAT(run.errors, ContainsRegex("\r\033\\[Krun: 1 s, WHILE \\(operator [0-9]+\\)"));
  EXPECT_THAT(run.errors, HasSubstr("\r\033[Karenaproof: ended after 2 seconds while WHILE"));

  const CommandEnd check =
      StartedCommand({"check", "--instrument=none", "--time-limit=2", model}, {.errors_to_terminal = true}).AwaitEnd();
  EXPECT_THAT(check.errors, HasSubstr("\r\033[Kchecking: none over the faithful layout (1 of 2) ..."));
  EXPECT_THAT(check.errors, ContainsRegex("\r\033\\[Kchecking: none over the faithful layout \\(1 of 2\\), 1 s, WHILE "
                                          "\\(operator [0-9]+\\)"));
}

TEST(Progress, IsNotWrittenToAFile) {
  const auto run = Arenaproof("run --time-limit=2 " + EndlessModel());
  EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
  EXPECT_EQ(run.errors.find('\r'), std::string::npos) << run.errors;
}

}  // namespace
}  // namespace arenaproof::testing
