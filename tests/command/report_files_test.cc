// `check --report=FILE`: each format is what its readers expect, and a file is there whole or not at all.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/command/command_support.h"
#include "tests/command/kept_reports_support.h"
#include "tests/support/shared_files.h"
#include "tools/text/text.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

struct WrittenReports {
  CommandRun run;
  std::string json, sarif, junit, html;
};

// All four of one call in the folder of the source tree.
WrittenReports CheckWithReports(const std::string& words, const std::string& environment = {}) {
  const std::string base = TemporaryFolder() + "/check";
  const auto run = Arenaproof("check " + words + " --report=" + base + ".json --report=" + base +
                                  ".sarif --report=" + base + ".xml --report=" + base + ".html",
                              "cd '" + SourceFolder().string() + "' && " + environment);
  return {run, ReadFileText(base + ".json"), ReadFileText(base + ".sarif"), ReadFileText(base + ".xml"),
          ReadFileText(base + ".html")};
}

const std::string kFaulty = "corpus/models/" + kFullyConnected + ".tflite --kernels=aligned-faulty";

void ExpectValidSarif(const std::string& sarif) {
  const auto schema = SharedFile("schemas/sarif-schema-2.1.0.json");
  if (!schema) GTEST_SKIP() << SharedAbsent("schemas/sarif-schema-2.1.0.json");
  std::string complaints;
  const int status = ValidateJson(schema->string(), WriteText(sarif, "check.sarif"), &complaints);
  if (status == 77) GTEST_SKIP() << kNoValidator;
  EXPECT_EQ(status, 0) << complaints;
}

TEST(ReportFiles, StandBesideTheReportOnStandardOutput) {
  const WrittenReports reports = CheckWithReports(kFaulty);
  EXPECT_EQ(reports.run.exit_status, 1) << reports.run.errors;
  EXPECT_TRUE(reports.run.output.starts_with("violations found\n")) << reports.run.output;
  EXPECT_EQ(reports.run.errors, "");
  const Json json = ParseJson(reports.json);
  EXPECT_EQ(json.at("format_version"), 1);
  EXPECT_EQ(json.at("exit_status"), 1);
  KeepReport(reports.json);
  const auto quiet = Arenaproof("check --json --instrument=none --report=" + TemporaryFolder() + "/a.json " +
                                SeedModel("sine_regressor_int8"));
  EXPECT_EQ(ParseJson(quiet.output).at("exit_status"), 0);
}

TEST(ReportFiles, SarifHasAResultForEachViolation) {
  const WrittenReports reports = CheckWithReports(kFaulty);
  const Json run = ParseJson(reports.sarif).at("runs").at(0);
  EXPECT_EQ(run.at("invocations").at(0).at("executionSuccessful"), true);
  ASSERT_EQ(run.at("results").size(), 2u);
  const Json json = ParseJson(reports.json);
  std::set<std::string> in_sarif, in_json;
  for (const Json& result : run.at("results")) {
    const Json& place = result.at("locations").at(0).at("physicalLocation");
    EXPECT_EQ(place.at("artifactLocation").at("uri"), "corpus/models/" + kFullyConnected + ".tflite");
    EXPECT_EQ(place.at("region").at("startLine"), 1);
    const auto rule = result.at("ruleIndex").get<std::size_t>();
    EXPECT_EQ(run.at("tool").at("driver").at("rules").at(rule).at("id"), result.at("ruleId"));
    in_sarif.insert(result.at("partialFingerprints").at("arenaproofFinding/v1"));
  }
  EXPECT_EQ(run.at("results")[0].at("ruleId"), "read-after-operand");
  EXPECT_EQ(run.at("results")[1].at("ruleId"), "read-before-operand");
  for (const Json& part : json.at("parts")) {
    for (const Json& violation : part.at("violations")) in_json.insert(violation.at("id"));
  }
  EXPECT_EQ(in_sarif, in_json);
  ExpectValidSarif(reports.sarif);
}

