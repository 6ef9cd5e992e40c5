// The optimal planner counts in units that divide every size; an alignment that neither divides the unit nor is a
// multiple of it makes the unit smaller, and so concerns those before it again. Its plans are aligned and optimal all
// the same.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/planner/optimal/optimal_planner.h"
#include "core/planner/optimal/section_problem.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "engine/oracles/plans/smallest_head.h"
#include "props/plans/problem_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

std::vector<PlanBuffer> DrawClashingAlignments() {
  constexpr std::array<std::int64_t, 4> kSizes{12, 24, 36, 60};
  constexpr std::array<std::int64_t, 8> kAlignments{6, 8, 16, 4, 9, 10, 15, 12};
  const std::int64_t unit = kSizes[Below(kSizes.size())];
  const std::array<std::int64_t, 3> few{kAlignments[Below(kAlignments.size())], kAlignments[Below(kAlignments.size())],
                                        kAlignments[Below(kAlignments.size())]};
  std::vector<PlanBuffer> buffers(2 + Below<std::size_t>(5));
  for (PlanBuffer& buffer : buffers) {
    const auto lower = Below<std::int64_t>(3);
    buffer.lifetime = {lower, lower + 1 + Below<std::int64_t>(3)};
    buffer.bytes = unit * (1 + Below<std::int64_t>(3));
    if (!OneIn(4)) buffer.alignment = few[Below(few.size())];
  }
  return buffers;
}

RC_GTEST_PROP(AlignmentsThatClash, AreKeptByOptimalPlans, ()) {
  const std::vector<PlanBuffer> buffers = DrawClashingAlignments();
  RC_LOG() << ProblemText(buffers);
  const std::int64_t unit = MakeSectionProblem(buffers).unit_bytes;
  for (const PlanBuffer& buffer : buffers) {
    Require(buffer.bytes % unit == 0, "a size is a number of units");
    Require(unit % buffer.alignment == 0 || buffer.alignment % unit == 0,
            "an alignment is a number of units, or every number of units is aligned");
  }
  const OptimalPlan plan = PlanOptimally(buffers, {.work_limit = 20'000});
  const std::vector<std::optional<std::int64_t>> offsets(plan.offsets.begin(), plan.offsets.end());
  Require(WhatIsWrong(buffers, offsets).fault == PlanFault::kNone, "a plan is valid");
  const std::int64_t optimum = SmallestHead(buffers);
  Require(plan.lower_bound_bytes <= optimum && optimum <= plan.peak_bytes, "the bound and the plan say what is true");
}

}  // namespace
}  // namespace arenaproof::testing
