// What a check says beside a baseline, on results that no check has to be made for.
#include "tools/command/baseline_comparison.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/tools/made_up_parts.h"
#include "tools/command/baseline.h"

namespace arenaproof {
namespace {

CheckPart CleanPart(const char* layout) {
  CheckPart part = MadeUpPart("shadow", layout, ExitStatus::kClean);
  part.report.finished = true;
  part.report.operators.push_back({.name = "ADD", .kernel = "mine", .seen = true, .invokes = 1, .invokes_seen = 1});
  return part;
}

// One clean model, checked by shadow in both layouts.
std::vector<ModelCheck> CleanCheck() {
  std::vector<ModelCheck> checks(1);
  checks[0].options.model = "models/m.tflite";
  checks[0].result.parts = {CleanPart("faithful"), CleanPart("dilated")};
  return checks;
}

BaselineEntry Entry(const std::string& rule, const std::vector<std::string>& parts) {
  return {"0123456789abcdef", rule, "a sentence", "models/m.tflite", parts};
}

bool HasVanished(std::vector<ModelCheck> checks, const BaselineEntry& entry) {
  CompareWithBaseline("known.json", {entry}, checks);
  const BaselineComparison& comparison = *checks[0].result.baseline;
  EXPECT_EQ(comparison.vanished.size() + comparison.not_looked_for.size(), 1u);
  return comparison.vanished.size() == 1;
}

TEST(VanishedFindings, AreThoseThatAPartWhichFoundThemDoesNotFindAgain) {
  const std::string rule = "read-after-operand";
  EXPECT_TRUE(HasVanished(CleanCheck(), Entry(rule, {"faithful, shadow"})));
  EXPECT_TRUE(HasVanished(CleanCheck(), Entry(rule, {"dilated, asan", "dilated, shadow"})));
  EXPECT_FALSE(HasVanished(CleanCheck(), Entry(rule, {"dilated, asan"})));
}

TEST(VanishedFindings, AreSaidOfPartsThatLookedAtAllAlone) {
  const BaselineEntry entry = Entry("read-after-operand", {"faithful, shadow"});
  for (const auto& spoil : std::vector<std::function<void(CheckPart&)>>{
           [](CheckPart& part) { part.report.capped = true; }, [](CheckPart& part) { part.report.finished = false; },
           [](CheckPart& part) { part.status = ExitStatus::kCouldNotRun; },
           [](CheckPart& part) { part.report.operators[0].without_hooks = true; },
           [](CheckPart& part) { part.instrument = FindInstrument("asan"); },
           [](CheckPart& part) { part.layout = "dilated"; }}) {
    std::vector<ModelCheck> checks = CleanCheck();
    spoil(checks[0].result.parts[0]);
    EXPECT_FALSE(HasVanished(checks, entry));
  }
}

TEST(VanishedFindings, AreDifferencesOnlyWhereAllThatDifferedRan) {
  const BaselineEntry entry = Entry(kOutputsDifferRule, {"faithful, shadow", "dilated, shadow"});
  EXPECT_TRUE(HasVanished(CleanCheck(), entry));
  std::vector<ModelCheck> checks = CleanCheck();
  checks[0].result.parts.pop_back();
  EXPECT_FALSE(HasVanished(checks, entry));
}

TEST(VanishedFindings, AreOfTheModelThatTheFileNames) {
  BaselineEntry entry = Entry("read-after-operand", {"faithful, shadow"});
  for (const char* same : {"models/../models/m.tflite", "/elsewhere/m.tflite", "m.tflite"}) {
    entry.model = same;
    EXPECT_TRUE(HasVanished(CleanCheck(), entry)) << same;
  }
  for (const char* other : {"models/n.tflite", "stdin", "/m.tflite/n"}) {
    entry.model = other;
    EXPECT_FALSE(HasVanished(CleanCheck(), entry)) << other;
  }
}

TEST(KnownFindings, AreNoSuccessWhereOperatorsStayedUnseen) {
  const ViolationReport violation = MadeUpRead();
  std::vector<ModelCheck> checks = CleanCheck();
  CheckResult& result = checks[0].result;
  result.parts[0].report.violations = {violation};
  result.parts[0].status = result.status = ExitStatus::kViolations;
  BaselineEntry entry = Entry("read-after-operand", {"faithful, shadow"});
  entry.id = ViolationIdentifier(violation);
  std::vector<ModelCheck> unseen = checks;
  CompareWithBaseline("known.json", {entry}, checks);
  EXPECT_EQ(result.status, ExitStatus::kClean);
  for (CheckPart& part : unseen[0].result.parts) {
    part.report.operators.push_back({.index = 1, .name = "MUL", .kernel = "mine", .invokes = 1, .without_hooks = true});
  }
  CompareWithBaseline("known.json", {entry}, unseen);
  EXPECT_EQ(unseen[0].result.status, ExitStatus::kCouldNotRun);
  EXPECT_FALSE(unseen[0].result.baseline->ended_by_known);
}

}  // namespace
}  // namespace arenaproof
