// What the user asked for, from the words of the command line.
#pragma once

#include <optional>

#include "tools/command/check.h"
#include "tools/command/describe.h"
#include "tools/command/flags.h"
#include "tools/command/operators.h"
#include "tools/command/plan.h"
#include "tools/command/rules.h"
#include "tools/command/run.h"
#include "tools/command/size.h"
#include "tools/command/verify.h"
#include "tools/text/exit_status.h"

namespace arenaproof {

struct CommandLine {
  // Set when there is nothing to run: help was asked for (clean), or the words were wrong (could not run) and the
  // sentence has been printed.
  std::optional<ExitStatus> finished;
  // One of these otherwise.
  std::optional<CheckCall> check;
  std::optional<RunOptions> run;
  std::optional<DescribeOptions> describe;
  std::optional<SizeOptions> size;
  std::optional<OperatorsOptions> operators;
  std::optional<PlanOptions> plan;
  std::optional<VerifyOptions> verify;
  std::optional<FlagsOptions> flags;
  std::optional<RulesOptions> rules;
  bool in_this_process = false;  // this is the child of such a command already
};

// Right after `run`, `describe`, `size`, `plan` or `verify` it marks the child. It is no option: nothing shown to users
// mentions it.
inline constexpr const char* kInThisProcess = "--in-this-process";

// Whether this process is one that such a command started: the mark stands there, and there is a pipe for the result.
// For a user the mark is a word like any other.
bool IsChild(int argument_count, const char* const* arguments);

CommandLine ParseCommandLine(int argument_count, const char* const* arguments);

}  // namespace arenaproof
