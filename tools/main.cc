// The command `arenaproof`. It is a plain program: whatever may crash runs in children (child_process.h).
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "tools/check_command.h"
#include "tools/command_line.h"
#include "tools/model_command.h"

namespace arenaproof {
namespace {

ExitStatus Run(const CommandLine& line, const std::vector<std::string>& arguments) {
  if (line.finished) return *line.finished;
  if ((line.run || line.describe) && !line.in_this_process) return InAChild(arguments);
  if (line.run) return RunCommand(*line.run);
  if (line.describe) return DescribeCommand(*line.describe);
  return CheckCommand(*line.check);
}

}  // namespace
}  // namespace arenaproof

#ifdef ARENAPROOF_ASAN
// A report about this program itself is an internal error, never "violations found" (1, the sanitizers' own choice).
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "exitcode=3"; }
extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "exitcode=3"; }
#endif

int main(int argument_count, char** arguments) {
  using arenaproof::ExitStatus;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of the stream, not the end of the process
  try {
    return static_cast<int>(arenaproof::Run(arenaproof::ParseCommandLine(argument_count, arguments),
                                            {arguments + std::min(1, argument_count), arguments + argument_count}));
  } catch (const std::exception& error) {
    std::cerr << "arenaproof: internal error: " << error.what() << "\n";
    return static_cast<int>(ExitStatus::kInternalError);
  }
}
