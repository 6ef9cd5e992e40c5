// Free bytes as buffers. Where a capacity leaves bytes free at some moments, buffers without a use that take them make
// a problem without a free byte, which TightSearch solves; its plan, without them, is a plan of the problem. Which
// shapes the free bytes take is a guess: from the changes of their number over time, a rise that is as large as a later
// fall is one filler. When no plan has these shapes, there may be one with others.
#pragma once

#include <cstddef>

#include "core/planner/optimal/section_problem.h"

namespace arenaproof {

// Every buffer has one stretch of sections and no alignment of its own, nothing is fixed, no section's load is above
// the capacity: what fillers, and TightSearch, can be used for.
bool CanBeFilled(const SectionProblem& problem, Units capacity);

// The problem with fillers behind its buffers; none when it is full. Guesses differ in which fillers end together, and
// are the same for the same number. Precondition: CanBeFilled.
SectionProblem WithFillers(const SectionProblem& problem, Units capacity, std::size_t guess);

}  // namespace arenaproof
