// What `check` prints without -v: the verdict, and what there is to know in ten lines at most.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/command/started_command_support.h"
#include "tools/command/check.h"
#include "tools/text/text.h"

namespace arenaproof::testing {
namespace {

TEST(CheckSummary, BeginsWithTheVerdictAndNamesTheFirstViolations) {
  const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --kernels=aligned-faulty");
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  const std::vector<std::string> lines = LinesOf(run.output);
  EXPECT_LE(lines.size(), 10u) << run.output;
  EXPECT_EQ(lines.front(), "violations found");
  for (const char* piece :
       {"shadow and asan in the faithful and dilated layouts: 4 with violations; 2 of 2 operators seen; arena of ",
        "VIOLATION 1: FULLY_CONNECTED (operator 0), kernel aligned-faulty, reads up to 12 bytes after input tensor 0",
        "VIOLATION 2: ", "not seen (-v lists it): blind pairs: 9 faithful, 0 dilated; "}) {
    EXPECT_TRUE(HasText(run.output, piece)) << piece << " is not in\n" << run.output;
  }
  EXPECT_FALSE(HasText(run.output, "map (")) << run.output;
}

TEST(CheckSummary, IsShortForACleanModelToo) {
  const auto run = Arenaproof("check " + SeedModel("person_detection_int8"));
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_LE(LinesOf(run.output).size(), 4u) << run.output;
  EXPECT_TRUE(run.output.starts_with("clean: no access outside the running operator's operands")) << run.output;
}

TEST(CheckSummary, QuietIsTheVerdictAlone) {
  const std::string model = SeedModel(kFullyConnected);
  const auto faulty = Arenaproof("check --quiet --instrument=shadow --kernels=aligned-faulty " + model);
  EXPECT_EQ(faulty.exit_status, 1);
  EXPECT_EQ(faulty.output, "violations found\n");
  const auto refused = Arenaproof("check --quiet /nowhere.tflite");
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_EQ(refused.output, "could not run\n");
  EXPECT_EQ(LinesOf(refused.errors).size(), 1u) << refused.errors;
}

TEST(CheckSummary, HasTheVerdictOfTheWholeReport) {
  const std::string words = "check --instrument=none " + SeedModel(kFullyConnected);
  const std::vector<std::string> whole = LinesOf(Arenaproof(words + " --verbose").output);
  EXPECT_EQ(LinesOf(Arenaproof(words).output).front(), whole.back());
}

TEST(CheckSummary, IsColouredOnATerminalOnly) {
  const std::vector<std::string> words = {"check", "--quiet", "--instrument=none", SeedModel("sine_regressor_int8")};
  const auto output = [&](CommandSetting setting) {
    setting.environment.insert(setting.environment.begin(), {{"TERM", "xterm"}, {"NO_COLOR", ""}});
    return StartedCommand(words, setting).AwaitEnd().output;
  };
  const std::string plain = "no instrument: accesses were not checked";
  EXPECT_EQ(output({.output_to_terminal = true}), "\033[1;33m" + plain + "\033[0m\r\n");
  for (const char* word : {"1", "0", "yes"}) {
    EXPECT_EQ(output({.output_to_terminal = true, .environment = {{"NO_COLOR", word}}}), plain + "\r\n") << word;
  }
  EXPECT_EQ(output({.output_to_terminal = true, .environment = {{"TERM", "dumb"}}}), plain + "\r\n");
  EXPECT_EQ(output({}), plain + "\n");
}

// As bad as it can be: a violation after the other, parts that could not run, outputs that differ, an own plan.
TEST(CheckSummary, TakesTenLinesAtMostWhateverThereIsToSay) {
  CheckResult result;
  for (const char* layout : {"faithful", "dilated"}) {
    CheckPart part;
    part.instrument = FindInstrument("asan");
    part.layout = layout;
    part.status = ExitStatus::kCouldNotRun;
    part.problem = std::string("a problem\nin the layout ") + layout;
    part.report.blind_pair_count = part.report.prepare_blind_pair_count = 3;
    part.report.offline_plan.warnings = {"first", "second"};
    part.report.offline_plan.trusted_overlap_count = 2;
    part.report.self_test.emplace().limits = {"one", "two"};
    part.report.not_exact.resize(4);
    for (int i = 0; i < 5; ++i) {
      ViolationReport violation;
      violation.operator_index = i;
      violation.operator_name = "ADD\n";
      part.report.violations.push_back(violation);
    }
    result.parts.push_back(part);
  }
  result.output_differences = {"outputs differ", "and again"};
  result.not_available = {"not this one", "nor that one"};
  result.absent_instruments = {"shadow", "canary"};
  result.status = ExitStatus::kCouldNotRun;
  const CheckOptions options = {};
  const std::string text = CheckSummaryText(options, result);
  EXPECT_EQ(LinesOf(text).size(), 10u) << text;
  EXPECT_TRUE(text.starts_with("could not run\n")) << text;
  for (const char* piece :
       {"asan in the faithful and dilated layouts: 2 could not run", "VIOLATION 3: ", "... and 2 more violations",
        "the model's own memory plan: 2 trusted overlaps; 2 warnings, first: first",
        "could not run (faithful, asan): a problem\\x0ain the layout faithful; -v shows 3 more lines",
        "4 operands not checked to the byte by every instrument; 2 kinds of access that an instrument cannot see",
        "not used: not this one; -v shows 1 more"}) {
    EXPECT_TRUE(HasText(text, piece)) << piece << " is not in\n" << text;
  }
}

}  // namespace
}  // namespace arenaproof::testing
