#include "tools/command/check_command.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <iostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tools/command/baseline.h"
#include "tools/command/check_report_text.h"
#include "tools/command/checks_text.h"
#include "tools/command/files_of_call.h"
#include "tools/command/model_check.h"
#include "tools/command/named_models.h"
#include "tools/command/parts_run.h"
#include "tools/command/piped_model.h"
#include "tools/command/progress_line.h"
#include "tools/command/report_delivery.h"
#include "tools/command/report_files.h"
#include "tools/command/written_file.h"
#include "tools/model/model_file.h"
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

std::string ProblemByName(const CheckPart& part) {
  return std::string(part.instrument->name) + " over the " + part.layout + " layout: " + part.problem;
}

// Of the parts that ended worst; empty when they found violations of the kernels' or none. A report of parts that ran
// is no report of all that was asked for, and of a refused plan other commands write a sentence too.
std::string ProblemOfAPart(const CheckResult& result) {
  for (const CheckPart& part : result.parts) {
    if (part.status != result.status) continue;
    if (part.could_not_see) return part.problem;
    if (part.status >= ExitStatus::kCouldNotRun) {
      return ProblemByName(part);
    }
    if (part.status == ExitStatus::kViolations && (part.report.refusal || part.stopped)) return part.problem;
  }
  for (const CheckPart& part : result.parts) {
    if (part.stopped || (part.status == ExitStatus::kCouldNotRun && !part.could_not_see)) return ProblemByName(part);
  }
  return {};
}

std::string TextOf(const CheckOptions& options, const CheckResult& result) {
  if (options.quiet) return VerdictLine(options, result) + "\n";
  if (!CommonRefusal(result).empty()) return {};
  return options.verbose ? CheckReportText(options, result) : CheckSummaryText(options, result);
}

std::string ReportOf(const CheckOptions& options, std::span<const ModelCheck> checks, const std::string& not_written) {
  if (options.json) return ChecksJson(checks, not_written);
  if (checks.size() == 1) return TextOf(checks.front().options, checks.front().result);
  if (options.quiet) return ChecksVerdictLine(checks) + "\n";
  std::string text;
  for (const ModelCheck& check : checks) {
    if (options.verbose && CommonRefusal(check.result).empty()) {
      text += CheckReportText(check.options, check.result) + "\n";
    }
  }
  return text + ChecksText(checks);
}

// Keeps what comes through a pipe: workers read it from there.
std::string ReadPipe(CheckOptions& options, std::deque<PipedModel>& pipes) {
  if (!PipedModel::Is(options.model)) return {};
  PipedModel& pipe = pipes.emplace_back();
  std::string problem = pipe.Read(options.model, {std::chrono::seconds(options.time_limit_seconds), kMaxModelFileBytes,
                                                  "check", "; --time-limit=SECONDS allows more"});
  if (problem.empty()) options.file = pipe.path();
  return problem;
}

std::vector<ModelCheck> CheckAll(const CheckCall& call, const CheckOptions& options,
                                 const std::vector<NamedModel>& models) {
  std::vector<ModelCheck> checks;
  std::deque<PipedModel> pipes;
  for (const NamedModel& model : models) {
    ModelCheck& check = checks.emplace_back(options, CheckResult());
    check.options.model = model.path;
    const std::string problem = model.problem.empty() ? ReadPipe(check.options, pipes) : model.problem;
    check.result = problem.empty() ? AskedParts(check.options) : RefusedCheck(problem);
  }
  const ProgressLine line;
  PartsRun run(PartsAtATime(call.parts_at_a_time));
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const std::string number = checks.size() == 1 ? ""
                                                  : Printable(models[i].path) + " (model " + std::to_string(i + 1) +
                                                        " of " + std::to_string(checks.size()) + "), ";
    run.Add(checks[i].options, checks[i].result.parts,
            [&line, number](const std::string& text) { line.Show("checking: " + number + text + " ..."); });
  }
  run.Run();
  for (ModelCheck& check : checks) Conclude(check.options, check.result);
  return checks;
}

// A baseline may be brought up to date in its place: it is read before anything runs.
std::string OverwrittenFiles(const CheckCall& call, std::span<const NamedModel> models) {
  FilesOfCall files;
  files.WritesStandardOutputs();
  for (const NamedModel& model : models) files.ReadsPiped("MODEL", model.path);
  files.ReadsTensors("--input", call.options.inputs);
  files.ReadsKernels(call.options);
  files.ReadsPlanOf(call.options.planner);
  files.Reads("--baseline", call.baseline, "--write-baseline");
  for (const std::string& report : call.reports) files.Writes("--report", report);
  files.Writes("--write-baseline", call.write_baseline);
  return files.Overwritten();
}

