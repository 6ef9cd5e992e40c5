// Runs a program with limits on time and memory and survives whatever becomes of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace arenaproof {

struct ChildLimits {
  std::chrono::milliseconds time{600'000};
  std::size_t memory_bytes = std::size_t{4} << 30;
  bool limit_address_space = true;  // false: the child is killed when its resident memory passes memory_bytes
  std::size_t result_bytes = std::size_t{64} << 20;
};

enum class ChildEnd { kExited, kSignal, kKilledForTime, kKilledForMemory, kKilledForOutput, kNotStarted };

struct ChildResult {
  ChildEnd end = ChildEnd::kNotStarted;
  int exit_status = 0;      // kExited
  int signal = 0;           // kSignal
  int start_error = 0;      // kNotStarted: errno
  std::string result;       // what it wrote to descriptor kResultDescriptor, at most limits.result_bytes
  std::string diagnostics;  // the last 16 KiB of its standard output and standard error
};

// The descriptor on which the child finds the writing end of the result pipe.
inline constexpr int kResultDescriptor = 3;

// `command[0]` is the program's path. The child dies with its parent.
ChildResult RunChild(const std::vector<std::string>& command, const ChildLimits& limits);

}  // namespace arenaproof
