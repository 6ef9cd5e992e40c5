#include "tools/command/findings.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tools/command/check_report_text.h"
#include "tools/text/json_text.h"
#include "tools/text/names.h"
#include "tools/text/refusal_code.h"
#include "tools/text/sha256.h"

namespace arenaproof {
namespace {

constexpr FindingRule kRules[] = {
    {"read-before-operand", "a kernel reads bytes in front of an operand",
     "The operator's kernel reads up to 64 bytes before one of its operands."},
    {"read-after-operand", "a kernel reads bytes behind an operand",
     "The operator's kernel reads up to 64 bytes after one of its operands."},
    {"read-inside-operand", "a kernel reads an operand that it may only write",
     "The operator's kernel reads bytes of an operand that it has no right to read."},
    {"read-overwritten-input", "a kernel in place reads what it has overwritten",
     "The output shares its bytes with an input, and the kernel reads a byte of the input behind its own write."},
    {"read-far-from-operands", "a kernel reads bytes far from its operands",
     "The operator's kernel reads 64 bytes or more away from all of its operands."},
    {"write-before-operand", "a kernel writes bytes in front of an operand",
     "The operator's kernel writes up to 64 bytes before one of its operands."},
    {"write-after-operand", "a kernel writes bytes behind an operand",
     "The operator's kernel writes up to 64 bytes after one of its operands."},
    {"write-inside-operand", "a kernel writes an operand that it may only read",
     "The operator's kernel writes bytes of an operand that it has no right to write, such as its input."},
    {"write-far-from-operands", "a kernel writes bytes far from its operands",
     "The operator's kernel writes 64 bytes or more away from all of its operands."},
    {"result-differs", "a result depends on bytes that are not the operator's",
     "The operator gave another result, or came to another end, when bytes outside of its operands, or not yet "
     "written, "
     "were others."},
    {"unwritten-bytes", "a kernel uses bytes that nobody has written",
     "The operator left bytes of a result unwritten, or made it, a decision or an address from bytes that nobody has "
     "written."},
    {"kernels-died", "the checked kernels ended their process",
     "The process that ran the checked kernels died of a fault while they ran."},
    {"plan-shares-bytes", "a memory plan lets tensors that are alive together share bytes",
     "The plan was refused before one byte of it was used; docs/offline_plans.md has the rules."},
    {kOutputsDifferRule, "outputs depend on where tensors lie",
     "Instruments or layouts that run the same kernels on the same inputs gave different outputs, so a kernel read "
     "what "
     "it should not."},
};

const FindingRule& RuleNamed(std::string_view id) {
  return *std::find_if(std::begin(kRules), std::end(kRules), [&](const FindingRule& rule) { return rule.id == id; });
}

// Of the rule and what is `named`, in a form that no two lists share.
std::string IdentifierOf(const FindingRule& rule, nlohmann::json named) {
  named.insert(named.begin(), rule.id);
  const std::string text = JsonLine(std::move(named));
  return Sha256Hex({reinterpret_cast<const std::byte*>(text.data()), text.size()}).substr(0, 16);
}

Finding FindingOfPart(const char* rule, const CheckPart& part, nlohmann::json named) {
  return {.rule = &RuleNamed(rule),
          .id = IdentifierOf(RuleNamed(rule), std::move(named)),
          .sentence = PrintableSentence(part.problem),
          .parts = {&part}};
}

// Which kernel ran, and how it ended the process.
nlohmann::json DeathOf(const CheckPart& part) {
  nlohmann::json death = {part.died_how};
  if (part.running.empty()) return death;
  const ActiveOperator& one = part.running.back();
  death.push_back({one.subgraph, one.operator_index, one.name, one.kernel, static_cast<int>(one.phase)});
  return death;
}

// Which of a refusal's numbers are tensors or buffers (core/base/status_codes.inc).
std::vector<std::size_t> PlacesOfBuffers(const std::string& code) {
  const auto is_one_of = [&](std::initializer_list<StatusCode> codes) {
    return std::any_of(codes.begin(), codes.end(), [&](StatusCode one) { return code == RefusalCode(one); });
  };
  if (is_one_of({StatusCode::kOfflinePlanLiveOverlap, StatusCode::kOfflinePlanSharedVariable})) return {1, 2};
  if (is_one_of({StatusCode::kPlanSharedBytes})) return {0, 2};
  if (is_one_of({StatusCode::kPlanUnplaced, StatusCode::kPlanOutsideHead, StatusCode::kPlanFixedMoved})) return {0};
  return {0, 1};
}

// Which rule was broken, by which tensors.
nlohmann::json PlanRefusalOf(const WorkerRefusal& refusal) {
  nlohmann::json named = {refusal.code};
  for (const std::size_t place : PlacesOfBuffers(refusal.code)) {
    if (place < refusal.detail.size()) named.push_back(refusal.detail[place]);
  }
  return named;
}

// Which operators the model has, and whose kernels served them.
nlohmann::json OperatorsOf(const CheckResult& result) {
  nlohmann::json operators = nlohmann::json::array();
  for (const CheckPart& part : result.parts) {
    if (part.report.operators.empty()) continue;
    for (const OperatorSeen& one : part.report.operators) {
      operators.push_back({one.subgraph, one.index, one.name, one.kernel});
    }
    break;
  }
  return operators;
}

}  // namespace

std::span<const FindingRule> FindingRules() { return kRules; }

const FindingRule& RuleOf(const ViolationReport& violation) {
  const bool write = violation.access == "write";
  if (violation.side == "before") return RuleNamed(write ? "write-before-operand" : "read-before-operand");
  if (violation.side == "after") return RuleNamed(write ? "write-after-operand" : "read-after-operand");
  if (violation.side == "inside") return RuleNamed(write ? "write-inside-operand" : "read-inside-operand");
  if (violation.side == "differs") return RuleNamed("result-differs");
  if (violation.side == "unwritten") return RuleNamed("unwritten-bytes");
  if (violation.side == "overwritten") return RuleNamed("read-overwritten-input");
  return RuleNamed(write ? "write-far-from-operands" : "read-far-from-operands");
}

std::string ViolationIdentifier(const ViolationReport& violation) {
  nlohmann::json named = nlohmann::json::array();
  for (const ViolationField& field : kViolationFields) {
    if (field.role == ViolationFieldRole::kDetail) continue;
    UseValue(field, violation, [&](const auto& value) { named.push_back({field.name, value}); });
  }
  return IdentifierOf(RuleOf(violation), std::move(named));
}

std::vector<Finding> FindingsOf(const CheckResult& result) {
  std::vector<Finding> findings;
  for (std::vector<SeenViolation>& seen : MergeViolations(result)) {
    const ViolationReport& violation = *seen.front().violation;
    Finding finding{
        .rule = &RuleOf(violation), .id = ViolationIdentifier(violation), .sentence = ViolationHeadline(seen)};
    for (const SeenViolation& one : seen) finding.parts.push_back(one.part);
    finding.seen = std::move(seen);
    findings.push_back(std::move(finding));
  }
  for (const CheckPart& part : result.parts) {
    if (part.status != ExitStatus::kViolations || part.problem.empty() || part.stopped) continue;
    Finding finding = part.report.refusal
                          ? FindingOfPart("plan-shares-bytes", part, PlanRefusalOf(*part.report.refusal))
                          : FindingOfPart("kernels-died", part, DeathOf(part));
    const auto same =
        std::find_if(findings.begin(), findings.end(), [&](const Finding& one) { return one.id == finding.id; });
    if (same == findings.end()) {
      findings.push_back(std::move(finding));
    } else {
      same->parts.push_back(&part);
    }
  }
  if (!result.output_differences.empty()) {
    const FindingRule& rule = RuleNamed(kOutputsDifferRule);
    findings.push_back({.rule = &rule,
                        .id = IdentifierOf(rule, OperatorsOf(result)),
                        .sentence = OutputsDifferText(result.output_differences.front())});
  }
  return findings;
}

}  // namespace arenaproof