TEST(ReportFiles, SarifSaysThatAnExecutionFailed) {
  const std::string killed = "ARENAPROOF_WORKER_DIR=" + FolderWithShadowWorker("kill -ABRT $$");
  for (const auto& [words, environment, status] :
       {std::tuple<std::string, std::string, int>{"/nowhere.tflite", "", 2},
        {"corpus/models/" + kFullyConnected + ".tflite --arena-bytes=16", "", 2},
        {"corpus/models/" + kFullyConnected + ".tflite --instrument=shadow", killed, 3}}) {
    SCOPED_TRACE(words);
    const WrittenReports reports = CheckWithReports(words, environment);
    EXPECT_EQ(reports.run.exit_status, status) << reports.run.errors;
    const Json invocation = ParseJson(reports.sarif).at("runs").at(0).at("invocations").at(0);
    EXPECT_EQ(invocation.at("executionSuccessful"), false);
    EXPECT_EQ(invocation.at("exitCode"), status);
    EXPECT_GT(invocation.at("toolExecutionNotifications").size(), 0u);
    ExpectValidSarif(reports.sarif);
    KeepReport(reports.json);
    EXPECT_GT(CountOf("<error ", reports.junit), 0u) << reports.junit;
  }
}

// A name that no URI holds as it is, of a model outside of the folder that the command runs in.
TEST(ReportFiles, SarifNamesAModelByARelativeUri) {
  const std::string folder = TemporaryFolder();
  const std::string name = "a b:c%25#\xc3\xa4.tflite";
  fs::copy_file(SeedModel(kFullyConnected), fs::path(folder) / name);
  for (const std::string& path : {folder + "/" + name, "./" + name}) {
    const auto run =
        Bash("arenaproof check --instrument=shadow --kernels=aligned-faulty --report=a.sarif '" + path + "'",
             path[0] == '.' ? folder : TemporaryFolder());
    ASSERT_EQ(run.exit_status, 1) << run.errors;
  }
  const Json report = ParseJson(ReadFileText(folder + "/a.sarif"));
  EXPECT_EQ(report["/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri"_json_pointer],
            "a%20b%3Ac%2525%23%C3%A4.tflite");
}

TEST(ReportFiles, JunitHasACaseForEachInstrumentAndLayout) {
  const WrittenReports faulty = CheckWithReports(kFaulty);
  EXPECT_EQ(CountOf("<testcase ", faulty.junit), 4u);
  EXPECT_EQ(CountOf("<failure ", faulty.junit), 4u);
  EXPECT_NE(faulty.junit.find("name=\"shadow, dilated\""), std::string::npos) << faulty.junit;
  const WrittenReports clean = CheckWithReports("corpus/models/" + kFullyConnected + ".tflite --layout=dilated");
  EXPECT_EQ(clean.run.exit_status, 0);
  EXPECT_NE(clean.junit.find(" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\""), std::string::npos)
      << clean.junit;
  for (const std::string& junit : {faulty.junit, clean.junit}) {
    const std::string path = WriteText(junit, "check.xml");
    const std::string parse = "python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' " + path;
    EXPECT_EQ(std::system(parse.c_str()), 0) << junit;
  }
}

TEST(ReportFiles, HtmlShowsTheArenaAtTheMomentOfTheViolationAndNeedsNoOtherFile) {
  const WrittenReports reports = CheckWithReports(kFaulty);
  EXPECT_EQ(CountOf("<svg ", reports.html), 3u) << "two violations and the plan";
  EXPECT_EQ(CountOf("class=\"access\"", reports.html), 2u);
  EXPECT_NE(reports.html.find("data-time=\"1\" data-lowest=\"84\" data-end=\"96\""), std::string::npos);
  for (const char* other : {"src=", "href=", "url(http", "@import"}) {
    EXPECT_EQ(reports.html.find(other), std::string::npos) << other;
  }
  EXPECT_NE(reports.html.find("<b>violations found</b>"), std::string::npos);
  // The planner's, which rounds up, as 'arenaproof plan' says it; and no column that has nothing.
  EXPECT_NE(reports.html.find("peak 96 bytes; the arena has "), std::string::npos);
  EXPECT_EQ(reports.html.find("<th>operators"), std::string::npos);
}

