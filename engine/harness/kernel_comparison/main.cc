// arenaproof-compare-kernels, which ./dev kernels builds and runs.
#include <csignal>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>

#include "engine/harness/kernel_comparison/command_line.h"
#include "engine/harness/kernel_comparison/comparison_command.h"
#include "engine/harness/kernel_comparison/running_kernel.h"
#include "kernels/kernel_sets.h"
#include "tools/model/kernel_set_choice.h"
#include "tools/text/names.h"

namespace arenaproof::testing {
namespace {

ExitStatus CouldNotRun(const std::string& sentence) {
  std::cerr << kProgram << ": " << PrintableSentence(sentence) << "\n";
  return ExitStatus::kCouldNotRun;
}

ExitStatus Run(const ComparisonOptions& options) {
  for (const std::string& name : {options.set, options.against}) {
    if (const std::string problem = UnknownKernelSet(name); !problem.empty()) return CouldNotRun(problem);
  }
  const KernelSetPair sets{FindKernelSet(options.set), FindKernelSet(options.against)};
  RunningKernel running(sets);
  std::ostringstream errors;
  const ExitStatus status =
      CompareKernelSets(sets, options.op, {.first = options.seed, .count = options.cases}, running, std::cout, errors);
  std::cout.flush();
  if (!std::cout) return CouldNotRun(kReportNotTaken);
  if (!errors.str().empty()) std::cerr << kProgram << ": " << errors.str();
  return status;
}

}  // namespace
}  // namespace arenaproof::testing

int main(int argument_count, char** arguments) {
  using namespace arenaproof::testing;
  std::signal(SIGPIPE, SIG_IGN);  // an error of the stream, not the end of the process
  ReportSignals();
  try {
    const ComparisonCommandLine line = ParseComparisonCommandLine(argument_count, arguments);
    return static_cast<int>(line.finished ? *line.finished : Run(line.options));
  } catch (const std::exception& error) {
    std::cerr << kProgram << ": internal error: " << error.what() << "\n";
    return static_cast<int>(arenaproof::ExitStatus::kInternalError);
  }
}
