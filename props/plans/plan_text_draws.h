// A planner's problem as people write it: columns in any order, those that are not needed or not, spaces, line ends.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/planner/optimal/plan_problem.h"

namespace arenaproof::testing {

// "b0", "a & b", ..., each once.
std::vector<std::string> DrawIds(std::size_t count);

// CSV of the problem. Of columns whose values are all their defaults some are left out.
std::string DrawProblemCsv(const std::vector<PlanBuffer>& buffers, const std::vector<std::string>& ids);

bool IsSame(const PlanBuffer& a, const PlanBuffer& b);

}  // namespace arenaproof::testing
