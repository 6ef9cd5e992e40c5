// `arenaproof run`, `describe` and `size` as the user sees them. The work is done in a child process with limits on
// time and memory, so that a model that breaks something ends in a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/command/child_process.h"
#include "tools/command/describe.h"
#include "tools/command/run.h"
#include "tools/command/size.h"
#include "tools/text/exit_status.h"

namespace arenaproof {

struct ModelCommand {
  std::string name;  // run, describe or size
  std::string model;
  bool json = false;
  std::uint32_t time_limit_seconds = kDefaultTimeLimitSeconds;
  std::string output = {};         // the folder or the file that is written; empty: none
  std::string output_option = {};  // that names it
  KernelChoice kernels = {};
  // Where given, the model or problem and the plan may come through pipes: the most bytes of each.
  std::size_t most_piped_bytes = 0;
  std::string plan = {};
  std::size_t most_piped_plan_bytes = 0;
};

// The words with which a child is told where it reads what came through a pipe.
inline constexpr const char* kReadModelFrom = "--read-model-from";
inline constexpr const char* kReadPlanFrom = "--read-plan-from";

// The exit status of a child that met its limit of memory; no command ends with it.
inline constexpr int kChildOutOfMemory = 4;

// What the parent does: runs this very program again with `arguments` (the words of the command line without the
// program's name) and the mark kInThisProcess, and passes on what it writes.
ExitStatus InAChild(const std::vector<std::string>& arguments, const ModelCommand& asked);

// What the child does. The report goes to descriptor kResultDescriptor, sentences to standard error.
ExitStatus RunCommand(const RunOptions& options);
ExitStatus DescribeCommand(const DescribeOptions& options);
ExitStatus SizeCommand(const SizeOptions& options);

}  // namespace arenaproof
