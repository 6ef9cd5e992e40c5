// The lines of a short report: which problem is named, what is counted, of two arenas their sum.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tools/made_up_parts.h"
#include "tools/command/check.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

CheckPart PartWithStatus(const char* instrument, ExitStatus status, const std::string& problem = {},
                         const std::string& layout = "faithful") {
  CheckPart part = MadeUpPart(instrument, layout, status);
  part.problem = problem;
  return part;
}

std::string Summary(ExitStatus status, const std::vector<CheckPart>& parts, const CheckOptions& options = {}) {
  CheckResult result;
  result.status = status;
  result.parts = parts;
  return CheckSummaryText(options, result);
}

// The line that begins so, without its line break; empty when there is none.
std::string LineOf(const std::string& text, const std::string& beginning) {
  for (const std::string& line : LinesOf(text)) {
    if (line.starts_with(beginning)) return line;
  }
  return {};
}

TEST(SummaryLines, CountPartsByWhatTheyCameTo) {
  std::vector<CheckPart> parts = {
      PartWithStatus("shadow", ExitStatus::kClean),        PartWithStatus("asan", ExitStatus::kViolations),
      PartWithStatus("guard", ExitStatus::kCouldNotRun),   PartWithStatus("canary", ExitStatus::kInternalError),
      PartWithStatus("twofill", ExitStatus::kCouldNotRun), PartWithStatus("shadow", ExitStatus::kClean)};
  parts[4].could_not_see = true;
  EXPECT_EQ(
      LinesOf(Summary(ExitStatus::kInternalError, parts)).at(1),
      "  shadow, asan, guard, canary and twofill in the faithful layout: 2 clean, 1 with violations, 1 not seen, 1 "
      "could not run, 1 with an internal error");
  CheckOptions none;
  none.instrument = "none";
  EXPECT_EQ(LinesOf(Summary(ExitStatus::kClean, {PartWithStatus("none", ExitStatus::kClean)}, none)).at(1),
            "  none in the faithful layout: 1 not checked");
}

TEST(SummaryLines, HaveTheBytesOfTheFirstPlanAndTheOperatorsOfAll) {
  std::vector<CheckPart> parts = {PartWithStatus("shadow", ExitStatus::kClean),
                                  PartWithStatus("asan", ExitStatus::kClean, {}, "dilated"),
                                  PartWithStatus("asan", ExitStatus::kClean)};
  parts[1].report.plan.emplace().device_arena_bytes = 1000;
  parts[1].report.plan->device_persistent_arena_bytes = 24;
  parts[1].report.plan->arena_bytes = 9000;
  parts[2].report.plan.emplace().device_arena_bytes = 7;
  parts[0].report.operators = {{.index = 0, .name = "ADD", .kernel = "mine", .seen = true},
                               {.index = 1, .name = "ADD", .kernel = "mine"}};
  parts[1].report.operators = {{.index = 0, .subgraph = 1, .name = "ADD", .kernel = "mine", .seen = true}};
  const std::string line = "  shadow and asan in the faithful and dilated layouts: 3 clean; 2 of 3 operators seen; ";
  EXPECT_EQ(LinesOf(Summary(ExitStatus::kClean, parts)).at(1), line + "arena of 1024 bytes");
  CheckOptions two;
  two.two_arenas = true;
  EXPECT_EQ(LinesOf(Summary(ExitStatus::kClean, parts, two)).at(1), line + "arenas of 1024 bytes");
}

TEST(SummaryLines, NameTheProblemThatMadeTheStatus) {
  const std::vector<CheckPart> parts = {PartWithStatus("shadow", ExitStatus::kCouldNotRun, "one"),
                                        PartWithStatus("asan", ExitStatus::kInternalError, "two"),
                                        PartWithStatus("guard", ExitStatus::kInternalError, "three")};
  EXPECT_EQ(LineOf(Summary(ExitStatus::kInternalError, parts), "  internal error"),
            "  internal error (faithful, asan): two; -v shows 2 more lines");
  EXPECT_EQ(LineOf(Summary(ExitStatus::kCouldNotRun, parts), "  could not run"),
            "  could not run (faithful, shadow): one; -v shows 2 more lines");
  EXPECT_EQ(LineOf(Summary(ExitStatus::kViolations, {parts[0]}), "  could not run"),
            "  could not run (faithful, shadow): one")
      << "the first of all, when none has the status";
}

