// A plan at once: buffers in a given order, each at the lowest offset at which it touches nothing that lies there.
#pragma once

#include <cstdint>
#include <vector>

#include "core/planner/optimal/section_problem.h"

namespace arenaproof {

struct UnitPlan {
  std::vector<Units> offsets;  // one for each free buffer
  Units peak = 0;              // the end of the highest free buffer
};

// O(n + sum over buffers of d log d), where d buffers are alive together with it.
UnitPlan FirstFit(const SectionProblem& problem, const std::vector<std::uint32_t>& order);

// The best of first fit in several orders: those of the search, by size, by time from either end. Near the bound these
// are tried again in rounds, each with what ended above the bound first.
UnitPlan BestFirstFit(const SectionProblem& problem);

}  // namespace arenaproof
