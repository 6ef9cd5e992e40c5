// Findings and their identifiers: equal for the same bug wherever it is seen, different for different bugs.
#include "tools/command/findings.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/tools/made_up_parts.h"

namespace arenaproof {
namespace {

ViolationReport Underread() {
  ViolationReport violation;
  violation.operator_index = 3;
  violation.operator_name = "FULLY_CONNECTED";
  violation.kernel = "mine";
  violation.phase = "invoke";
  violation.operand_kind = "input";
  violation.operand_index = 7;
  violation.operand_name = "x";
  violation.operand_bytes = 20;
  violation.access = "read";
  violation.side = "before";
  return violation;
}

CheckPart PartWith(const char* instrument, const std::vector<ViolationReport>& violations) {
  CheckPart part = MadeUpPart(instrument, "dilated", ExitStatus::kViolations);
  part.report.violations = violations;
  return part;
}

// They are in baselines that people keep.
TEST(FindingIdentifiers, StayAsTheyAre) { EXPECT_EQ(ViolationIdentifier(Underread()), "6bb0df0288b6df39"); }

TEST(FindingIdentifiers, DoNotDependOnWhatInstrumentsAndLayoutsSayDifferently) {
  ViolationReport other = Underread();
  other.distance_bytes = 12;
  other.min_width_bytes = other.max_width_bytes = 16;
  other.count = 5;
  other.lowest_touched = -12;
  other.state = "a gap";
  other.reserve = "contained";
  other.map = {"map"};
  other.step = 4;
  EXPECT_EQ(ViolationIdentifier(other), ViolationIdentifier(Underread()));
}

TEST(FindingIdentifiers, DifferForDifferentBugs) {
  const std::vector<std::function<void(ViolationReport&)>> changes = {
      [](ViolationReport&) {},
      [](ViolationReport& one) { one.subgraph = 1; },
      [](ViolationReport& one) { one.operator_index = 4; },
      [](ViolationReport& one) { one.operator_name = "CONV_2D"; },
      [](ViolationReport& one) { one.kernel = "yours"; },
      [](ViolationReport& one) { one.phase = "prepare"; },
      [](ViolationReport& one) { one.operand_kind = "output"; },
      [](ViolationReport& one) { one.operand_index = 8; },
      [](ViolationReport& one) { one.operand_name = "y"; },
      [](ViolationReport& one) { one.operand_bytes = 24; },
      [](ViolationReport& one) { one.access = "write"; },
      [](ViolationReport& one) { one.side = "after"; },
      // Nothing slips from one field into the next.
      [](ViolationReport& one) { one.operator_name = "FULLY_CONNECTED\",[\"kernel\",\"mine\"]"; },
  };
  std::set<std::string> identifiers;
  for (const auto& change : changes) {
    ViolationReport violation = Underread();
    change(violation);
    identifiers.insert(ViolationIdentifier(violation));
  }
  EXPECT_EQ(identifiers.size(), changes.size());
}

TEST(Findings, AreOneForWhatSeveralPartsSee) {
  CheckResult result;
  result.parts = {PartWith("shadow", {Underread()}), PartWith("asan", {Underread()})};
  CheckPart died = PartWith("shadow", {});
  died.kernels_died = true;
  died.problem = "the child died";
  result.parts.push_back(died);
  result.parts.push_back(died);
  result.output_differences = {"output 0 differs"};
  const std::vector<Finding> findings = FindingsOf(result);
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].parts.size(), 2u);
  EXPECT_STREQ(findings[0].rule->id, "read-before-operand");
  EXPECT_STREQ(findings[1].rule->id, "kernels-died");
  EXPECT_EQ(findings[1].parts.size(), 2u);
  EXPECT_STREQ(findings[2].rule->id, "outputs-differ");
}

CheckPart Died(const std::string& how, const ActiveOperator& running) {
  CheckPart part = PartWith("shadow", {});
  part.kernels_died = true;
  part.problem = "the child died";
  part.died_how = how;
  part.running = {running};
  return part;
}

