// A plan as JSON, as `arenaproof plan --format=json` writes it: of its list `buffers` the fields id, offset and, where
// they are there, group, bytes, lower, upper, alignment and gaps. Whatever else it has is not looked at, but no object
// may have a key twice. A byte-order mark is accepted.
#pragma once

#include <cstddef>
#include <string_view>

#include "tools/planner/problem_csv.h"

namespace arenaproof {

// Beyond it a text is refused unread.
inline constexpr std::size_t kMostPlanJsonBytes = std::size_t{64} << 20U;

// As a plan in CSV of the same fields would be read; one sentence when it cannot be. O(bytes log bytes).
ProblemCsv ReadPlanJson(std::string_view text, std::size_t most_buffers = kMostCsvBuffers);

}  // namespace arenaproof
