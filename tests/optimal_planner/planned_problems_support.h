// Planner problems for tests: of files, at random, and with an optimum that is known because of how they were made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/planner/optimal/plan_problem.h"

namespace arenaproof::testing {

// A rectangle of `head` times 4 * count, cut into buffers by straight cuts again and again: no byte of it is free at
// any time, and its optimum is `head`. Sizes are multiples of 1024. Of `removed_percent` of the buffers that are not
// alive at one moment none is left, which leaves the optimum as it is.
std::vector<PlanBuffer> CutRectangle(std::uint64_t seed, std::size_t count, std::int64_t head,
                                     std::size_t removed_percent);

// Ten buffers or so that fill `head` bytes at every one of six moments, whether or not they can be laid so.
std::vector<PlanBuffer> FullProblem(std::uint64_t seed, std::int64_t head);

// Small numbers, so that much happens at once; with alignments, fixed offsets and gaps if `rich`. CheckProblem may
// refuse it.
std::vector<PlanBuffer> RandomProblem(std::uint64_t seed, std::size_t count, bool rich);

// A sentence about the first thing that is wrong with the plan, or nothing: a second statement of what a plan is, pair
// by pair and moment by moment.
std::string WrongInPlan(const std::vector<PlanBuffer>& buffers, const std::vector<std::int64_t>& offsets,
                        std::int64_t peak_bytes);

// The most bytes that are alive at one time.
std::int64_t BusiestMomentBytes(const std::vector<PlanBuffer>& buffers);

// By trying every offset below `most` for every buffer; for very small problems. `most` when there is none below it.
std::int64_t OptimumByTrying(const std::vector<PlanBuffer>& buffers, std::int64_t most);

}  // namespace arenaproof::testing
