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
    return part.status == ExitStatus::kCouldNotRun && !part.could_not_see && part.problem == first;
  });
  return common ? first : std::string();
}

// Of the parts that ended worst; empty when they found violations of the kernels' or none. A report of parts that ran
// is no report of all that was asked for, and of a refused plan other commands write a sentence too.
std::string ProblemOfAPart(const CheckResult& result) {
  for (const CheckPart& part : result.parts) {
    if (part.status != result.status) continue;
    if (part.could_not_see) return part.problem;
    if (part.status >= ExitStatus::kCouldNotRun) {
      return std::string(part.instrument->name) + " over the " + part.layout + " layout: " + part.problem;
    }
    if (part.status == ExitStatus::kViolations && part.report.refusal) return part.problem;
  }
  return {};
}

}  // namespace

ExitStatus CheckCommand(const CheckOptions& options) {
  const ProgressLine line;
  const CheckResult result =
      RunCheck(options, [&](const std::string& text) { line.Show("checking: " + text + " ..."); });
  ProgressLine::Clear();
  const std::string refusal = CommonRefusal(result);
  if (options.json) {
    std::cout << CheckReportJson(options, result);
  } else if (refusal.empty()) {
    std::cout << CheckReportText(options, result);
  }
  std::cout.flush();
  std::string sentence = refusal.empty() ? ProblemOfAPart(result) : refusal;
  if (!std::cout) sentence += (sentence.empty() ? "" : "; ") + std::string(kReportNotTaken);
  if (!sentence.empty()) std::cerr << "arenaproof check: " << PrintableSentence(sentence) << "\n";
  return std::cout ? result.status : Worse(result.status, ExitStatus::kCouldNotRun);
}

}  // namespace arenaproof
