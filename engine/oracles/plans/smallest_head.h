// What the best plan of a small problem can be, by trying: a second statement of what the optimal planner and the
// reports of busiest moments answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/planner/optimal/plan_problem.h"

namespace arenaproof::testing {

// The smallest head of any plan, for up to eight buffers that may be placed. In the order of their offsets each buffer
// of a best plan can be let down as far as the fixed ones and those before it allow, so that first fit in every order
// finds one. CheckProblem finds no fault in the problem; numbers are far below 2^62.
std::int64_t SmallestHead(const std::vector<PlanBuffer>& buffers);

struct LoadMoment {
  std::int64_t bytes = 0;
  std::int64_t time = 0;             // the first with as many, from `preferred_from` on if there is one
  std::vector<std::size_t> buffers;  // that live then and have bytes
};

// Of every time at which a buffer begins or comes back, and of `preferred_from`: in a model the first operator's step,
// 1, which is better than an earlier time with as many.
LoadMoment LargestLoad(const std::vector<PlanBuffer>& buffers, std::int64_t preferred_from = INT64_MIN);

}  // namespace arenaproof::testing
