// Fixed buffers that are trusted to share bytes with each other: they count as the bytes that they take together.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "engine/generators/seeded_source.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "tools/plans/busiest_moment.h"
#include "tools/plans/labelled_problem.h"
#include "tools/plans/made_plan.h"
#include "tools/plans/plan_certificate.h"

namespace arenaproof {
namespace {

constexpr std::int64_t kTimes = 8;

LabelledProblem AnyTrusted(SeededSource& random) {
  LabelledProblem problem;
  problem.trusts_fixed = true;
  for (std::size_t i = 0; i < 7; ++i) {
    PlanBuffer& buffer = problem.buffers.emplace_back();
    buffer.lifetime.lower = random.Between(0, 5);
    buffer.lifetime.upper = buffer.lifetime.lower + random.Between(0, 3);
    buffer.bytes = random.Between(0, 12);
    if (random.OneIn(2)) buffer.offset = random.Between(0, 20);
    problem.labels.push_back({.id = std::to_string(i)});
  }
  return problem;
}

// Whether two that are not both fixed share a byte while both are alive.
bool AnyShares(const LabelledProblem& problem, PlanOffsets offsets) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const PlanBuffer &a = problem.buffers[i], &b = problem.buffers[j];
      if ((a.offset && b.offset) || !testing::LiveTogether(a, b) || a.bytes == 0 || b.bytes == 0) continue;
      if (*offsets[i] < *offsets[j] + b.bytes && *offsets[j] < *offsets[i] + a.bytes) return true;
    }
  }
  return false;
}

// Byte by byte.
std::int64_t LargestLoad(const LabelledProblem& problem) {
  std::int64_t largest = 0;
  for (std::int64_t time = 0; time <= kTimes; ++time) {
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

TEST(TrustedPlan, IsCertifiedWhenOnlyFixedBuffersShareBytes) {
  SeededSource random(26);
  std::size_t certified = 0, refused = 0, shared_by_fixed = 0;
  for (int round = 0; round < 2000; ++round) {
    const LabelledProblem problem = AnyTrusted(random);
    std::vector<std::optional<std::int64_t>> offsets;
    for (const PlanBuffer& buffer : problem.buffers) {
      offsets.emplace_back(buffer.offset ? *buffer.offset : random.Between(0, 60));
    }
    const PlanCertificate certificate = CertifyPlan(problem, offsets);
    ASSERT_EQ(certificate.ok(), !AnyShares(problem, offsets)) << "round " << round;
    ++(certificate.ok() ? certified : refused);
    LabelledProblem distrusted = problem;
    distrusted.trusts_fixed = false;
    shared_by_fixed += certificate.ok() && !CertifyPlan(distrusted, offsets).ok() ? 1 : 0;
    if (certificate.ok()) continue;
    const PlanBuffer &first = problem.buffers[certificate.first], &second = problem.buffers[certificate.second];
    ASSERT_LT(certificate.first, certificate.second);
    EXPECT_TRUE(testing::LiveTogether(first, second) && !(first.offset && second.offset)) << "round " << round;
    for (const std::size_t i : {certificate.first, certificate.second}) {
      EXPECT_LE(*offsets[i], certificate.shared_offset);
      EXPECT_GT(*offsets[i] + problem.buffers[i].bytes, certificate.shared_offset);
    }
  }
  for (const std::size_t count : {certified, refused, shared_by_fixed}) EXPECT_GT(count, 100u);
}

TEST(TrustedPlan, IsMadeAroundWhatFixedBuffersTakeTogether) {
  SeededSource random(27);
  for (int round = 0; round < 1000; ++round) {
    const LabelledProblem problem = AnyTrusted(random);
    EXPECT_EQ(FindBusiestMoment(problem).bytes, LargestLoad(problem)) << "round " << round;
    const MadePlan optimal = MakePlan("optimal", problem, {.work_limit = 2000});
    const MadePlan greedy = MakePlan("greedy", problem);
    ASSERT_EQ(optimal.problem + greedy.problem, "");
    EXPECT_LE(optimal.peak_bytes, greedy.peak_bytes);
    EXPECT_GE(optimal.lower_bound_bytes, greedy.lower_bound_bytes);
    EXPECT_LE(optimal.lower_bound_bytes, optimal.peak_bytes);
    EXPECT_GE(optimal.lower_bound_bytes, LargestLoad(problem));
    EXPECT_FALSE(AnyShares(problem, optimal.offsets) || AnyShares(problem, greedy.offsets)) << "round " << round;
  }
}

}  // namespace
}  // namespace arenaproof