// What is wrong with the files of baselines, before anything is checked; the known findings otherwise.
std::string WrongBaselines(const CheckCall& call, std::vector<BaselineEntry>* known) {
  if (!call.write_baseline.empty()) {
    if (const std::string problem = WhyNotWritable(call.write_baseline); !problem.empty()) {
      return "--write-baseline: " + problem;
    }
  }
  return call.baseline.empty() ? std::string() : ReadBaseline(call.baseline, known);
}

// Empty, or why it is not there.
std::string WriteBaseline(const std::string& path, std::span<const ModelCheck> checks, bool undecided) {
  if (path.empty()) return {};
  const std::string text = undecided ? std::string() : BaselineText(checks);
  const std::string problem = undecided ? "'" + path + "' is not written, because not everything ran"
                                        : WriteWholeFile(path, std::as_bytes(std::span(text)));
  return problem.empty() ? problem : "--write-baseline: " + problem;
}

// One line for each model without an answer; of one model one line with everything that went wrong.
void PrintSentences(std::span<const ModelCheck> checks, const std::string& lost) {
  std::vector<std::string> sentences;
  for (const ModelCheck& check : checks) {
    const std::string problem = ProblemOf(check.result);
    if (problem.empty()) continue;
    const std::string name = "'" + check.options.model + "'";
    const bool named = checks.size() == 1 || problem.find(name) != std::string::npos;
    sentences.push_back(named ? problem : name + ": " + problem);
  }
  if (!lost.empty() && checks.size() == 1 && !sentences.empty()) {
    sentences.front() += "; " + lost;
  } else if (!lost.empty()) {
    sentences.push_back(lost);
  }
  for (const std::string& sentence : sentences) {
    std::cerr << "arenaproof check: " << PrintableSentence(sentence) << "\n";
  }
}

// Standard output first: what it did not take stands in the files. What could not be written before is in both.
void HandOver(const CheckCall& call, std::span<const ModelCheck> checks, const std::string& text,
              std::string* not_written) {
  std::cout << text << std::flush;
  if (!std::cout) AddSentence(kReportNotTaken, not_written);
  WriteReportFiles(call.reports, checks, not_written);
}

// Nothing is checked, and the reports say why: one may be all that is looked at.
ExitStatus RefuseAll(const CheckCall& call, const std::vector<NamedModel>& models, const std::string& problem) {
  std::vector<ModelCheck> checks;
  for (const NamedModel& model : models) {
    ModelCheck& check = checks.emplace_back(call.options, RefusedCheck(problem, ToolRefusal::kBaselineUnusable));
    check.options.model = model.path;
  }
  std::string not_written;
  HandOver(call, checks, call.options.json ? ChecksJson(checks) : std::string(), &not_written);
  std::string sentences = problem;
  AddSentence(not_written, &sentences);
  return Complain(PrintableSentence(sentences));
}

}  // namespace

std::string ProblemOf(const CheckResult& result) {
  const std::string refusal = CommonRefusal(result);
  if (!refusal.empty()) return refusal;
  const std::string ended = EndedByKnown(result);
  return ended.empty() ? ProblemOfAPart(result) : ended;
}

ExitStatus CheckCommand(const CheckCall& call) {
  if (const std::string wrong = WrongReportFiles(call.reports); !wrong.empty()) {
    return Complain(PrintableSentence(wrong));
  }
  const std::vector<NamedModel> models = ModelsNamed(call.models);
  if (const std::string wrong = OverwrittenFiles(call, models); !wrong.empty()) {
    return Complain(PrintableSentence(wrong));
  }
  std::vector<BaselineEntry> known;
  if (const std::string wrong = WrongBaselines(call, &known); !wrong.empty()) return RefuseAll(call, models, wrong);
  CheckOptions options = call.options;
  options.colours = ColoursWanted(STDOUT_FILENO);
  std::vector<ModelCheck> checks = CheckAll(call, options, models);
  const bool undecided =
      StatusOf(checks) >= ExitStatus::kCouldNotRun ||
      std::any_of(checks.begin(), checks.end(), [](const ModelCheck& check) { return CameToNoEnd(check.result); });
  if (!call.baseline.empty()) CompareWithBaseline(call.baseline, known, checks);
  std::string not_written = WriteBaseline(call.write_baseline, checks, undecided);
  HandOver(call, checks, ReportOf(options, checks, not_written), &not_written);
  PrintSentences(checks, not_written);
  return StatusOf(checks, not_written);
}

}  // namespace arenaproof
