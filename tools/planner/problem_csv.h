// A planner's problem as CSV, the format of public benchmarks of memory planners: a header that names the columns in
// any order, then one line for each buffer.
//
//   id         any name without a comma, at most once each
//   lower      first time at which the buffer is alive
//   upper      first time after it (half-open), also called `end`
//   size       bytes
//   offset     optional: fixed, in bytes; -1 or nothing when the planner may choose
//   alignment  optional: in bytes; nothing for 1
//   gaps       optional: LOWER-UPPER pairs of times with a space between, in which its bytes are free for others
//
// Numbers are decimal, with spaces around them or not. CRLF line ends, a byte-order mark, empty lines and a last line
// without its end are accepted; other columns are not, because what they ask for would not be kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/planner/optimal/plan_problem.h"

namespace arenaproof {

struct ProblemCsv {
  std::string refusal;  // one sentence that names the line, or nothing
  std::vector<std::string> ids;
  std::vector<PlanBuffer> buffers;  // in the order of lines; CheckProblem finds no fault

  bool ok() const { return refusal.empty(); }
};

inline constexpr std::size_t kMostCsvBuffers = 1'000'000;

// O(bytes), and what CheckProblem takes.
ProblemCsv ReadProblemCsv(std::string_view text, std::size_t most_buffers = kMostCsvBuffers);

}  // namespace arenaproof
