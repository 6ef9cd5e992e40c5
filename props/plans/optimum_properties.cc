// Plans of the optimal planner are certified, no worse and no better than the best that trying every order finds, and
// the same for equal problems whatever the number of threads; under any limit the bound is below the optimum and the
// plan is valid. Large problems whose optimum is known because of how they were made ask the same.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/planner/optimal/optimal_planner.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "engine/oracles/plans/smallest_head.h"
#include "props/plans/laid_out_problem.h"
#include "props/plans/problem_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

using Buffers = std::vector<PlanBuffer>;

constexpr std::uint64_t kEnoughSteps = 20'000;
constexpr std::uint64_t kSomeSteps = 3'000, kManySteps = 30'000;
// Searches of one round that share what steps are left have one at least.
constexpr std::uint64_t kMostSearches = 1024;
constexpr std::size_t kMostBuffers = 7;
constexpr std::size_t kMostTiles = 30;
constexpr std::size_t kFewTiles = 14;
constexpr std::size_t kMostLaidOut = 60;

OptimalPlan PlanOf(const Buffers& buffers, const PlanLimits& limits) {
  OptimalPlan plan = PlanOptimally(buffers, limits);
  Require(plan.ok(), "a problem without a fault is planned");
  Require(plan.offsets.size() == buffers.size(), "each buffer has an offset");
  const std::vector<std::optional<std::int64_t>> offsets(plan.offsets.begin(), plan.offsets.end());
  const WrongPlan wrong = WhatIsWrong(buffers, offsets);
  Require(wrong.fault == PlanFault::kNone, std::string("a plan is valid: ") + PlanFaultName(wrong.fault));
  std::int64_t end = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) end = std::max(end, plan.offsets[i] + buffers[i].bytes);
  Require(plan.peak_bytes == end, "the peak is the end of the highest buffer");
  Require(plan.lower_bound_bytes >= LargestLoad(buffers).bytes, "the bound is no less than what lives at once");
  Require(plan.steps_to_best <= plan.steps, "the best plan is found before the search ends");
  const std::uint64_t left = std::numeric_limits<std::uint64_t>::max() - limits.work_limit;
  Require(plan.steps <= limits.work_limit + std::min(left, kMostSearches), "the search ends at its limit");
  return plan;
}

void RequireBounds(const OptimalPlan& plan, std::int64_t optimum) {
  RC_LOG() << "peak " << plan.peak_bytes << ", bound " << plan.lower_bound_bytes << ", optimum " << optimum << "\n";
  Require(plan.lower_bound_bytes <= optimum, "no plan lies below the bound");
  Require(plan.peak_bytes >= optimum, "no plan is better than the best");
}

void RequireTheSame(const Buffers& buffers, const OptimalPlan& plan, PlanLimits limits) {
  limits.threads = OneIn(2) ? 2 : 1 + Below(4u);
  const OptimalPlan again = PlanOptimally(buffers, limits);
  Require(again.offsets == plan.offsets && again.peak_bytes == plan.peak_bytes &&
              again.lower_bound_bytes == plan.lower_bound_bytes && again.steps == plan.steps &&
              again.steps_to_best == plan.steps_to_best,
          "equal problems have equal plans in as many steps, whatever the number of threads");
}

Buffers DrawSmallProblem() {
  Buffers buffers = DrawSoundProblem(kMostBuffers);
  RC_LOG() << ProblemText(buffers);
  return buffers;
}

RC_GTEST_PROP(OptimalPlans, AreAsGoodAsTheBestOfAllOrders, ()) {
  const Buffers buffers = DrawSmallProblem();
  const OptimalPlan plan = PlanOf(buffers, {.work_limit = kEnoughSteps});
  RequireBounds(plan, SmallestHead(buffers));
  Require(plan.proven_optimal(), "so few buffers are decided within so many steps");
  CountReach("steps to an optimum", plan.steps);
  if (OneIn(8)) RequireTheSame(buffers, plan, {.work_limit = kEnoughSteps});
}