TEST(SummaryLines, ShowPairsOfEachLayoutOnceAndOnlyWhereThereAreAny) {
  std::vector<CheckPart> parts = {
      PartWithStatus("canary", ExitStatus::kClean), PartWithStatus("shadow", ExitStatus::kClean),
      PartWithStatus("asan", ExitStatus::kClean), PartWithStatus("shadow", ExitStatus::kClean, {}, "dilated")};
  for (CheckPart& part : parts) part.report.blind_pair_count = 0;
  parts[0].report.blind_pair_count.reset();
  EXPECT_EQ(LineOf(Summary(ExitStatus::kClean, parts), "  not seen"), "");
  parts[1].report.blind_pair_count = parts[2].report.blind_pair_count = 5;
  EXPECT_EQ(LineOf(Summary(ExitStatus::kClean, parts), "  not seen"),
            "  not seen (-v lists it): blind pairs: 5 faithful, 0 dilated");
  parts[3].report.prepare_blind_pair_count = 2;
  EXPECT_EQ(LineOf(Summary(ExitStatus::kClean, parts), "  not seen"),
            "  not seen (-v lists it): blind pairs: 5 faithful, 0 dilated; in prepare: 2 dilated");
}

TEST(SummaryLines, CountLimitsOnceAndOperandsOfTheWorstPart) {
  std::vector<CheckPart> parts = {PartWithStatus("asan", ExitStatus::kClean),
                                  PartWithStatus("asan", ExitStatus::kClean, {}, "dilated"),
                                  PartWithStatus("guard", ExitStatus::kClean)};
  for (CheckPart& part : parts) part.report.self_test.emplace().limits = {"reads"};
  parts[0].report.not_exact.resize(3);
  parts[1].report.not_exact.resize(1);
  EXPECT_EQ(
      LineOf(Summary(ExitStatus::kClean, parts), "  not seen"),
      "  not seen (-v lists it): 3 operands not checked to the byte by every instrument; 2 kinds of access that an "
      "instrument cannot see");
}

TEST(SummaryLines, MentionTheReserveWhereItIsNotShown) {
  CheckOptions options;
  options.layout = "dilated";
  const std::vector<CheckPart> parts = {PartWithStatus("shadow", ExitStatus::kClean)};
  EXPECT_EQ(LineOf(Summary(ExitStatus::kClean, parts, options), "  not seen"), "");
  options.reserve_front_bytes = 1;
  EXPECT_EQ(LineOf(Summary(ExitStatus::kClean, parts, options), "  not seen"),
            "  not seen (-v lists it): what the reserve contains, which only the faithful layout shows");
  options.layout = "both";
  EXPECT_EQ(LineOf(Summary(ExitStatus::kClean, parts, options), "  not seen"), "");
}

TEST(SummaryLines, HaveTheModelsOwnPlanOfTheFirstPartThatHasOne) {
  std::vector<CheckPart> parts(3, PartWithStatus("shadow", ExitStatus::kClean));
  parts[1].report.offline_plan.summary = "the plan places 3 tensors";
  parts[2].report.offline_plan.trusted_overlap_count = 9;
  EXPECT_EQ(LineOf(Summary(ExitStatus::kClean, parts), "  the plan"), "  the plan places 3 tensors");
  parts[1].report.offline_plan.warnings = {"a warning"};
  EXPECT_EQ(LineOf(Summary(ExitStatus::kClean, parts), "  the model's"),
            "  the model's own memory plan: 1 warning, first: a warning");
}

TEST(SummaryLines, NumberViolationsAndCountThoseThatAreLeftOut) {
  for (const std::int64_t count : {3, 4, 6}) {
    CheckPart part = PartWithStatus("shadow", ExitStatus::kViolations);
    for (std::int64_t i = 0; i < count; ++i) {
      ViolationReport violation = MadeUpRead();
      violation.operator_index = i;
      part.report.violations.push_back(violation);
    }
    const std::string text = Summary(ExitStatus::kViolations, {part});
    EXPECT_NE(LineOf(text, "  VIOLATION 3: ADD (operator 2)"), "") << text;
    EXPECT_EQ(LineOf(text, "  VIOLATION 4"), "") << text;
    const std::string rest = LineOf(text, "  ... and ");
    EXPECT_EQ(rest, count == 3   ? ""
                    : count == 4 ? "  ... and 1 more violation; -v shows each with a map"
                                 : "  ... and 3 more violations; -v shows each with a map");
  }
}

}  // namespace
}  // namespace arenaproof
