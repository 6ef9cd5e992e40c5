// Every report of one result says the same: counts are those of what is listed, and fields those of the part that comes
// first.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/made_up_parts.h"
#include "tools/command/report_files.h"

namespace arenaproof {
namespace {

using Json = nlohmann::json;

std::size_t Occurrences(const std::string& piece, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

// Two parts that found it, one that could not run, an instrument that is absent.
ModelCheck CheckOfEveryKind(const std::string& layout) {
  ModelCheck check;
  check.options.model = "m.tflite";
  check.options.layout = layout;
  check.result.status = ExitStatus::kCouldNotRun;
  for (const std::int64_t times : {3, 5}) {
    CheckPart part = MadeUpPart(times == 3 ? "shadow" : "canary", "dilated", ExitStatus::kViolations);
    part.report.violations = {MadeUpRead()};
    part.report.violations[0].count = times;
    check.result.parts.push_back(part);
  }
  check.result.parts.push_back(MadeUpPart("guard", "dilated", ExitStatus::kCouldNotRun));
  check.result.parts.back().problem = "no memory";
  check.result.absent_instruments = {"asan"};
  check.result.not_available = {"asan is not available"};
  check.result.output_differences = {"output 0 differs"};
  return check;
}

TEST(AgreeingReports, CountInJunitWhatIsListed) {
  for (const std::string layout : {"both", "dilated"}) {
    const std::vector<ModelCheck> checks = {CheckOfEveryKind(layout), CheckOfEveryKind(layout)};
    const std::string junit = ChecksJunit(checks);
    const std::string all =
        junit.substr(junit.find("<testsuites"), junit.find('>', junit.find("<testsuites")) - junit.find("<testsuites"));
    for (const auto& [attribute, tag] : {std::pair{"tests", "<testcase "},
                                         {"failures", "<failure "},
                                         {"errors", "<error "},
                                         {"skipped", "<skipped"}}) {
      const std::size_t count = Occurrences(tag, junit);
      EXPECT_GT(count, 0u) << tag;
      EXPECT_EQ(count % 2, 0u) << tag;
      const auto attribute_of = [&](std::size_t number) {
        return std::string(" ") + attribute + "=\"" + std::to_string(number) + "\"";
      };
      EXPECT_EQ(Occurrences(attribute_of(count), all), 1u) << attribute << " is not " << count << " in " << junit;
      EXPECT_EQ(Occurrences(attribute_of(count / 2), junit), 2u) << attribute << " of the suites in " << junit;
    }
    EXPECT_EQ(Occurrences("<skipped", junit), layout == "both" ? 4u : 2u);
  }
}

TEST(AgreeingReports, GiveInSarifTheFieldsOfThePartThatComesFirst) {
  const ModelCheck check = CheckOfEveryKind("both");
  const Json results = Json::parse(ChecksSarif({&check, 1})).at("runs")[0].at("results");
  ASSERT_EQ(results.size(), 2u);
  const Json& properties = results[0].at("properties");
  EXPECT_EQ(properties.at("parts"), Json({"dilated, shadow", "dilated, canary"}));
  EXPECT_EQ(properties.at("count"), 3);
}

TEST(AgreeingReports, HaveTheStatusOfTheWorstModel) {
  std::vector<ModelCheck> checks(3);
  for (ModelCheck& check : checks) check.result.parts = {MadeUpPart("shadow", "dilated", ExitStatus::kClean)};
  checks[1].result.status = checks[1].result.parts[0].status = ExitStatus::kCouldNotRun;
  checks[2].result.status = ExitStatus::kViolations;
  EXPECT_EQ(Json::parse(ChecksJson(checks)).at("exit_status"), 2);
  EXPECT_EQ(Json::parse(ChecksSarif(checks)).at("runs")[0].at("invocations")[0].at("exitCode"), 2);
}

}  // namespace
}  // namespace arenaproof
