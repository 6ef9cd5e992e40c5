#include "tools/command/model_command.h"

#include <chrono>
#include <filesystem>
#include <iostream>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "tools/command/child_end.h"
#include "tools/command/child_guard.h"
#include "tools/command/child_process.h"
#include "tools/command/command_line.h"
#include "tools/command/files_of_call.h"
#include "tools/command/library_end.h"
#include "tools/command/piped_model.h"
#include "tools/command/progress_line.h"
#include "tools/command/report_delivery.h"
#include "tools/command/run_outputs.h"
#include "tools/command/running_text.h"
#include "tools/kernel_library/chosen_kernels.h"
#include "tools/model/model_file.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

// A refusal, with its line break, whose report was lost too: still one sentence.
std::string AndReportNotTaken(std::string refusal) {
  if (refusal.ends_with('\n')) refusal.pop_back();
  return refusal + "; " + kReportNotTaken + "\n";
}

// Names the limit of a shell under which the host has no memory.
void NameMemoryLimit(const RefusalFacts& refused, std::string& problem) {
  if (refused.code != RefusalCode(StatusCode::kLayoutMemory)) return;
  if (const std::string limit = MemoryLimitOfShell(ChildLimits().memory_bytes); !limit.empty()) problem += "; " + limit;
}

// A sentence when what is written would take the place of a model on standard input, or of a file that takes what is
// printed: a child has neither. In a folder all that have the names of outputs may be written.
std::string OverwrittenStandardFiles(const ModelCommand& asked) {
  FilesOfCall files;
  files.WritesStandardOutputs();
  files.ReadsPiped("MODEL", asked.model, "--embed");  // a model may get its plan in place
  std::error_code error;
  if (!std::filesystem::is_directory(asked.output, error)) files.Writes(asked.output_option, asked.output);
  for (const auto& entry : std::filesystem::directory_iterator(asked.output, error)) {
    const std::string name = entry.path().filename();
    const bool output = name.starts_with("output_") && (name.ends_with(".bin") || name.ends_with(".bin.part"));
    if (output) files.Writes(asked.output_option, entry.path());
  }
  return files.Overwritten();
}

// Of a file that could not be loaded.
RefusalFacts RefusedFile(const ModelFile& file) { return {.code = file.refusal_code()}; }

// Tells the child of pipes that were read. Empty, or why one was not.
std::string ReadPipes(const ModelCommand& asked, PipedModel& model, PipedModel& plan,
                      std::vector<std::string>& command) {
  const auto read = [&](const std::string& path, std::size_t most_bytes, const char* word, PipedModel& pipe) {
    if (most_bytes == 0 || !PipedModel::Is(path)) return std::string();
    std::string problem = pipe.Read(path, {std::chrono::seconds(asked.time_limit_seconds), most_bytes, asked.name, ""});
    if (problem.empty()) command.insert(command.begin() + 3, std::string(word) + "=" + pipe.path());
    return problem;
  };
  if (asked.most_piped_plan_bytes > 0 && asked.model == "-" && asked.plan == "-") {
    return "both files are '-', and standard input is one; the path of a file would be right for the other";
  }
  std::string problem = read(asked.model, asked.most_piped_bytes, kReadModelFrom, model);
  return problem.empty() ? read(asked.plan, asked.most_piped_plan_bytes, kReadPlanFrom, plan) : problem;
}

// A sentence, by the name that the user gave, when there is no sound model.
template <typename Options>
std::string LoadModelOf(const Options& options, ModelFile& file, const OperatorSupport& support) {
  std::string problem = file.Load(options.file.empty() ? options.model : options.file, &support);
  NameThePipe(options.file, options.model, problem);
  return problem;
}

}  // namespace

