// The command `arenaproof`. It is a plain program: whatever may crash runs in children (child_process.h).
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "sanitizers/instrument/asan/sanitizer_options.h"
#include "tools/command/check_command.h"
#include "tools/command/command_line.h"
#include "tools/command/model_command.h"

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
  if (line.run && !line.in_this_process) {
    const RunOptions& run = *line.run;
    return InAChild(arguments, {"run", run.model, run.json, run.time_limit_seconds, run.output_dir});
  }
  if (line.describe && !line.in_this_process) {
    return InAChild(arguments, {"describe", line.describe->model, line.describe->json});
  }
  if (line.size && !line.in_this_process) return InAChild(arguments, {"size", line.size->model, line.size->json});
  if (line.run) return RunCommand(*line.run);
  if (line.describe) return DescribeCommand(*line.describe);
  if (line.size) return SizeCommand(*line.size);
  return CheckCommand(*line.check);
}

}  // namespace
}  // namespace arenaproof

ARENAPROOF_ASAN_OPTIONS(ARENAPROOF_INTERNAL_ERROR_STATUS);
ARENAPROOF_UBSAN_OPTIONS(ARENAPROOF_INTERNAL_ERROR_STATUS);

int main(int argument_count, char** arguments) {
  using arenaproof::ExitStatus;
  // A closed pipe and a limit on the size of files are errors of the stream, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  arenaproof::OccupyStandardDescriptors();
  const arenaproof::CommandLine line = arenaproof::ParseCommandLine(argument_count, arguments);
  try {
    return static_cast<int>(
        arenaproof::Run(line, {arguments + std::min(1, argument_count), arguments + argument_count}));
  } catch (const std::bad_alloc&) {
    if (line.in_this_process) return arenaproof::kChildOutOfMemory;  // the parent prints the sentence
    std::cerr << "arenaproof: this machine has no memory left\n";
    return static_cast<int>(ExitStatus::kCouldNotRun);
  } catch (const std::exception& error) {
    std::cerr << "arenaproof: internal error: " << error.what() << "\n";
    return static_cast<int>(ExitStatus::kInternalError);
  }
}
