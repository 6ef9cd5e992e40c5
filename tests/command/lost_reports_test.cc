// `check`: a report says how the call ended, also where that is not how the checks ended.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/command/kept_reports_support.h"
#include "tests/support/shared_files.h"
#include "tools/text/text.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string kUnwatchedCheck =
    "arenaproof check --instrument=none --layout=faithful '" + SeedModel("sine_regressor_int8") + "' ";
const std::string kFourReports = "--report=a.json --report=a.sarif --report=a.xml --report=a.html ";

// All four reports in the folder: 2, and this sentence.
void ExpectToSay(const std::string& folder, const std::string& sentence) {
  const std::string json = ReadFileText(folder + "/a.json");
  KeepReport(json);
  EXPECT_EQ(ParseJson(json).at("exit_status"), 2);
  EXPECT_TRUE(HasText(json, sentence)) << json.substr(0, 2000);
  const Json invocation = ParseJson(ReadFileText(folder + "/a.sarif"))["/runs/0/invocations/0"_json_pointer];
  EXPECT_EQ(invocation.at("executionSuccessful"), false);
  EXPECT_EQ(invocation.at("exitCode"), 2);
  EXPECT_TRUE(HasText(invocation.at("toolExecutionNotifications").dump(), sentence)) << invocation;
  const std::string junit = ReadFileText(folder + "/a.xml");
  EXPECT_GT(CountOf("<error ", junit), 0u) << junit;
  EXPECT_FALSE(HasText(LinesOf(junit)[1], " errors=\"0\"")) << junit;
  for (const std::string& page : {junit, ReadFileText(folder + "/a.html")}) {
    EXPECT_TRUE(HasText(page, sentence.substr(sentence.rfind('\'') + 1))) << page.substr(0, 2000);
  }
}

TEST(LostReports, OnStandardOutputAreInTheOthers) {
  const std::string folder = TemporaryFolder(), lost = "standard output did not take the whole report";
  const auto run = Bash(kUnwatchedCheck + kFourReports + ">/dev/full", folder);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_EQ(run.errors, "arenaproof check: " + lost + "\n");
  ExpectToSay(folder, lost);
  EXPECT_EQ(ParseJson(ReadFileText(folder + "/a.json")).at("not_written"), lost);
  const auto two =
      Bash(kUnwatchedCheck + "'" + SeedModel("sine_regressor_int8") + "' " + kFourReports + ">/dev/full", folder);
  EXPECT_EQ(two.exit_status, 2);
  ExpectToSay(folder, lost);
  EXPECT_EQ(ParseJson(ReadFileText(folder + "/a.json")).at("models")[0].at("exit_status"), 0);
}

// The limit leaves room for one that is small.
TEST(LostReports, InAFileAreInTheOthers) {
  const std::string folder = TemporaryFolder();
  for (const std::string large : {"--report=a.html --report=a.xml ", "--report=a.xml --report=a.html "}) {
    const auto run = Bash("ulimit -f 3; " + kUnwatchedCheck + "--quiet " + large, folder);
    EXPECT_EQ(run.exit_status, 2) << run.output;
    EXPECT_TRUE(HasText(run.errors, "--report: 'a.html' cannot be written: File too large")) << run.errors;
    EXPECT_FALSE(fs::exists(folder + "/a.html"));
    const std::string junit = ReadFileText(folder + "/a.xml");
    EXPECT_TRUE(HasText(junit, "File too large")) << junit;
    EXPECT_TRUE(HasText(LinesOf(junit)[1], " errors=\"1\"")) << junit;
    fs::remove(folder + "/a.xml");
  }
}

TEST(LostReports, OfABaselineAreInAllReports) {
  const std::string folder = TemporaryFolder();
  const auto run =
      Bash("arenaproof check --instrument=none --json /nowhere.tflite --write-baseline=b.json " + kFourReports, folder);
  EXPECT_EQ(run.exit_status, 2);
  const std::string sentence = "--write-baseline: 'b.json' is not written, because not everything ran";
  EXPECT_EQ(ParseJson(run.output).at("not_written"), sentence);
  ExpectToSay(folder, sentence);
}

// A page of a job has the reports and nothing else.
TEST(LostReports, AreThereWhereABaselineIsRefused) {
  for (const std::string words :
       {"--baseline=spoilt.json ", "--baseline=none.json ", "--write-baseline=/nowhere/b.json "}) {
    SCOPED_TRACE(words);
    const std::string folder = TemporaryFolder();
    const auto run = Bash("echo '{}' >spoilt.json; " + kUnwatchedCheck + "--json " + words + kFourReports, folder);
    EXPECT_EQ(run.exit_status, 2);
    ASSERT_EQ(LinesOf(run.errors).size(), 1u) << run.errors;
    const Json report = ParseJson(run.output);
    EXPECT_EQ(report.at("exit_status"), 2);
    EXPECT_EQ(report.at("refused").at("code"), "baseline_unusable");
    EXPECT_EQ("arenaproof: " + report.at("refusal").get<std::string>() + "\n", run.errors);
    EXPECT_EQ(report, ParseJson(ReadFileText(folder + "/a.json")));
    ExpectToSay(folder, report.at("refusal"));
    const auto text = Bash(kUnwatchedCheck + words + kFourReports, folder);
    EXPECT_EQ(text.output, "");
    EXPECT_EQ(text.errors, run.errors);
    const auto two = Bash(kUnwatchedCheck + "'" + SeedModel(kFullyConnected) + "' --json " + words, folder);
    EXPECT_EQ(ParseJson(two.output).at("models")[1].at("refusal"), report.at("refusal"));
    EXPECT_EQ(two.errors, run.errors);
  }
}

}  // namespace
}  // namespace arenaproof::testing
