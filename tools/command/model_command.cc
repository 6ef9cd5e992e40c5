#include "tools/command/model_command.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "kernels/kernel_sets.h"
#include "tools/command/child_process.h"
#include "tools/command/command_line.h"
#include "tools/command/run_outputs.h"
#include "tools/model/kernel_set_choice.h"
#include "tools/model/model_file.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

ExitStatus Refused(const std::string& sentence) {
  std::cerr << "arenaproof: " << sentence << "\n";
  return ExitStatus::kCouldNotRun;
}

// The whole report reaches the parent, or it is an error.
ExitStatus Deliver(const std::string& report, ExitStatus status) {
  std::size_t written = 0;
  while (written < report.size()) {
    const ssize_t count = write(kResultDescriptor, report.data() + written, report.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      std::cerr << "arenaproof: internal error: the report cannot be handed on: " << std::strerror(errno) << "\n";
      return ExitStatus::kInternalError;
    }
    written += static_cast<std::size_t>(count);
  }
  return status;
}

ExitStatus Refuse(const char* command, const std::string& model, bool json, const std::string& problem) {
  const ExitStatus status = Refused(PrintableSentence(problem));
  return json ? Deliver(RefusalJson(command, model, problem), status) : status;
}

}  // namespace

ExitStatus InAChild(const std::vector<std::string>& arguments, const ModelCommand& asked) {
  const auto refused = [&](const std::string& sentence) {
    if (asked.json) std::cout << RefusalJson(asked.name, asked.model, sentence) << std::flush;
    return Refused(sentence);
  };
  std::error_code error;
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe", error).string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.begin() + 2, kInThisProcess);  // after the command's name
  ChildLimits limits;
#if defined(ARENAPROOF_ASAN)
  limits.limit_address_space = false;  // this program's own shadow is larger than any limit
#endif
  limits.time = std::chrono::seconds(asked.time_limit_seconds);
  const ChildResult child = RunChild(command, limits);
  std::cerr << child.diagnostics;
  const bool out_of_memory = child.end == ChildEnd::kExited && child.exit_status == kChildOutOfMemory;
  switch (out_of_memory ? ChildEnd::kKilledForMemory : child.end) {
    case ChildEnd::kExited:
      break;
    case ChildEnd::kKilledForTime:
      return refused("ended after " + Counted(asked.time_limit_seconds, "second") +
                     (asked.name == "run" ? "; --time-limit=SECONDS allows more" : ", which is the most it may take"));
    case ChildEnd::kKilledForMemory:
      return refused("ended when it used more than 4 GiB of memory, which is the most a model may take");
    case ChildEnd::kNotStarted:
      return refused(std::string("a child process cannot be started: ") + std::strerror(child.start_error));
    case ChildEnd::kKilledForOutput:
      return refused("ended when its report passed " + std::to_string(limits.result_bytes) + " bytes");
    case ChildEnd::kSignal:
      std::cerr << "arenaproof: internal error: the child died of signal " << child.signal << "\n";
      return ExitStatus::kInternalError;
  }
  std::cout << child.result << std::flush;
  if (child.exit_status < 0 || child.exit_status > 3) return ExitStatus::kInternalError;
  if (std::cout) return static_cast<ExitStatus>(child.exit_status);
  const bool written = child.exit_status == 0 && !asked.output_dir.empty();
  return Refused((written ? "the outputs are in '" + Printable(asked.output_dir) + "', but " : std::string()) +
                 kReportNotTaken);
}

ExitStatus RunCommand(const RunOptions& options) {
  std::string problem = UnknownKernelSet(options.kernels);
  if (!problem.empty()) return Refuse("run", options.model, options.json, problem);
  const KernelSet* const kernels = FindKernelSet(options.kernels);
  const KernelSetSupport support(*kernels);
  ModelFile file;
  RunResult result;
  result.problem = file.Load(options.model, &support);
  if (result.problem.empty()) result = RunModel(options, file.view(), *kernels);
  if (result.problem.empty() && !options.output_dir.empty()) result.problem = WriteOutputs(options.output_dir, &result);
  ExitStatus status = ExitStatus::kClean;
  if (!result.problem.empty()) {
    Refused(PrintableSentence(result.problem));
    status = result.problem_status;
  }
  if (options.json) return Deliver(RunReportJson(options, file.view(), result), status);
  return result.problem.empty() ? Deliver(RunReportText(options, file.view(), result), status) : status;
}

ExitStatus DescribeCommand(const DescribeOptions& options) {
  std::string problem = UnknownKernelSet(options.kernels);
  if (!problem.empty()) return Refuse("describe", options.model, options.json, problem);
  const KernelSet* const kernels = FindKernelSet(options.kernels);
  const KernelSetSupport support(*kernels);
  ModelFile file;
  problem = file.Load(options.model, &support);
  // What is sound but not supported can be described all the same.
  const bool sound =
      problem.empty() || (file.opened() && file.validation().status.code == StatusCode::kModelUnsupported);
  if (!sound) return Refuse("describe", options.model, options.json, problem);
  Description description = Describe(file.view(), file.validation(), *kernels, options);
  for (std::string* const sentence : {&description.unsupported, &description.problem}) {
    if (!sentence->empty()) *sentence = InFile(options.model, *sentence);
  }
  ExitStatus status = ExitStatus::kClean;
  if (!description.unsupported.empty()) status = Refused(PrintableSentence(description.unsupported));
  if (!description.problem.empty()) {
    Refused(PrintableSentence(description.problem));
    status = description.problem_status;
  }
  return Deliver(options.json ? DescribeReportJson(options, file.view(), description)
                              : DescribeReportText(options, file.view(), description),
                 status);
}

ExitStatus SizeCommand(const SizeOptions& options) {
  std::string problem = UnknownKernelSet(options.kernels);
  if (!problem.empty()) return Refuse("size", options.model, options.json, problem);
  const KernelSet* const kernels = FindKernelSet(options.kernels);
  const KernelSetSupport support(*kernels);
  ModelFile file;
  SizeResult result;
  result.problem = file.Load(options.model, &support);
  if (result.problem.empty()) {
    result = MeasureModel(options, file.view(), *kernels);
    if (!result.problem.empty()) result.problem = InFile(options.model, result.problem);
  }
  ExitStatus status = ExitStatus::kClean;
  if (!result.problem.empty()) {
    Refused(PrintableSentence(result.problem));
    status = result.problem_status;
  }
  if (options.json) return Deliver(SizeReportJson(options, file.view(), result), status);
  return result.problem.empty() ? Deliver(SizeReportText(options, file.view(), result), status) : status;
}

}  // namespace arenaproof
