// The words of arenaproof-compare-kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/text/exit_status.h"

namespace arenaproof::testing {

inline constexpr const char* kProgram = "arenaproof-compare-kernels";

struct ComparisonOptions {
  std::string op;  // empty: every operator that both sets serve
  std::string set = "reference";
  std::string against = "aligned";
  std::uint64_t cases = 300;
  std::uint64_t seed = 1;
};

struct ComparisonCommandLine {
  ComparisonOptions options;
  std::optional<ExitStatus> finished;  // help was printed, or what is wrong with the words
};

ComparisonCommandLine ParseComparisonCommandLine(int argument_count, const char* const* arguments);

}  // namespace arenaproof::testing