ExitStatus InAChild(const std::vector<std::string>& arguments, const ModelCommand& asked) {
  const auto refused_with = [&](ExitStatus status, ToolRefusal code, const std::string& sentence) {
    if (asked.json)
      std::cout << RefusalJson(asked.name, asked.model, sentence, RefusedWith(code), status) << std::flush;
    Complain(sentence);
    return status;
  };
  const auto refused = [&](ToolRefusal code, const std::string& sentence) {
    return refused_with(ExitStatus::kCouldNotRun, code, sentence);
  };
  std::error_code error;
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe", error).string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.begin() + 2, kInThisProcess);  // after the command's name
  if (const std::string problem = OverwrittenStandardFiles(asked); !problem.empty()) {
    return refused(ToolRefusal::kOutputFiles, PrintableSentence(problem));
  }
  PipedModel model, plan;
  if (const std::string problem = ReadPipes(asked, model, plan, command); !problem.empty()) {
    return refused(ToolRefusal::kFileUnreadable, problem);
  }
  ChildLimits limits;
#if defined(ARENAPROOF_ASAN)
  limits.limit_address_space = false;  // this program's own shadow is larger than any limit
#endif
  limits.time = std::chrono::seconds(asked.time_limit_seconds);
  const ProgressLine line;
  const auto progress = [&](std::chrono::seconds seconds, const ActiveOperators& running) {
    line.Show(asked.name + ": " + std::to_string(seconds.count()) + " s" +
              (running.nested.empty() ? "" : ", " + RunningText(running)) + " ...");
  };
  const ChildResult child = RunChild(command, limits, {.progress = progress});
  ProgressLine::Clear();
  if (child.result.empty()) {
    if (const std::string reason = FailedStart(child); !reason.empty()) {
      return refused(ToolRefusal::kChildNotStarted, "the child process could not start: " + reason);
    }
  }
  const bool out_of_memory = child.end == ChildEnd::kExited && child.exit_status == kChildOutOfMemory;
  if (const auto end = EndInLibrary(asked.kernels, child); end && !out_of_memory) {
    std::cerr << child.diagnostics;
    return refused_with(end->status, end->code, PrintableSentence(end->sentence));
  }
  // What can be reported stands before the reason why there is no more.
  if (child.end == ChildEnd::kExited && !out_of_memory) std::cout << child.result << std::flush;
  const bool refused_and_lost = !std::cout && !child.diagnostics.empty();
  std::cerr << (refused_and_lost ? AndReportNotTaken(child.diagnostics) : child.diagnostics);
  switch (out_of_memory ? ChildEnd::kKilledForMemory : child.end) {
    case ChildEnd::kExited:
      break;
    case ChildEnd::kKilledForTime:
      return refused(
          ToolRefusal::kTimeLimit,
          "ended after " + Counted(asked.time_limit_seconds, "second") + WhileRunning(child.running) +
              (asked.name == "run" ? "; --time-limit=SECONDS allows more" : ", which is the most it may take"));
    case ChildEnd::kKilledForCpuTime:
      return refused(ToolRefusal::kTimeLimit,
                     "the child process " + EndedFromOutside(child) + WhileRunning(child.running));
    case ChildEnd::kKilledForMemory:
      if (const std::string limit = MemoryLimitOfShell(limits.memory_bytes); !limit.empty()) {
        return refused(ToolRefusal::kMemoryLimit, "there was no memory left: " + limit);
      }
      return refused(ToolRefusal::kMemoryLimit,
                     "ended when it used more than 4 GiB of memory, which is the most a model may take");
    case ChildEnd::kNotStarted:
      return refused(ToolRefusal::kChildNotStarted, CannotStart("a child process", child.start_error));
    case ChildEnd::kKilledForOutput:
      return refused(ToolRefusal::kReportLimit,
                     "ended when its report passed " + std::to_string(limits.result_bytes) + " bytes");
    case ChildEnd::kSignal:
      if (const std::string end = EndedFromOutside(child); !end.empty())
        return refused(ToolRefusal::kEndedBySignal, "the child process " + end);
      if (const auto end = EndAfterLibrary(asked.kernels, "the child process died of " + SignalText(child.signal))) {
        return refused_with(end->status, end->code, PrintableSentence(end->sentence));
      }
      std::cerr << "arenaproof: internal error: the child died of " << SignalText(child.signal) << "\n";
      return ExitStatus::kInternalError;
  }
  if (child.exit_status < 0 || child.exit_status > 2) {
    const auto end =
        EndAfterLibrary(asked.kernels, "the child process ended with status " + std::to_string(child.exit_status));
    if (end) return refused_with(end->status, end->code, PrintableSentence(end->sentence));
  }
  if (child.exit_status < 0 || child.exit_status > 3) {
    std::cerr << "arenaproof: internal error: the child ended with status " << child.exit_status << "\n";
    return ExitStatus::kInternalError;
  }
  if (std::cout) return static_cast<ExitStatus>(child.exit_status);
  if (refused_and_lost) return Worse(static_cast<ExitStatus>(child.exit_status), ExitStatus::kCouldNotRun);
  const bool written = child.exit_status == 0 && !asked.output.empty();
  return Complain((written ? "the outputs are in '" + Printable(asked.output) + "', but " : std::string()) +
                  kReportNotTaken);
}

