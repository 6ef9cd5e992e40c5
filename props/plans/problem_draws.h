// Planner problems, drawn so that buffers fit exactly, and those that nearly do: few sizes and their sums, fixed
// offsets at such sums, equal buffers that differ in one thing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/planner/optimal/plan_problem.h"

namespace arenaproof::testing {

// Up to `most` buffers, with alignments, fixed offsets, gaps, zero bytes and empty lifetimes, at any times. Mostly
// CheckProblem finds no fault.
std::vector<PlanBuffer> DrawProblem(std::size_t most);

// The same, and one buffer or two of which something is mostly wrong.
std::vector<PlanBuffer> DrawFaultyProblem(std::size_t most);

// In which CheckProblem finds no fault.
std::vector<PlanBuffer> DrawSoundProblem(std::size_t most);

std::string ProblemText(const std::vector<PlanBuffer>& buffers);

}  // namespace arenaproof::testing
