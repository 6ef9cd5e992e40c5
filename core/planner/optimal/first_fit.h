// A plan at once: buffers in a given order, each at the lowest offset at which it touches nothing that lies there.
#pragma once

#include <cstdint>
#include <vector>

#include "core/planner/optimal/section_problem.h"
#include "core/planner/optimal/stop_signal.h"

namespace arenaproof {

struct UnitPlan {
  std::vector<Units> offsets;  // one for each free buffer
  Units peak = 0;              // the end of the highest free buffer
};

// O(sum over buffers of min(d log d, d + n)), where d buffers are alive together with it. When it is stopped the plan
// has no offsets.
UnitPlan FirstFit(const SectionProblem& problem, const std::vector<std::uint32_t>& order, const StopSignal& stop);

// The best of first fit in several orders: the greedy planner's, which is tried whether stopped or not, by time from
// either end, and those of the search. Near the bound these are tried again in rounds, each with what ended above the
// bound first, as long as the buffers that are alive together are not too many.
UnitPlan BestFirstFit(const SectionProblem& problem, const StopSignal& stop);

}  // namespace arenaproof
