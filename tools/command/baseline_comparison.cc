#include "tools/command/baseline_comparison.h"

#include <algorithm>
#include <filesystem>

#include "tools/command/baseline.h"
#include "tools/command/check_report_text.h"
#include "tools/command/files_of_call.h"
#include "tools/command/piped_model.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

// The part looked at all that it looks at, so that what it does not report is not there.
bool LookedAtAll(const CheckPart& part) {
  const auto& operators = part.report.operators;
  return part.status <= ExitStatus::kViolations && part.report.finished && !part.report.capped &&
         std::none_of(operators.begin(), operators.end(), [](const OperatorSeen& one) { return one.without_hooks; });
}

bool LookedAtAllAs(const CheckResult& result, const std::string& part_name) {
  return std::any_of(result.parts.begin(), result.parts.end(),
                     [&](const CheckPart& part) { return PartName(part) == part_name && LookedAtAll(part); });
}

// Accesses are reported by each part that sees them; outputs are compared between all of them.
bool LookedFor(const CheckResult& result, const BaselineEntry& entry) {
  const auto looked = [&](const std::string& part) { return LookedAtAllAs(result, part); };
  return entry.rule == kOutputsDifferRule ? std::all_of(entry.parts.begin(), entry.parts.end(), looked)
                                          : std::any_of(entry.parts.begin(), entry.parts.end(), looked);
}

// The check of the model that the entry names, or of one with the same file name in another folder; else the end.
std::span<ModelCheck>::iterator CheckOf(const BaselineEntry& entry, std::span<ModelCheck> checks) {
  const auto find = [&](const auto& is_it) {
    return std::find_if(checks.begin(), checks.end(),
                        [&](const ModelCheck& check) { return is_it(NameInReports(check.options.model)); });
  };
  const auto same =
      find([&](const std::string& model) { return model == entry.model || SameFile(model, entry.model); });
  if (same != checks.end()) return same;
  const std::filesystem::path name = std::filesystem::path(entry.model).filename();
  return find([&](const std::string& model) { return std::filesystem::path(model).filename() == name; });
}

// All that was found is known: that is clean, where all was looked at and nothing ended a part.
void AcceptKnown(CheckResult& result) {
  BaselineComparison& comparison = *result.baseline;
  if (result.status != ExitStatus::kViolations || !comparison.fresh.empty() || comparison.known.empty()) return;
  comparison.ended_by_known = std::any_of(result.parts.begin(), result.parts.end(), [](const CheckPart& part) {
    return part.status == ExitStatus::kViolations && !part.report.finished;
  });
  const bool all_looked_at = !comparison.ended_by_known && !LeftUnseen(result);
  result.status = all_looked_at ? ExitStatus::kClean : ExitStatus::kCouldNotRun;
}

}  // namespace

void CompareWithBaseline(const std::string& path, const std::vector<BaselineEntry>& entries,
                         std::span<ModelCheck> checks) {
  std::set<std::string> accepted, found;
  for (const BaselineEntry& entry : entries) accepted.insert(entry.id);
  for (ModelCheck& check : checks) {
    BaselineComparison& comparison = check.result.baseline.emplace();
    comparison.file = path;
    for (const Finding& finding : FindingsOf(check.result)) {
      found.insert(finding.id);
      if (accepted.contains(finding.id)) {
        comparison.known.insert(finding.id);
      } else {
        comparison.fresh.push_back(finding.id);
      }
    }
    AcceptKnown(check.result);
  }
  for (const BaselineEntry& entry : entries) {
    if (!found.insert(entry.id).second) continue;
    const auto named = CheckOf(entry, checks);
    const bool vanished = named != checks.end() && LookedFor(named->result, entry);
    BaselineComparison& comparison = *(named == checks.end() ? checks.front() : *named).result.baseline;
    (vanished ? comparison.vanished : comparison.not_looked_for).push_back(entry);
  }
}

bool IsKnown(const CheckResult& result, const Finding& finding) {
  return result.baseline && result.baseline->known.contains(finding.id);
}

std::vector<Finding> NewFindingsOf(const CheckResult& result) {
  std::vector<Finding> findings = FindingsOf(result);
  std::erase_if(findings, [&](const Finding& finding) { return IsKnown(result, finding); });
  return findings;
}

std::string BaselineLine(const CheckResult& result) {
  if (!result.baseline) return {};
  const BaselineComparison& comparison = *result.baseline;
  std::string text = std::to_string(comparison.known.size()) + " known and accepted, " +
                     std::to_string(comparison.fresh.size()) + " new, " + std::to_string(comparison.vanished.size()) +
                     " vanished";
  if (!comparison.vanished.empty()) {
    text += ", such as " + comparison.vanished.front().id + " (" + comparison.vanished.front().sentence + ")";
  }
  if (comparison.not_looked_for.empty()) return text;
  return text + "; " + std::to_string(comparison.not_looked_for.size()) +
         " not looked for, because nothing that found them ran to its end on their models";
}

}  // namespace arenaproof
