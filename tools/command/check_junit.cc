// JUnit's XML, as GitLab and Jenkins read it: a case for each model, instrument and layout.
#include <algorithm>
#include <cstdio>
#include <string_view>

#include "tools/command/baseline.h"
#include "tools/command/check_report_text.h"
#include "tools/command/findings.h"
#include "tools/command/piped_model.h"
#include "tools/command/report_files.h"
#include "tools/text/markup.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

constexpr const char* kSuiteOfTheCall = "arenaproof check";

struct Suite {
  std::string name = {};  // of what is checked
  std::string cases = {};
  int count = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
};

std::string TimeText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  return text;
}

// <failure message="..." type="...">, with lines inside.
std::string Outcome(const char* tag, const std::string& type, const std::string& message,
                    const std::vector<std::string>& lines) {
  std::string text = std::string("      <") + tag + Attribute("message", message);
  if (!type.empty()) text += Attribute("type", type);
  text += ">";
  for (const std::string& line : lines) text += Escaped(line) + "\n";
  return text + "</" + tag + ">\n";
}

void AddCase(Suite& suite, const std::string& name, double seconds, const std::string& outcome) {
  ++suite.count;
  suite.seconds += seconds;
  suite.cases += "    <testcase" + Attribute("classname", suite.name) + Attribute("name", name) +
                 Attribute("time", TimeText(seconds));
  suite.cases += outcome.empty() ? "/>\n" : ">\n" + outcome + "    </testcase>\n";
}

// Of violations those that no baseline knows.
std::string FailureOf(const CheckOptions& options, const CheckResult& result, const CheckPart& part) {
  std::vector<std::string> lines;
  std::vector<const ViolationReport*> fresh;
  for (const ViolationReport& violation : part.report.violations) {
    if (result.baseline && result.baseline->known.contains(ViolationIdentifier(violation))) continue;
    fresh.push_back(&violation);
    lines.push_back(violation.sentence.empty() ? ViolationHeadline({{&part, &violation}}) : violation.sentence);
    for (const std::string& line : violation.map) lines.push_back("  " + line);
    lines.push_back("  identifier: " + ViolationIdentifier(violation));
  }
  if (!part.problem.empty()) lines.push_back(part.problem);
  lines.push_back("reproduce: " + CheckCommandLine(options, part.layout, std::string(part.instrument->name)));
  const std::string message = fresh.empty() ? part.problem
                                            : Counted(static_cast<long long>(fresh.size()), "violation") + ": " +
                                                  ViolationHeadline({{&part, fresh.front()}});
  return Outcome("failure", "violation", message, lines);
}

// Every finding of the part is known; false when it has none.
bool OnlyKnown(const CheckResult& result, const std::vector<Finding>& findings, const CheckPart& part) {
  bool any = false;
  for (const Finding& finding : findings) {
    if (std::find(finding.parts.begin(), finding.parts.end(), &part) == finding.parts.end()) continue;
    if (!IsKnown(result, finding)) return false;
    any = true;
  }
  return any;
}

void AddPart(Suite& suite, const ModelCheck& check, const std::vector<Finding>& findings, const CheckPart& part) {
  const auto& [options, result] = check;
  std::string outcome;
  if (part.status == ExitStatus::kViolations && result.baseline && OnlyKnown(result, findings, part)) {
    outcome = "      <system-out>known and accepted by the baseline</system-out>\n";
  } else if (part.status == ExitStatus::kViolations) {
    outcome = FailureOf(options, result, part);
    ++suite.failures;
  } else if (part.could_not_see) {
    outcome = Outcome("skipped", "", part.problem, {});
    ++suite.skipped;
  } else if (part.status != ExitStatus::kClean) {
    const bool ours = part.status == ExitStatus::kInternalError;
    outcome = Outcome("error", ours ? "internal error" : "could not run", part.problem, LinesOf(part.diagnostics));
    ++suite.errors;
  }
  AddCase(suite, std::string(part.instrument->name) + ", " + part.layout, part.seconds, outcome);
}

Suite SuiteOf(const ModelCheck& check) {
  Suite suite{.name = NameInReports(check.options.model, check.options.file)};
  const auto& [options, result] = check;
  const std::vector<Finding> findings = FindingsOf(result);
  for (const CheckPart& part : result.parts) AddPart(suite, check, findings, part);
  for (std::size_t i = 0; i < result.absent_instruments.size(); ++i) {
    for (const char* layout : {"faithful", "dilated"}) {
      if (options.layout != "both" && options.layout != layout) continue;
      ++suite.skipped;
      AddCase(suite, result.absent_instruments[i] + ", " + layout, 0,
              Outcome("skipped", "", result.not_available[i], {}));
    }
  }
  const bool differ = std::any_of(findings.begin(), findings.end(), [&checked = result](const Finding& one) {
    return one.parts.empty() && !IsKnown(checked, one);
  });
  if (differ) {
    ++suite.failures;
    AddCase(suite, "equal outputs", 0,
            Outcome("failure", "violation", result.output_differences.front(), result.output_differences));
  }
  // What no part shows: nothing could be started, or nothing was seen.
  const bool failed = suite.failures + suite.errors > 0;
  if (result.status >= ExitStatus::kCouldNotRun && !failed) {
    ++suite.errors;
    const std::string why = result.refusal.empty() ? VerdictText(options, result) : result.refusal;
    AddCase(suite, "check", 0, Outcome("error", "could not run", why, {}));
  }
  return suite;
}

// What could not be written.
Suite SuiteOfFiles(const std::string& not_written) {
  Suite suite{.name = kSuiteOfTheCall, .errors = 1};
  AddCase(suite, "files", 0, Outcome("error", "could not run", not_written, {}));
  return suite;
}

std::string CountsOf(const Suite& suite) {
  return Attribute("tests", std::to_string(suite.count)) + Attribute("failures", std::to_string(suite.failures)) +
         Attribute("errors", std::to_string(suite.errors)) + Attribute("skipped", std::to_string(suite.skipped)) +
         Attribute("time", TimeText(suite.seconds));
}

}  // namespace

std::string ChecksJunit(std::span<const ModelCheck> checks, const std::string& not_written) {
  std::vector<Suite> all;
  for (const ModelCheck& check : checks) all.push_back(SuiteOf(check));
  if (!not_written.empty()) all.push_back(SuiteOfFiles(not_written));
  Suite whole{.name = kSuiteOfTheCall};
  std::string suites;
  for (const Suite& suite : all) {
    whole.count += suite.count;
    whole.failures += suite.failures;
    whole.errors += suite.errors;
    whole.skipped += suite.skipped;
    whole.seconds += suite.seconds;
    suites +=
        "  <testsuite" + Attribute("name", suite.name) + CountsOf(suite) + ">\n" + suite.cases + "  </testsuite>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + Attribute("name", whole.name) + CountsOf(whole) +
         ">\n" + suites + "</testsuites>\n";
}

}  // namespace arenaproof
