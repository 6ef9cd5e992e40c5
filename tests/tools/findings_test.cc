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

// As numbers, not as texts; and of one in the order of the parts.
TEST(MergedViolations, AreInTheOrderOfTheirIdentities) {
  const auto read_of = [](std::int64_t subgraph, std::int64_t op, const char* phase) {
    ViolationReport violation = Underread();
    violation.subgraph = subgraph;
    violation.operator_index = op;
    violation.phase = phase;
    return violation;
  };
  CheckResult result;
  result.parts = {PartWith("asan", {read_of(1, 0, "invoke"), read_of(0, 10, "invoke"), read_of(0, 10, "init")}),
                  PartWith("shadow", {read_of(0, 2, "invoke"), read_of(1, 0, "invoke")})};
  // What belongs to the description alone does not part them.
  result.parts[1].report.violations[1].kernel = "other";
  const auto merged = MergeViolations(result);
  ASSERT_EQ(merged.size(), 4u);
  EXPECT_EQ(merged[0].front().violation->operator_index, 2);
  EXPECT_EQ(merged[1].front().violation->phase, "init");
  EXPECT_EQ(merged[2].front().violation->phase, "invoke");
  ASSERT_EQ(merged[3].size(), 2u);
  EXPECT_EQ(merged[3][0].part, &result.parts[0]);
  EXPECT_EQ(merged[3][1].part, &result.parts[1]);
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

// Of what else a refusal says nothing counts: where it would lie differs with the arena.
TEST(Findings, KnowARefusedPlanByItsBuffersAlone) {
  const auto identifier_of = [](const WorkerRefusal& refusal) {
    CheckResult result;
    result.parts = {PartWith("shadow", {})};
    result.parts[0].problem = "refused";
    result.parts[0].report.refusal = refusal;
    return FindingsOf(result).at(0).id;
  };
  struct Places {
    const char* code;
    std::set<std::size_t> buffers;  // which of the numbers are
  };
  for (const Places& one : {Places{"plan_unplaced", {0}},
                            {"plan_outside_head", {0}},
                            {"plan_fixed_moved", {0}},
                            {"plan_shared_bytes", {0, 2}},
                            {"offline_plan_live_overlap", {1, 2}},
                            {"offline_plan_shared_variable", {1, 2}},
                            {"something_new", {0, 1}}}) {
    const WorkerRefusal refusal{.code = one.code, .detail = {10, 11, 12, 13}};
    for (std::size_t i = 0; i < 4; ++i) {
      WorkerRefusal other = refusal;
      other.detail[i] = 99;
      EXPECT_EQ(identifier_of(other) != identifier_of(refusal), one.buffers.contains(i)) << one.code << " " << i;
    }
    EXPECT_EQ(identifier_of({.code = one.code, .detail = {}}).size(), 16u) << "a worker may say less";
  }
}

// A part that found something and then came to no end, or could not run, has no finding of its own in its problem.
TEST(Findings, AreNotMadeOfProblemsThatProveNothing) {
  CheckResult result;
  CheckPart stopped = PartWith("shadow", {Underread()}), failed = PartWith("asan", {});
  stopped.stopped = true;
  stopped.problem = "ended after 1 second";
  failed.status = ExitStatus::kCouldNotRun;
  failed.problem = "no memory";
  result.parts = {stopped, failed};
  const std::vector<Finding> findings = FindingsOf(result);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_STREQ(findings[0].rule->id, "read-before-operand");
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
