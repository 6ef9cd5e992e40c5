#include "tools/model_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/runtime/kernel_set.h"
#include "kernels/kernel_sets.h"
#include "tools/child_process.h"
#include "tools/kernel_set_choice.h"
#include "tools/model_file.h"
#include "tools/text.h"

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
    if (count <= 0) return ExitStatus::kInternalError;
    written += static_cast<std::size_t>(count);
  }
  return status;
}

// All files are complete or none is there: they get their names when everything is written.
std::string WriteOutputs(const std::string& folder, const RunResult& result) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return "the folder '" + folder + "' cannot be made: " + error.message();
  std::vector<std::filesystem::path> names;
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    names.push_back(std::filesystem::path(folder) / ("output_" + std::to_string(i) + ".bin"));
    const auto& bytes = result.outputs[i].bytes;
    std::ofstream file(names.back().string() + ".part", std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
      for (const auto& name : names) std::filesystem::remove(name.string() + ".part", error);
      return "'" + names.back().string() + "' cannot be written";
    }
  }
  for (const auto& name : names) {
    std::filesystem::rename(name.string() + ".part", name, error);
    if (error) return "'" + name.string() + "' cannot be written: " + error.message();
  }
  return {};
}

}  // namespace

ExitStatus InAChild(const std::vector<std::string>& arguments) {
  std::error_code error;
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe", error).string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back("--in-this-process");
  ChildLimits limits;
#if defined(ARENAPROOF_ASAN)
  limits.limit_address_space = false;  // this program's own shadow is larger than any limit
#endif
  const ChildResult child = RunChild(command, limits);
  std::cerr << child.diagnostics;
  switch (child.end) {
    case ChildEnd::kExited:
      break;
    case ChildEnd::kKilledForTime:
      return Refused("ended after 600 seconds, which is the most a model may take");
    case ChildEnd::kKilledForMemory:
      return Refused("ended when it used more than 4 GiB of memory, which is the most a model may take");
    case ChildEnd::kNotStarted:
      return Refused(std::string("a child process cannot be started: ") + std::strerror(child.start_error));
    default:
      std::cerr << "arenaproof: internal error: the child died of signal " << child.signal << "\n";
      return ExitStatus::kInternalError;
  }
  std::cout << child.result << std::flush;
  if (child.exit_status < 0 || child.exit_status > 3) return ExitStatus::kInternalError;
  return std::cout ? static_cast<ExitStatus>(child.exit_status) : Refused(kReportNotTaken);
}

ExitStatus RunCommand(const RunOptions& options) {
  std::string problem = UnknownKernelSet(options.kernels);
  if (!problem.empty()) return Refused(Printable(problem));
  const KernelSet* const kernels = FindKernelSet(options.kernels);
  const KernelSetSupport support(*kernels);
  ModelFile file;
  RunResult result;
  result.problem = file.Load(options.model, &support);
  if (result.problem.empty()) result = RunModel(options, file.view(), *kernels);
  if (result.problem.empty() && !options.output_dir.empty()) result.problem = WriteOutputs(options.output_dir, result);
  ExitStatus status = ExitStatus::kClean;
  if (!result.problem.empty()) status = Refused(Printable(result.problem));
  if (options.json) return Deliver(RunReportJson(options, file.view(), result), status);
  return result.problem.empty() ? Deliver(RunReportText(options, file.view(), result), status) : status;
}

ExitStatus DescribeCommand(const DescribeOptions& options) {
  std::string problem = UnknownKernelSet(options.kernels);
  if (!problem.empty()) return Refused(Printable(problem));
  const KernelSet* const kernels = FindKernelSet(options.kernels);
  const KernelSetSupport support(*kernels);
  ModelFile file;
  problem = file.Load(options.model, &support);
  // What is sound but not supported can be described all the same.
  const bool sound =
      problem.empty() || (file.opened() && file.validation().status.code == StatusCode::kModelUnsupported);
  if (!sound) {
    const ExitStatus refused = Refused(Printable(problem));
    return options.json ? Deliver(DescribeRefusalJson(options, problem), refused) : refused;
  }
  const Description description = Describe(file.view(), file.validation(), *kernels);
  ExitStatus status = ExitStatus::kClean;
  for (const std::string& sentence : {description.unsupported, description.problem}) {
    if (!sentence.empty()) status = Refused(Printable(sentence));
  }
  return Deliver(options.json ? DescribeReportJson(options, file.view(), description)
                              : DescribeReportText(options, file.view(), description),
                 status);
}

}  // namespace arenaproof
