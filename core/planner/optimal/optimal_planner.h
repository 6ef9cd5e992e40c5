// Plans memory optimally, as far as limits allow: a first answer from first fit, then searches for ever smaller heads
// and for proofs that there is none smaller, each round of them with more steps than the last.
//
// Runs on the host, uses the heap and threads. Its plans are not trusted: certify them.
// Sources: the problem is dynamic storage allocation (Garey and Johnson, SR2); placement_search.h has those of the
// search.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/planner/optimal/plan_problem.h"

namespace arenaproof {

struct PlanLimits {
  // Placements tried, about a million in a second or two; eight of a TightSearch are one. Equal problems under equal
  // limits have equal plans, whatever the number of threads.
  std::uint64_t work_limit = std::numeric_limits<std::uint64_t>::max();
  // From the call on. Promises only that the plan is valid: how good it is depends on the machine.
  std::optional<std::chrono::duration<double>> time_limit = std::nullopt;
  unsigned threads = 1;  // 0 counts as 1
};

struct OptimalPlan {
  ProblemVerdict problem;              // with a fault there is no plan
  std::vector<std::int64_t> offsets;   // in bytes, one for each buffer
  std::int64_t peak_bytes = 0;         // the end of the highest buffer
  std::int64_t lower_bound_bytes = 0;  // proven: no plan's peak is smaller
  std::uint64_t steps = 0;             // that it took
  std::uint64_t steps_to_best = 0;     // after which the plan was found

  bool ok() const { return problem.fault == ProblemFault::kNone; }
  // The bound is reached: that of the busiest moment, or one below which every head was searched without a plan.
  bool proven_optimal() const { return ok() && peak_bytes == lower_bound_bytes; }
};

// Without limits it returns when the plan is proven optimal, which may be never. Problems with more than 4096 buffers
// that have bytes, or more than 2^50 units, get the first answer and the bound only.
// Memory O(n + pairs of buffers that are alive together).
OptimalPlan PlanOptimally(std::span<const PlanBuffer> buffers, const PlanLimits& limits = {});

}  // namespace arenaproof
