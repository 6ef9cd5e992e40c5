// What the user asked for, from the words of the command line.
#pragma once

#include <optional>

#include "tools/check.h"
#include "tools/exit_status.h"

namespace arenaproof {

struct CommandLine {
  // Set when there is nothing to run: help was asked for (clean), or the words were wrong (could not run) and the
  // sentence has been printed.
  std::optional<ExitStatus> finished;
  std::optional<CheckOptions> check;
};

CommandLine ParseCommandLine(int argument_count, const char* const* arguments);

}  // namespace arenaproof
