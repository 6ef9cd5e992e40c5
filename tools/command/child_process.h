// Runs a program with limits on time and memory and survives whatever becomes of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/model/operator_board.h"

namespace arenaproof {

// Of a whole command, all of its children together.
inline constexpr std::uint32_t kDefaultTimeLimitSeconds = 300;

struct ChildLimits {
  std::chrono::milliseconds time = std::chrono::seconds(kDefaultTimeLimitSeconds);
  std::size_t memory_bytes = std::size_t{4} << 30;
  bool limit_address_space = true;  // false: the child is killed when its resident memory passes memory_bytes
  std::size_t result_bytes = std::size_t{64} << 20;
};

// Called about once a second with the time since the child's start and the operators that it runs.
using ChildProgress = std::function<void(std::chrono::seconds, const ActiveOperators&)>;

struct ChildSurroundings {
  // False: the child's sanitizers have the options that are compiled into it, whatever is in the environment.
  bool sanitizer_options = true;
  ChildProgress progress = {};
};

enum class ChildEnd {
  kExited,
  kSignal,
  kKilledForTime,
  kKilledForCpuTime,  // by the system, for the limit that a shell set
  kKilledForMemory,
  kKilledForOutput,
  kNotStarted
};

struct ChildResult {
  ChildEnd end = ChildEnd::kNotStarted;
  int exit_status = 0;      // kExited
  int signal = 0;           // kSignal
  int start_error = 0;      // kNotStarted: errno
  std::string result;       // what it wrote to descriptor kResultDescriptor, at most limits.result_bytes
  std::string diagnostics;  // the last 16 KiB of its standard output and standard error
  ActiveOperators running;  // at its end
};

// The descriptor on which the child finds the writing end of the result pipe. (On kOperatorBoardDescriptor it finds the
// memory in which it notes its operators, unless the system has none to share.)
inline constexpr int kResultDescriptor = 3;

// Where a worker finds its socket (tools/worker/job_loop.h), and every other child nothing: standard input.
inline constexpr int kJobsDescriptor = 0;

// `command[0]` is the program's path. The child dies with its parent.
ChildResult RunChild(const std::vector<std::string>& command, const ChildLimits& limits,
                     const ChildSurroundings& surroundings = {});

}  // namespace arenaproof
