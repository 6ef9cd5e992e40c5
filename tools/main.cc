// The command `arenaproof`. It is a plain program: whatever may crash runs in children (child_process.h).
#include <csignal>
#include <exception>
#include <iostream>

#include "tools/check_command.h"
#include "tools/command_line.h"

namespace arenaproof {
namespace {

ExitStatus Run(const CommandLine& line) {
  if (line.finished) return *line.finished;
  return CheckCommand(*line.check);
}

}  // namespace
}  // namespace arenaproof

int main(int argument_count, char** arguments) {
  using arenaproof::ExitStatus;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of the stream, not the end of the process
  try {
    return static_cast<int>(arenaproof::Run(arenaproof::ParseCommandLine(argument_count, arguments)));
  } catch (const std::exception& error) {
    std::cerr << "arenaproof: internal error: " << error.what() << "\n";
    return static_cast<int>(ExitStatus::kInternalError);
  }
}
