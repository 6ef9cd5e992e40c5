#include "tools/command/checks_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include "tools/command/baseline.h"
#include "tools/command/check_report_text.h"
#include "tools/text/colour.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

std::string ResultText(const ModelCheck& check) {
  switch (check.result.status) {
    case ExitStatus::kClean:
      return check.options.instrument == "none" ? "not checked" : "clean";
    case ExitStatus::kViolations:
      return "violations";
    case ExitStatus::kCouldNotRun:
      return "could not run";
    case ExitStatus::kInternalError:
      return "internal error";
  }
  return {};
}

// The first of the findings, or why there is no answer, or how far there is one.
std::string DetailText(const ModelCheck& check) {
  const CheckResult& result = check.result;
  if (result.status == ExitStatus::kViolations) {
    const std::vector<Finding> findings = NewFindingsOf(result);
    std::string text = findings.front().sentence;
    if (findings.size() > 1) text += "; " + std::to_string(findings.size() - 1) + " more";
    return text;
  }
  const std::string problem = ProblemOf(result);
  return problem.empty() ? VerdictText(check.options, result) : PrintableSentence(problem);
}

}  // namespace

std::string ChecksVerdictLine(std::span<const ModelCheck> checks) {
  const auto count = [&](ExitStatus status) {
    return std::count_if(checks.begin(), checks.end(),
                         [&](const ModelCheck& one) { return one.result.status == status; });
  };
  const bool unwatched = checks.front().options.instrument == "none";
  std::string text;
  const auto add = [&](ExitStatus status, const char* what) {
    if (const auto number = count(status); number > 0) {
      text += (text.empty() ? "" : ", ") + std::to_string(number) + " " + what;
    }
  };
  add(ExitStatus::kClean, unwatched ? "not checked" : "clean");
  add(ExitStatus::kViolations, "with violations");
  add(ExitStatus::kCouldNotRun, "could not run");
  add(ExitStatus::kInternalError, "with an internal error");
  text = Counted(static_cast<long long>(checks.size()), "model") + ": " + text;
  return checks.front().options.colours ? InColour(text, ColourOf(StatusOf(checks), unwatched)) : text;
}

std::string ChecksText(std::span<const ModelCheck> checks) {
  TextTable table({"model", "result", "details"});
  for (const ModelCheck& check : checks) {
    table.AddRow({Printable(check.options.model), ResultText(check), DetailText(check)});
  }
  std::string text = ChecksVerdictLine(checks) + "\n" + table.Text(2);
  for (const ModelCheck& check : checks) {
    const std::string line = BaselineLine(check.result);
    if (line.empty()) continue;
    text += "  baseline, " + Printable(check.options.model) + ": " + PrintableSentence(line) + "\n";
  }
  return text;
}

}  // namespace arenaproof
