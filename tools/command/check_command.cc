#include "tools/command/check_command.h"

#include <algorithm>
#include <iostream>

#include "tools/command/progress_line.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

// When every child was refused for the same reason there is nothing to report but that.
std::string CommonRefusal(const CheckResult& result) {
  if (!result.refusal.empty()) return result.refusal;
  if (result.parts.empty()) return {};
  const std::string& first = result.parts.front().problem;
  const bool common = std::all_of(result.parts.begin(), result.parts.end(), [&](const CheckPart& part) {
    return part.status == ExitStatus::kCouldNotRun && part.problem == first;
  });
  return common ? first : std::string();
}

}  // namespace

ExitStatus CheckCommand(const CheckOptions& options) {
  const ProgressLine line;
  const CheckResult result =
      RunCheck(options, [&](const std::string& text) { line.Show("checking: " + text + " ..."); });
  ProgressLine::Clear();
  const std::string refusal = CommonRefusal(result);
  if (!refusal.empty()) std::cerr << "arenaproof check: " << PrintableSentence(refusal) << "\n";
  // A report of parts that ran is still no report of all that was asked for.
  for (const CheckPart& part : result.parts) {
    if (!refusal.empty() || part.status < ExitStatus::kCouldNotRun || part.status != result.status) continue;
    std::cerr << "arenaproof check: " << part.instrument->name << " over the " << part.layout
              << " layout: " << PrintableSentence(part.problem) << "\n";
    break;
  }
  // A refused plan is a violation, reported as such; its sentence goes where other commands write theirs, too.
  for (const CheckPart& part : result.parts) {
    if (part.status != ExitStatus::kViolations || !part.report.refusal) continue;
    std::cerr << "arenaproof check: " << PrintableSentence(part.problem) << "\n";
    break;
  }
  if (options.json) {
    std::cout << CheckReportJson(options, result);
  } else if (refusal.empty()) {
    std::cout << CheckReportText(options, result);
  }
  std::cout.flush();
  if (std::cout) return result.status;
  std::cerr << "arenaproof check: " << kReportNotTaken << "\n";
  return Worse(result.status, ExitStatus::kCouldNotRun);
}

}  // namespace arenaproof
