#include "tools/command/check_command.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "tools/command/check_report_text.h"
#include "tools/command/progress_line.h"
#include "tools/text/colour.h"
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

std::string ReportOf(const CheckOptions& options, const CheckResult& result) {
  if (options.json) return CheckReportJson(options, result);
  if (options.quiet) return VerdictLine(options, result) + "\n";
  if (!CommonRefusal(result).empty()) return {};
  return options.verbose ? CheckReportText(options, result) : CheckSummaryText(options, result);
}

}  // namespace

ExitStatus CheckCommand(const CheckOptions& asked) {
  CheckOptions options = asked;
  options.colours = ColoursWanted(STDOUT_FILENO);
  const ProgressLine line;
  const CheckResult result =
      RunCheck(options, [&](const std::string& text) { line.Show("checking: " + text + " ..."); });
  ProgressLine::Clear();
  const std::string refusal = CommonRefusal(result);
  std::cout << ReportOf(options, result);
  std::cout.flush();
  std::string sentence = refusal.empty() ? ProblemOfAPart(result) : refusal;
  if (!std::cout) sentence += (sentence.empty() ? "" : "; ") + std::string(kReportNotTaken);
  if (!sentence.empty()) std::cerr << "arenaproof check: " << PrintableSentence(sentence) << "\n";
  return std::cout ? result.status : Worse(result.status, ExitStatus::kCouldNotRun);
}

}  // namespace arenaproof
