// Problems of any size whose optimum is known because of how they were made: buffers that were laid out first, and
// small problems, of which all orders were tried, joined to large ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/planner/optimal/plan_problem.h"

namespace arenaproof::testing {

struct KnownProblem {
  std::vector<PlanBuffer> buffers;
  std::int64_t head = 0;  // the smallest of any plan
};

// Up to `most` tiles of a rectangle, or those of them that were not taken out. One moment stays full, so that the head
// is the bound.
KnownProblem DrawTiling(std::size_t most);

// The same. Some are aligned, fixed, or have gaps in which others lie, all as they were laid out.
KnownProblem DrawRichTiling(std::size_t most);

// Half of `most` or more of a rectangle of which nearly everything has a size of its own, less many: which shapes the
// free bytes have is hard to guess, and what is guessed wrong soon known to be.
KnownProblem DrawLooseTiling(std::size_t most);

// Tilings, and problems of a few buffers, whose head often is above the bound: one after the other in time, and now and
// then below a buffer that lives all the time.
KnownProblem DrawJoinedProblem(std::size_t most);

}  // namespace arenaproof::testing
