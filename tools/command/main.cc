// The command `arenaproof`. It is a plain program: whatever may crash runs in children (child_process.h).
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "sanitizers/instrument/asan/sanitizer_options.h"
#include "tools/command/check_command.h"
#include "tools/command/command_line.h"
#include "tools/command/model_command.h"
#include "tools/command/plan_command.h"
#include "tools/command/resource_limits.h"
#include "tools/model/model_file.h"
#include "tools/text/memory_end.h"

namespace arenaproof {
namespace {

// A standard stream that the caller closed must not become the number of a file or a pipe. What stands in its place
// cannot be written to, so that a lost report is still an error.
void OccupyStandardDescriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) return;
  }
}

ExitStatus Run(const CommandLine& line, const std::vector<std::string>& arguments) {
  if (line.finished) return *line.finished;
  if (line.operators) return OperatorsCommand(*line.operators);
  if (line.flags) return FlagsCommand(*line.flags);
  if (line.rules) return RulesCommand(*line.rules);
  if (line.run && !line.in_this_process) {
    const RunOptions& run = *line.run;
    return InAChild(arguments, {.name = "run",
                                .model = run.model,
                                .json = run.json,
                                .time_limit_seconds = run.time_limit_seconds,
                                .output = run.output_dir,
                                .output_option = "--output-dir",
                                .kernels = run,
                                .most_piped_bytes = kMaxModelFileBytes});
  }
  if (line.describe && !line.in_this_process) {
    const DescribeOptions& describe = *line.describe;
    return InAChild(arguments, {.name = "describe",
                                .model = describe.model,
                                .json = describe.json,
                                .kernels = describe,
                                .most_piped_bytes = kMaxModelFileBytes});
  }
  if (line.size && !line.in_this_process) {
    const SizeOptions& size = *line.size;
    return InAChild(arguments, {.name = "size",
                                .model = size.model,
                                .json = size.json,
                                .kernels = size,
                                .most_piped_bytes = kMaxModelFileBytes});
  }
  if (line.plan && !line.in_this_process) {
    const PlanOptions& plan = *line.plan;
    return InAChild(arguments, {.name = "plan",
                                .model = plan.path,
                                .json = plan.format == "json",
                                .time_limit_seconds = ChildSecondsOf(plan),
                                .output = plan.embed,
                                .output_option = "--embed",
                                .most_piped_bytes = kMaxModelFileBytes});
  }
  if (line.verify && !line.in_this_process) {
    const VerifyOptions& verify = *line.verify;
    return InAChild(arguments, {.name = "verify",
                                .model = verify.path,
                                .json = verify.json,
                                .most_piped_bytes = kMaxModelFileBytes,
                                .plan = verify.plan,
                                .most_piped_plan_bytes = kMostTextFileBytes});
  }
  if (line.plan) return PlanCommand(*line.plan);
  if (line.verify) return VerifyCommand(*line.verify);
  if (line.run) return RunCommand(*line.run);
  if (line.describe) return DescribeCommand(*line.describe);
  if (line.size) return SizeCommand(*line.size);
  return CheckCommand(*line.check);
}

bool in_this_process = false;  // this is the child of a command that runs in one

void Print(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

// Where no memory is left, neither an exception nor a report can be made.
[[noreturn]] void EndWithoutMemory() {
  if (in_this_process) _exit(kChildOutOfMemory);  // the parent prints the sentence
  std::array<char, 200> sentence{};
  Print(NoMemoryLeft(sentence));
  _exit(static_cast<int>(ExitStatus::kCouldNotRun));
}

void OnTerminate() {
  if (MemoryRanOut()) EndWithoutMemory();
  std::abort();
}

// Before the objects of any library are made: they take memory too.
[[gnu::constructor(101)]] void ExpectNoMemory() { std::set_terminate(OnTerminate); }

void OnCpuLimit(int) {
  Print("arenaproof: the limit on CPU time (ulimit -t) ended the command\n");
  _exit(static_cast<int>(ExitStatus::kCouldNotRun));
}

// What the caller of this program left behind must not decide what becomes of it.
void TakeSignals() {
  // A closed pipe and a limit on the size of files are errors of the stream, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // where it is ignored nobody learns how a child ended
  if (!in_this_process) std::signal(SIGXCPU, OnCpuLimit);
}

}  // namespace
}  // namespace arenaproof

ARENAPROOF_ASAN_OPTIONS(ARENAPROOF_INTERNAL_ERROR_STATUS);
ARENAPROOF_UBSAN_OPTIONS(ARENAPROOF_INTERNAL_ERROR_STATUS);

int main(int argument_count, char** arguments) {
  using arenaproof::ExitStatus;
  arenaproof::in_this_process = arenaproof::IsChild(argument_count, arguments);
  arenaproof::TakeSignals();
  arenaproof::OccupyStandardDescriptors();
  try {
    if (const std::string limit = arenaproof::StackTooSmall(); !limit.empty()) {
      std::cerr << "arenaproof: " << limit << "\n";
      return static_cast<int>(ExitStatus::kCouldNotRun);
    }
    const arenaproof::CommandLine line = arenaproof::ParseCommandLine(argument_count, arguments);
    return static_cast<int>(
        arenaproof::Run(line, {arguments + std::min(1, argument_count), arguments + argument_count}));
  } catch (const std::bad_alloc&) {
    arenaproof::EndWithoutMemory();
  } catch (const std::exception& error) {
    std::cerr << "arenaproof: internal error: " << error.what() << "\n";
    return static_cast<int>(ExitStatus::kInternalError);
  }
}
