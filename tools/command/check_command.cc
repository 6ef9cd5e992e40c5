#include "tools/command/check_command.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "tools/command/check_report_text.h"
#include "tools/command/model_check.h"
#include "tools/command/progress_line.h"
#include "tools/command/report_delivery.h"
#include "tools/command/report_files.h"
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
  if (const std::string wrong = WrongReportFiles(asked.reports); !wrong.empty()) {
    return Complain(PrintableSentence(wrong));
  }
  ModelCheck check{asked, {}};
  check.options.colours = ColoursWanted(STDOUT_FILENO);
  const ProgressLine line;
  check.result = RunCheck(check.options, [&](const std::string& text) { line.Show("checking: " + text + " ..."); });
  ProgressLine::Clear();
  const CheckResult& result = check.result;
  std::cout << ReportOf(check.options, result) << std::flush;
  std::vector<std::string> sentences;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) sentences.push_back(sentence);
  };
  const std::string refusal = CommonRefusal(result);
  add(refusal.empty() ? ProblemOfAPart(result) : refusal);
  const std::string not_written = WriteReportFiles(asked.reports, std::span(&check, 1));
  add(not_written);
  if (!std::cout) add(kReportNotTaken);
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
  if (!text.empty()) std::cerr << "arenaproof check: " << PrintableSentence(text) << "\n";
  const bool delivered = std::cout && not_written.empty();
  return delivered ? result.status : Worse(result.status, ExitStatus::kCouldNotRun);
}

}  // namespace arenaproof