ExitStatus RunCommand(const RunOptions& options) {
  ChosenKernels kernels;
  if (const auto refused = kernels.Choose(options, "none")) {
    return ReportRefusal("run", options.model, options.json, PrintableSentence(refused->sentence),
                         RefusedWith(refused->code));
  }
  const KernelSetSupport support(kernels.set());
  ModelFile file;
  RunResult result;
  result.problem = LoadModelOf(options, file, support);
  if (!result.problem.empty()) result.refused = RefusedFile(file);
  if (result.problem.empty()) {
    result.problem = OverwrittenByOutputs(options, file.model().outputs(0).size());
    if (!result.problem.empty()) result.refused = RefusedWith(ToolRefusal::kOutputFiles);
  }
  if (result.problem.empty()) result = RunModel(options, file.model(), kernels.set());
  NameMemoryLimit(result.refused, result.problem);
  if (result.problem.empty() && !options.output_dir.empty()) {
    const SignalsWait all_or_nothing_is_written;
    result.problem = WriteOutputs(options.output_dir, &result);
    if (!result.problem.empty()) result.refused = RefusedWith(ToolRefusal::kOutputFiles);
  }
  const ExitStatus status = StatusOf(result);
  if (!result.problem.empty()) Complain(PrintableSentence(result.problem));
  if (options.json) return Deliver(RunReportJson(options, file.view(), result), status);
  return result.problem.empty() ? Deliver(RunReportText(options, file.view(), result), status) : status;
}

ExitStatus DescribeCommand(const DescribeOptions& options) {
  ChosenKernels kernels;
  if (const auto refused = kernels.Choose(options, "none")) {
    return ReportRefusal("describe", options.model, options.json, PrintableSentence(refused->sentence),
                         RefusedWith(refused->code));
  }
  // Operators without a kernel have their place in the plan too.
  ModelFile file;
  const AnyOperator support;
  std::string problem = LoadModelOf(options, file, support);
  // What can be opened can be described, whatever validation says of it.
  if (!problem.empty() && !file.opened()) {
    return ReportRefusal("describe", options.model, options.json, problem, RefusedFile(file));
  }
  Description description;
  Describe(file, kernels.set(), options, options.scratch, description);
  if (!description.problem.empty()) description.problem = InFile(options.model, description.problem);
  NameMemoryLimit(description.refused, description.problem);
  const ExitStatus status = description.problem.empty() ? ExitStatus::kClean : description.problem_status;
  if (!description.problem.empty()) Complain(PrintableSentence(description.problem));
  return Deliver(options.json ? DescribeReportJson(options, file.view(), description)
                              : DescribeReportText(options, file.view(), description),
                 status);
}

ExitStatus SizeCommand(const SizeOptions& options) {
  ChosenKernels kernels;
  if (const auto refused = kernels.Choose(options, "none")) {
    return ReportRefusal("size", options.model, options.json, PrintableSentence(refused->sentence),
                         RefusedWith(refused->code));
  }
  const KernelSetSupport support(kernels.set());
  ModelFile file;
  SizeResult result;
  result.problem = LoadModelOf(options, file, support);
  if (!result.problem.empty()) result.refused = RefusedFile(file);
  if (result.problem.empty()) {
    result = MeasureModel(options, file.model(), kernels.set());
    if (!result.problem.empty()) result.problem = InFile(options.model, result.problem);
    NameMemoryLimit(result.refused, result.problem);
  }
  ExitStatus status = ExitStatus::kClean;
  if (!result.problem.empty()) {
    Complain(PrintableSentence(result.problem));
    status = result.problem_status;
  }
  if (options.json) return Deliver(SizeReportJson(options, file.view(), result), status);
  return result.problem.empty() ? Deliver(SizeReportText(options, file.view(), result), status) : status;
}

}  // namespace arenaproof
