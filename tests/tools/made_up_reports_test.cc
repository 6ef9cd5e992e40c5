// Reports of results that no worker has: what a report could mistake for another thing has a value of its own.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/tools/made_up_parts.h"
#include "tools/command/baseline.h"
#include "tools/command/check_report_text.h"
#include "tools/command/checks_text.h"
#include "tools/command/findings.h"
#include "tools/command/report_files.h"
#include "tools/command/run_expectations.h"

namespace arenaproof {
namespace {

using Json = nlohmann::json;

bool Has(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

CheckPart PartOf(ExitStatus status) { return MadeUpPart("shadow", "faithful", status); }

ViolationReport ReadOf(std::int64_t operand) {
  ViolationReport violation = MadeUpRead();
  violation.operand_index = operand;
  violation.operand_name = "<b>\"x\" & y</b>";
  violation.operand_bytes = 20;
  return violation;
}

// Violations of as many operands.
ModelCheck CheckWith(std::int64_t violations) {
  ModelCheck check;
  check.options.model = "m.tflite";
  check.result.status = ExitStatus::kViolations;
  check.result.parts = {PartOf(ExitStatus::kViolations)};
  for (std::int64_t i = 0; i < violations; ++i) check.result.parts[0].report.violations.push_back(ReadOf(i));
  return check;
}

std::vector<BlindPairReport> PairsFrom(std::int64_t first, int count) {
  std::vector<BlindPairReport> pairs;
  for (int i = 0; i < count; ++i) pairs.push_back({0, first + i, "ADD", "input", "output", 1, 2, 8});
  return pairs;
}

TEST(MadeUpReports, HaveThePairsOfInvokeAndOfPrepareInTheirPlaces) {
  ModelCheck check;
  check.result.parts = {PartOf(ExitStatus::kClean)};
  WorkerReport& report = check.result.parts[0].report;
  report.blind_pair_count = 9;
  report.blind_pairs = PairsFrom(100, 9);
  report.prepare_blind_pair_count = 30;
  report.prepare_blind_pairs = PairsFrom(200, 10);
  const Json part = Json::parse(CheckReportJson({}, check.result)).at("parts")[0];
  for (const auto& [name, first, count] : {std::tuple{"blind_pairs", 100, 9}, {"blind_pairs_in_prepare", 200, 30}}) {
    EXPECT_EQ(part.at(name).at("count"), count) << name;
    EXPECT_TRUE(Has(part.at(name).dump(), "\"operator\":" + std::to_string(first))) << part.at(name);
  }
  // Eight are shown of each; of prepare's fewer were kept than there are.
  const std::string text = CheckReportText({}, check.result);
  EXPECT_TRUE(Has(text, "ADD (operator 107)")) << text;
  EXPECT_FALSE(Has(text, "ADD (operator 108)")) << text;
  EXPECT_TRUE(Has(text, "  ... and 1 more\n")) << text;
  EXPECT_TRUE(Has(text, "  ... and 22 more\n")) << text;
}

// A table of tests that has only skipped ones is green.
TEST(MadeUpReports, InJunitHaveAnErrorWhereEveryPartWasSkipped) {
  ModelCheck check;
  check.result.status = ExitStatus::kCouldNotRun;
  check.result.parts = {PartOf(ExitStatus::kCouldNotRun)};
  check.result.parts[0].could_not_see = true;
  check.result.parts[0].problem = "no hooks";
  const std::string junit = ChecksJunit({&check, 1});
  EXPECT_TRUE(Has(junit, "tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"1\"")) << junit;
  EXPECT_TRUE(Has(junit, "<error ")) << junit;
}

TEST(MadeUpReports, HaveTheBytesOfEachArena) {
  ModelCheck check;
  check.options.two_arenas = true;
  check.result.parts = {PartOf(ExitStatus::kClean)};
  PlanReport& plan = check.result.parts[0].report.plan.emplace();
  plan.device_arena_bytes = 1001;
  plan.device_persistent_arena_bytes = 502;
  plan.arena_bytes = 2003;
  plan.persistent_arena_bytes = 804;
  const std::string text = CheckReportText(check.options, check.result);
  EXPECT_TRUE(Has(text, "1001 and 502, spread over 2003 and 804")) << text;
}

// Bytes beside an operand are none of its own, however far beside it somebody read.
TEST(MadeUpReports, CountTheUntouchedBytesOfAnOperandAlone) {
  struct Touched {
    std::optional<ByteRange> read, written;
    int untouched;
  };
  for (const auto& [read, written, untouched] :
       {Touched{ByteRange{0, 19}, {}, 0}, Touched{ByteRange{-4, 24}, {}, 0}, Touched{ByteRange{4, 24}, {}, 4},
        Touched{{}, ByteRange{-1, 9}, 10}, Touched{ByteRange{8, 9}, ByteRange{11, 12}, 15}, Touched{{}, {}, 20},
        Touched{ByteRange{25, 30}, {}, 20}}) {
    ModelCheck check;
    check.result.parts = {PartOf(ExitStatus::kClean)};
    check.result.parts[0].report.extents = {{.subgraph = 0,
                                             .operator_index = 0,
                                             .operator_name = "ADD",
                                             .kind = "input",
                                             .name = "x",
                                             .index = 1,
                                             .bytes = 20,
                                             .read = read,
                                             .written = written}};
    const std::string text = ExtentsText(check.result);
    EXPECT_TRUE(Has(text, " " + std::to_string(untouched) + "\n")) << untouched << " in " << text;
  }
}

TEST(MadeUpReports, InHtmlShowNamesAsText) {
  const ModelCheck check = CheckWith(1);
  const std::string html = ChecksHtml({&check, 1});
  EXPECT_FALSE(Has(html, "<b>\"x\"")) << html;
  EXPECT_TRUE(Has(html, "<h3>1. ")) << html;
  EXPECT_TRUE(Has(html, "&lt;b&gt;")) << html;
}

TEST(MadeUpReports, NameADeathByTheInnermostOperator) {
  const auto death_in = [](std::int32_t inner) {
    CheckResult result;
    result.parts = {PartOf(ExitStatus::kViolations)};
    result.parts[0].kernels_died = true;
    result.parts[0].problem = "the child died";
    ActiveOperator outer, innermost;
    outer.operator_index = 2;
    outer.name = "WHILE";
    innermost.subgraph = 1;
    innermost.operator_index = inner;
    innermost.name = "ADD";
    result.parts[0].running = {outer, innermost};
    const std::vector<Finding> findings = FindingsOf(result);
    return findings.size() == 1 ? findings[0].id : "not one finding";
  };
  EXPECT_EQ(death_in(0), death_in(0));
  EXPECT_NE(death_in(0), death_in(1));
}

// With the first of three known to a baseline.
ModelCheck WithOneKnown() {
  ModelCheck check = CheckWith(3);
  BaselineComparison& baseline = check.result.baseline.emplace();
  const std::vector<Finding> findings = FindingsOf(check.result);
  baseline.known = {findings.at(0).id};
  baseline.fresh = {findings.at(1).id, findings.at(2).id};
  return check;
}

TEST(MadeUpReports, NumberNewViolationsAsTheWholeReportDoes) {
  const ModelCheck check = WithOneKnown();
  const std::string summary = CheckSummaryText({}, check.result);
  EXPECT_FALSE(Has(summary, "VIOLATION 1: ")) << summary;
  EXPECT_TRUE(Has(summary, "VIOLATION 2: ")) << summary;
  EXPECT_TRUE(Has(summary, "VIOLATION 3: ")) << summary;
}

TEST(MadeUpReports, CountNewFindingsInATableOfModels) {
  const std::vector<ModelCheck> checks = {WithOneKnown(), WithOneKnown()};
  const std::string table = ChecksText(checks);
  EXPECT_TRUE(Has(table, "input tensor 1")) << table;
  EXPECT_FALSE(Has(table, "input tensor 0")) << table;
  EXPECT_TRUE(Has(table, "; 1 more")) << table;
  EXPECT_FALSE(Has(table, "; 2 more")) << table;
}

TEST(MadeUpReports, PlaceADifferenceByEveryExtent) {
  ComparedOutput one;
  one.shape = {2, 3, 20};
  one.element_count = 120;
  one.different_count = 1;
  one.first_different = 65;
  one.found = std::int64_t{1};
  one.expected = std::int64_t{2};
  const std::string text = ComparedOutputsText({one}, 0);
  EXPECT_TRUE(Has(text, "[1, 0, 5]")) << text;
}

}  // namespace
}  // namespace arenaproof
