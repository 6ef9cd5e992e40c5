// A planner's problem as CSV, the format of public benchmarks of memory planners: a header that names the columns in
// any order, then one line for each buffer.
//
//   id         any name without control characters, at most once each; one with commas stands in quotes
//   lower      first time at which the buffer is alive
//   upper      first time after it (half-open), also called `end`
//   size       bytes
//   offset     optional: fixed, in bytes; -1 or nothing when the planner may choose
//   alignment  optional: in bytes; nothing for 1
//   group      optional, of a plan apart from its problem: the id of the buffer that owns the bytes in which this one
//              lies, its own id or nothing when it has bytes of its own
//   gaps       optional: LOWER-UPPER pairs of times with a space between, in which its bytes are free for others
//
// A plan is such a file whose offsets are what somebody's planner chose; a plan apart from its problem needs `id` and
// `offset` only.
//
// A field of any column, and of the header, may stand in quotes, with "" for a quote within (RFC 4180), but on one
// line. Names of columns are the same in capitals. Numbers are decimal, with a sign and spaces around them or not. CRLF
// line ends, a byte-order mark, empty lines and a last line without its end are accepted; other columns are not,
// because what they ask for would not be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/planner/optimal/plan_problem.h"

namespace arenaproof {

enum class CsvKind : std::uint8_t {
  kProblem,         // offsets are fixed, and CheckProblem has to accept them
  kPlannedProblem,  // a problem and a plan of it: `offset` is needed and goes to ProblemCsv::offsets, unchecked
  kPlan,            // the same of a plan alone, where `lower`, `upper` and `size` are optional
};

struct ProblemCsv {
  std::string refusal;  // one sentence that names the line, or nothing
  bool fixed_overlap =
      false;  // it is that fixed buffers share bytes while alive together, and all else is as it is read
  std::vector<std::string> ids;
  std::vector<PlanBuffer> buffers;  // in the order of lines; CheckProblem finds no fault, but see has_problem
  // Of a plan: one for each buffer, nothing where the file says -1 or nothing.
  std::vector<std::optional<std::int64_t>> offsets;
  std::vector<std::string> groups = {};  // of a plan that has them: one for each buffer, the owner's id or nothing
  // False: a plan without one of lower, upper and size, so that its buffers are no problem by themselves.
  bool has_problem = true;
  struct Columns {
    bool lower = false, upper = false, size = false, alignment = false, gaps = false;
  } has;  // what the file says of its buffers

  bool ok() const { return refusal.empty(); }
};

inline constexpr std::size_t kMostCsvBuffers = 1'000'000;

// O(bytes), and what CheckProblem takes.
ProblemCsv ReadProblemCsv(std::string_view text, std::size_t most_buffers = kMostCsvBuffers,
                          CsvKind kind = CsvKind::kProblem);

}  // namespace arenaproof