TEST(Findings, TellDeathsApartByKernelPhaseAndSignal) {
  const ActiveOperator add{OperatorPhase::kInvoke, 0, 3, "ADD", "mine"};
  CheckResult result;
  result.parts = {Died("signal 11 invoke of ADD", add), Died("signal 8 invoke of ADD", add)};
  for (const auto& change :
       {+[](ActiveOperator& one) { one.kernel = "yours"; }, +[](ActiveOperator& one) { one.operator_index = 4; },
        +[](ActiveOperator& one) { one.subgraph = 1; }, +[](ActiveOperator& one) { one.name = "MUL"; },
        +[](ActiveOperator& one) { one.phase = OperatorPhase::kPrepare; }}) {
    ActiveOperator other = add;
    change(other);
    result.parts.push_back(Died("signal 11 invoke of ADD", other));
  }
  EXPECT_EQ(FindingsOf(result).size(), result.parts.size());
}

TEST(Findings, TellRefusedPlansApartByRuleAndTensors) {
  CheckResult result;
  for (const WorkerRefusal& refusal :
       {WorkerRefusal{.code = "offline_plan_live_overlap", .detail = {0, 1, 2, 16}},
        WorkerRefusal{.code = "offline_plan_live_overlap", .detail = {7, 1, 2, 48}},
        WorkerRefusal{.code = "plan_shared_bytes", .detail = {1, 0, 2, 0}},
        WorkerRefusal{.code = "plan_shared_bytes", .detail = {1, 16, 2, 16}},
        WorkerRefusal{.code = "plan_shared_bytes", .detail = {1, 0, 3, 0}},
        WorkerRefusal{.code = "offline_plan_live_overlap", .detail = {0, 1, 3, 16}},
        WorkerRefusal{.code = "offline_plan_shared_variable", .detail = {0, 1, 2, 16}}}) {
    CheckPart part = PartWith("shadow", {});
    part.problem = "refused";
    part.report.refusal = refusal;
    // Both layouts refuse the plan of the device.
    result.parts.push_back(part);
    part.layout = "faithful";
    result.parts.push_back(part);
  }
  const std::vector<Finding> findings = FindingsOf(result);
  ASSERT_EQ(findings.size(), 5u);
  for (const Finding& finding : findings) EXPECT_GE(finding.parts.size(), 2u);
}

TEST(Findings, TellDifferencesApartByOperatorsAndKernels) {
  const OperatorSeen add{.index = 0, .subgraph = 0, .name = "ADD", .kernel = "mine"};
  const auto identifier_with = [](const OperatorSeen& one) {
    CheckResult result;
    result.parts = {PartWith("shadow", {})};
    result.parts[0].status = ExitStatus::kClean;
    result.parts[0].report.operators = {one};
    result.output_differences = {"output 0 differs"};
    return FindingsOf(result).at(0).id;
  };
  EXPECT_EQ(identifier_with(add), identifier_with(add));
  for (const auto& change :
       {+[](OperatorSeen& one) { one.kernel = "yours"; }, +[](OperatorSeen& one) { one.name = "MUL"; },
        +[](OperatorSeen& one) { one.index = 1; }, +[](OperatorSeen& one) { one.subgraph = 1; }}) {
    OperatorSeen other = add;
    change(other);
    EXPECT_NE(identifier_with(add), identifier_with(other));
  }
}

// What a worker says may be any word.
TEST(Findings, HaveARuleForEveryWord) {
  std::set<std::string> rules;
  for (const char* access : {"read", "write", "", "else"}) {
    for (const char* side : {"before", "after", "inside", "far", "overwritten", "differs", "unwritten", "", "else"}) {
      ViolationReport violation;
      violation.access = access;
      violation.side = side;
      rules.insert(RuleOf(violation).id);
    }
  }
  EXPECT_EQ(rules.size(), 11u);
}

}  // namespace
}  // namespace arenaproof
