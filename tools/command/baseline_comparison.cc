#include "tools/command/baseline_comparison.h"

#include <algorithm>
#include <filesystem>
#include <utility>

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

// What it puts out was compared with the others'.
bool CameToItsEnd(const CheckResult& result, const std::string& part_name) {
  return std::any_of(result.parts.begin(), result.parts.end(), [&](const CheckPart& part) {
    return PartName(part) == part_name && part.report.finished &&
           (part.status <= ExitStatus::kViolations || part.could_not_see);
  });
}

// Accesses are reported by each part that sees them; outputs are compared between all of them.
bool LookedFor(const CheckResult& result, const BaselineEntry& entry) {
  if (entry.rule == kOutputsDifferRule) {
    return std::all_of(entry.parts.begin(), entry.parts.end(),
                       [&](const std::string& part) { return CameToItsEnd(result, part); });
  }
  return std::any_of(entry.parts.begin(), entry.parts.end(),
                     [&](const std::string& part) { return LookedAtAllAs(result, part); });
}

// How many of their last names are the same: 2 of "a/b/m.tflite" and "b/m.tflite".
std::size_t CommonEnd(const std::filesystem::path& a, const std::filesystem::path& b) {
  const std::vector<std::filesystem::path> names(a.begin(), a.end()), others(b.begin(), b.end());
  const auto [end, other] = std::mismatch(names.rbegin(), names.rend(), others.rbegin(), others.rend());
  return static_cast<std::size_t>(end - names.rbegin());
}

// The check of the model that the entry names, or else of the one whose path ends most as that does, at least with the
// same file name; the end where there is none, or more than one.
std::span<ModelCheck>::iterator CheckOf(const BaselineEntry& entry, std::span<ModelCheck> checks) {
  auto likely = checks.end();
  std::size_t most = 0;
  bool several = false;
  for (auto check = checks.begin(); check != checks.end(); ++check) {
    // As it is written in the file, and as it is.
    const std::string model = NameInReports(check->options.model, check->options.file);
    const std::string written = PrintableSentence(model);
    if (written == entry.model || (model != kPipeInReports && SameFile(model, entry.model))) return check;
    const std::size_t common = CommonEnd(written, entry.model);
    if (common == 0 || common < most) continue;
    several = common == most;
    most = common;
    likely = check;
  }
  return several ? checks.end() : likely;
}

// All that was found is known: that is clean, where all was looked at and nothing ended a part.
void AcceptKnown(CheckResult& result) {
  BaselineComparison& comparison = *result.baseline;
  if (result.status != ExitStatus::kViolations || !comparison.fresh.empty() || comparison.known.empty()) return;
  comparison.ended_by_known = std::any_of(result.parts.begin(), result.parts.end(), [](const CheckPart& part) {
    return part.status == ExitStatus::kViolations && !part.stopped && !part.report.finished;
  });
  const bool all_looked_at = !comparison.ended_by_known && !CameToNoEnd(result) && !LeftUnseen(result);
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
    if (found.contains(entry.id)) continue;
    const auto named = CheckOf(entry, checks);
    const bool vanished = named != checks.end() && LookedFor(named->result, entry);
    BaselineComparison& comparison = *(named == checks.end() ? checks.front() : *named).result.baseline;
    (vanished ? comparison.vanished : comparison.not_looked_for).push_back(entry);
  }
}

std::string EndedByKnown(const CheckResult& result) {
  if (!result.baseline || !result.baseline->ended_by_known) return {};
  return "a finding that the baseline accepts ended a part of the check, and what comes behind it was not looked at; "
         "without --baseline it is a violation";
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
