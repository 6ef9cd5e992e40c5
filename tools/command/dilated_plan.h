// A plan in the dilated layout in which `check` runs a model: closed bytes between all that is alive together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/plans/labelled_problem.h"
#include "tools/plans/made_plan.h"

namespace arenaproof {

struct DilatedPlan {
  std::string problem;  // why there is none, a sentence
  std::vector<std::optional<std::int64_t>> offsets;
  std::int64_t head_bytes = 0;  // with the closed bytes above the highest buffer
};

// Of a certified plan of a model, by the planner of that name.
DilatedPlan DilatePlan(const LabelledProblem& problem, const MadePlan& plan, const std::string& planner);

}  // namespace arenaproof
