// Fixed buffers that are trusted to share bytes with each other: they count as the bytes that they take together, plans
// are made around these, and nothing else may share.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/generators/reach_report.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "props/plans/problem_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/plans/busiest_moment.h"
#include "tools/plans/made_plan.h"
#include "tools/plans/plan_certificate.h"

namespace arenaproof::testing {
namespace {

constexpr std::int64_t kLastTime = 8;

// Mostly fixed, some in the middle of others.
LabelledProblem DrawTrusted() {
  LabelledProblem problem;
  problem.trusts_fixed = true;
  const int fixed_in = 1 + Below(3);
  for (std::size_t i = 0, count = 1 + Below<std::size_t>(7); i < count; ++i) {
    PlanBuffer& buffer = problem.buffers.emplace_back();
    buffer.lifetime.lower = Below<std::int64_t>(6);
    buffer.lifetime.upper = buffer.lifetime.lower + Below<std::int64_t>(4);
    buffer.bytes = Below<std::int64_t>(13);
    if (OneIn(fixed_in)) buffer.offset = Below<std::int64_t>(21);
    problem.labels.push_back({.id = std::to_string(i)});
  }
  RC_LOG() << ProblemText(problem.buffers);
  return problem;
}

// Whether two that are not both fixed share a byte while both are alive.
bool AnyShares(const LabelledProblem& problem, PlanOffsets offsets) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const PlanBuffer &a = problem.buffers[i], &b = problem.buffers[j];
      if ((a.offset && b.offset) || !LiveTogether(a, b) || a.bytes == 0 || b.bytes == 0) continue;
      if (*offsets[i] < *offsets[j] + b.bytes && *offsets[j] < *offsets[i] + a.bytes) return true;
    }
  }
  return false;
}

// Byte by byte.
std::int64_t LoadOfBytes(const LabelledProblem& problem) {
  std::int64_t largest = 0;
  for (std::int64_t time = 0; time <= kLastTime; ++time) {
    std::set<std::int64_t> fixed;
    std::int64_t bytes = 0;
    for (const PlanBuffer& buffer : problem.buffers) {
      if (time < buffer.lifetime.lower || time >= buffer.lifetime.upper) continue;
      if (!buffer.offset) bytes += buffer.bytes;
      for (std::int64_t b = 0; buffer.offset && b < buffer.bytes; ++b) fixed.insert(*buffer.offset + b);
    }
    largest = std::max(largest, bytes + static_cast<std::int64_t>(fixed.size()));
  }
  return largest;
}

RC_GTEST_PROP(TrustedPlans, AreCertifiedWhenOnlyFixedBuffersShareBytes, ()) {
  const LabelledProblem problem = DrawTrusted();
  std::vector<std::optional<std::int64_t>> offsets;
  for (const PlanBuffer& buffer : problem.buffers) {
    offsets.emplace_back(buffer.offset ? *buffer.offset : Below<std::int64_t>(61));
  }
  const PlanCertificate certificate = CertifyPlan(problem, offsets);
  Require(certificate.ok() == !AnyShares(problem, offsets), "a plan is certified unless another buffer shares");
  LabelledProblem distrusted = problem;
  distrusted.trusts_fixed = false;
  const WrongPlan wrong = WhatIsWrong(problem.buffers, offsets);
  Require(SaysTheSame(CertifyPlan(distrusted, offsets), wrong), "without trust every pair is looked at");
  if (certificate.ok() && wrong.fault != PlanFault::kNone) CountReach("plans that trust alone makes sound", 1);
  CountReach(certificate.ok() ? "trusted plans that are certified" : "trusted plans that are refused", 1);
  if (certificate.ok()) return;
  const PlanBuffer &first = problem.buffers[certificate.first], &second = problem.buffers[certificate.second];
  Require(LiveTogether(first, second) && !(first.offset && second.offset), "the pair is alive and not both fixed");
  for (const std::size_t i : {certificate.first, certificate.second}) {
    Require(
        *offsets[i] <= certificate.shared_offset && *offsets[i] + problem.buffers[i].bytes > certificate.shared_offset,
        "both have the byte that is named");
  }
}

RC_GTEST_PROP(TrustedPlans, AreMadeAroundWhatFixedBuffersTakeTogether, ()) {
  const LabelledProblem problem = DrawTrusted();
  const std::int64_t load = LoadOfBytes(problem);
  Require(FindBusiestMoment(problem).bytes == load, "the busiest moment counts each byte once");
  const MadePlan optimal = MakePlan("optimal", problem, {.work_limit = 2000});
  const MadePlan greedy = MakePlan("greedy", problem);
  Require(optimal.problem.empty() && greedy.problem.empty(), "there is a plan: " + optimal.problem + greedy.problem);
  Require(!AnyShares(problem, optimal.offsets) && !AnyShares(problem, greedy.offsets), "no other buffer shares");
  Require(load <= optimal.lower_bound_bytes && greedy.lower_bound_bytes <= optimal.lower_bound_bytes,
          "the bound is no less than what lives at once");
  Require(optimal.lower_bound_bytes <= optimal.peak_bytes && optimal.peak_bytes <= greedy.peak_bytes,
          "the optimal planner's peak is no larger than another's");
}

}  // namespace
}  // namespace arenaproof::testing