TEST(ReportFiles, HtmlShowsTheTwoTensorsOfARefusedPlan) {
  const WrittenReports reports = CheckWithReports(OverlappingModel());
  EXPECT_EQ(reports.run.exit_status, 1) << reports.run.errors;
  EXPECT_EQ(CountOf("<svg ", reports.html), 1u) << reports.html;
  EXPECT_EQ(CountOf("<rect class=\"buffer\"", reports.html), 2u) << reports.html;
  EXPECT_NE(reports.html.find("data-time=\"1\" data-lowest=\"0\" data-end=\"16\""), std::string::npos) << reports.html;
}

// A link stays one, and what it leads to is seen from its own folder.
TEST(ReportFiles, AreWrittenWhereALinkLeads) {
  const std::string folder = TemporaryFolder();
  fs::create_directories(folder + "/reports/kept");
  fs::create_symlink("kept/real.json", folder + "/reports/r.json");
  for (int time = 0; time < 2; ++time) {  // there is none yet, and there is one
    const auto run = Bash(
        "arenaproof check --instrument=none --quiet --report=reports/r.json '" + SeedModel("sine_regressor_int8") + "'",
        folder);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(fs::is_symlink(folder + "/reports/r.json"));
    EXPECT_EQ(ParseJson(ReadFileText(folder + "/reports/kept/real.json")).at("exit_status"), 0);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1) << "nothing else is made";
}

// Pages tell results apart by their file: two folders may have models of one name.
TEST(ReportFiles, SarifNamesModelsOutsideOfTheFolderByTheirWholePaths) {
  const std::string folder = TemporaryFolder();
  std::string models;
  for (const std::string name : {"a", "b"}) {
    fs::create_directory(folder + "/" + name);
    fs::copy_file(SeedModel(kFullyConnected), folder + "/" + name + "/m.tflite");
    models += " " + folder + "/" + name + "/m.tflite";
  }
  const WrittenReports reports = CheckWithReports(models + " --kernels=aligned-faulty --instrument=shadow");
  std::set<std::string> uris;
  const Json sarif = ParseJson(reports.sarif);
  for (const Json& result : sarif.at("runs")[0].at("results")) {
    uris.insert(result.at("locations")[0].at("physicalLocation").at("artifactLocation").at("uri").get<std::string>());
  }
  EXPECT_EQ(uris, (std::set<std::string>{folder.substr(1) + "/a/m.tflite", folder.substr(1) + "/b/m.tflite"}));
}

TEST(ReportFiles, ThatCannotBeWrittenAreRefusedBeforeAnythingRuns) {
  const std::string folder = TemporaryFolder(), model = SeedModel("sine_regressor_int8");
  for (const auto& [name, what] : {std::pair<std::string, std::string>{folder + "/a.txt", "ends with no format"},
                                   {folder + "/none/a.json", "No such file or directory"},
                                   {folder, "ends with no format"},
                                   {"/dev/null", "ends with no format"},
                                   {"/proc/a.json", "cannot be written"},
                                   {folder + "/b.json --report=" + folder + "/./b.json", "is named twice"}}) {
    const auto run = Arenaproof("check --instrument=none " + model + " --report=" + name);
    EXPECT_EQ(run.exit_status, 2) << name;
    EXPECT_EQ(run.output, "") << name;
    EXPECT_EQ(LinesOf(run.errors).size(), 1u) << run.errors;
    EXPECT_NE(run.errors.find(what), std::string::npos) << run.errors;
  }
  EXPECT_TRUE(fs::is_empty(folder));
}

// A file that was there stays when the new one cannot be written whole.
TEST(ReportFiles, AreThereWholeOrAsTheyWere) {
  const std::string path = WriteText("as it was", "a.html");
  const auto run = Bash("ulimit -f 1; arenaproof check --instrument=none --quiet --report=" + path + " " +
                            SeedModel("sine_regressor_int8"),
                        "/");
  EXPECT_EQ(run.exit_status, 2) << run.errors;
  EXPECT_NE(run.errors.find("File too large"), std::string::npos) << run.errors;
  EXPECT_EQ(ReadFileText(path), "as it was");
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(path).parent_path()), {}), 1);
}

}  // namespace
}  // namespace arenaproof::testing