RC_GTEST_PROP(OptimalPlans, UnderAnyLimitAreValidAndAboveTheirBound, ()) {
  const Buffers buffers = DrawSmallProblem();
  PlanLimits limits{.work_limit = OneIn(4) ? 0 : Below<std::uint64_t>(40)};
  if (OneIn(8)) limits = {.time_limit = std::chrono::duration<double>(0.0)};
  const OptimalPlan plan = PlanOf(buffers, limits);
  RequireBounds(plan, SmallestHead(buffers));
  if (!limits.time_limit && OneIn(8)) RequireTheSame(buffers, plan, limits);
}

RC_GTEST_PROP(OptimalPlans, FillARectangleThatWasCutIntoBuffers, ()) {
  const KnownProblem tiling = DrawTiling(kMostTiles);
  RC_LOG() << ProblemText(tiling.buffers);
  const OptimalPlan plan = PlanOf(tiling.buffers, {.work_limit = kEnoughSteps});
  RequireBounds(plan, tiling.head);
  Require(plan.lower_bound_bytes == tiling.head, "a full moment is a bound");
  Require(plan.proven_optimal() || tiling.buffers.size() > kFewTiles,
          "so few buffers are laid together again within so many steps");
  if (plan.steps > 0) CountReach("tiles that first fit does not lay", tiling.buffers.size());
  if (OneIn(8)) RequireTheSame(tiling.buffers, plan, {.work_limit = kEnoughSteps});
}

void RequireTrueClaims(const KnownProblem& problem) {
  RC_LOG() << ProblemText(problem.buffers);
  const PlanLimits limits{.work_limit = OneIn(4) ? Below(kSomeSteps) : OneIn(4) ? kManySteps : kSomeSteps};
  const OptimalPlan plan = PlanOf(problem.buffers, limits);
  RequireBounds(plan, problem.head);
  if (plan.proven_optimal() && plan.steps > 0) CountReach("buffers of an optimum that took steps", plan.offsets.size());
  if (OneIn(plan.steps > 0 ? 3 : 16)) RequireTheSame(problem.buffers, plan, limits);
}

// Tiles of which some are taken out leave bytes free, so that a search that wastes none has to guess where those lie.
RC_GTEST_PROP(OptimalPlans, ClaimNoMoreThanIsTrueOfTilesThatWereTakenOut, ()) {
  RequireTrueClaims(DrawTiling(kMostLaidOut));
}

RC_GTEST_PROP(OptimalPlans, ClaimNoMoreThanIsTrueOfAlignedAndFixedTilesAndOfGaps, ()) {
  RequireTrueClaims(DrawRichTiling(kMostTiles));
}

RC_GTEST_PROP(OptimalPlans, ClaimNoMoreThanIsTrueOfJoinedProblems, ()) {
  RequireTrueClaims(DrawJoinedProblem(kMostTiles));
}

// A problem that is another one in disguise.
RC_GTEST_PROP(OptimalPlans, HaveTheSamePeakWhenTheProblemIsWrittenOtherwise, ()) {
  const Buffers buffers = DrawSmallProblem();
  const std::int64_t optimum = PlanOf(buffers, {.work_limit = kEnoughSteps}).peak_bytes;
  Buffers other = buffers;
  std::int64_t factor = 1;
  switch (Below(3)) {
    case 0:
      factor = 2 + Below<std::int64_t>(6);
      for (PlanBuffer& buffer : other) {
        buffer.bytes *= factor;
        buffer.alignment *= factor;
        if (buffer.offset) *buffer.offset *= factor;
      }
      break;
    case 1:
      for (PlanBuffer& buffer : other) {
        const auto reverse = [](const TimeInterval& time) { return TimeInterval{-time.upper, -time.lower}; };
        if (buffer.lifetime.lower < -1'000'000) return;  // at the other end there is no room for it
        buffer.lifetime = reverse(buffer.lifetime);
        std::reverse(buffer.gaps.begin(), buffer.gaps.end());
        for (TimeInterval& gap : buffer.gaps) gap = reverse(gap);
      }
      break;
    default:
      for (std::size_t i = other.size(); i > 1; --i) std::swap(other[i - 1], other[Below(i)]);
  }
  RC_LOG() << "disguised:\n" << ProblemText(other);
  Require(PlanOf(other, {.work_limit = kEnoughSteps}).peak_bytes == factor * optimum,
          "scaled, backwards in time or in another order a problem has the same optimum");
}

}  // namespace
}  // namespace arenaproof::testing
