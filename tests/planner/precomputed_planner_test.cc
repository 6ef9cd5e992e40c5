#include "core/planner/precomputed_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "engine/cases/buffer_request.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/quadratic_certifier.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

TEST(PrecomputedPlanner, GivesTheOffsetsOfItsPlan) {
  constexpr std::array<std::int32_t, 2> kPlan = {0, 10};
  PrecomputedPlanner planner(kPlan);
  const auto plan = Plan(planner, std::vector<BufferRequest>{{10, 0, 1}, {20, 0, 1}});
  ASSERT_TRUE(plan.has_value());
  EXPECT_THAT(plan->offsets, ElementsAre(0, 10));
  EXPECT_EQ(plan->maximum_bytes, 30u);
}

TEST(PrecomputedPlanner, ReportsTheEndOfThePlanWhereTheReferenceReportsNothing) {
  // The published example of a plan that needs 826 bytes.
  constexpr std::array<std::int32_t, 9> kPlan = {0, 400, 801, 400, 811, 601, 814, 601, 801};
  PrecomputedPlanner planner(kPlan);
  std::vector<BufferRequest> requests;
  for (const std::size_t bytes : {400u, 401u, 10u, 201u, 11u, 202u, 12u, 200u, 13u}) requests.push_back({bytes, 0, 0});
  const auto plan = Plan(planner, requests);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->maximum_bytes, 826u);
}

TEST(PrecomputedPlanner, IsNotTrustedByTheCertifier) {
  constexpr std::array<std::int32_t, 2> kPlan = {0, 8};
  const std::vector<BufferRequest> requests{{10, 0, 1}, {20, 1, 2}};
  PrecomputedPlanner planner(kPlan);
  const auto plan = Plan(planner, requests);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(CertifyAnywhere(Placed(requests, plan->offsets), plan->maximum_bytes, 1).reason,
            CertificateReason::kSharedBytes);
}

TEST(PrecomputedPlanner, StartsAnewForEachModel) {
  constexpr std::array<std::int32_t, 2> kPlan = {0, 10};
  PrecomputedPlanner planner(kPlan);
  const std::vector<BufferRequest> requests{{10, 0, 1}, {20, 1, 2}};
  const auto first = Plan(planner, requests);
  EXPECT_EQ(Plan(planner, requests), first);
}

TEST(PrecomputedPlanner, RefusesWhatThePlanDoesNotCover) {
  constexpr std::array<std::int32_t, 3> kPlan = {0, 10, -1};
  PrecomputedPlanner planner(kPlan);
  std::size_t offset = 0;
  ASSERT_TRUE(planner.Init({}).ok());
  EXPECT_EQ(planner.OffsetOf(0, &offset), Failure(StatusCode::kPlannerBufferIndex, 0, 0));
  ASSERT_TRUE(planner.AddBuffer(10, 0, 1).ok());
  EXPECT_EQ(planner.AddBuffer(10, 0, 1, 16), Failure(StatusCode::kPlannerOfflineOffset, 1, 16));
  EXPECT_EQ(planner.AddBuffer(SIZE_MAX - 9, 0, 1), Failure(StatusCode::kPlannerOverflow, 1, SIZE_MAX - 9));
  ASSERT_TRUE(planner.AddBuffer(20, 0, 1).ok());
  EXPECT_EQ(planner.AddBuffer(10, 0, 1), Failure(StatusCode::kPlannerOfflineOffset, 2, -1));

  PrecomputedPlanner two(std::span<const std::int32_t>(kPlan).first(2));
  ASSERT_TRUE(two.Init({}).ok());
  ASSERT_TRUE(two.AddBuffer(1, 0, 0).ok());
  ASSERT_TRUE(two.AddBuffer(1, 0, 0).ok());
  EXPECT_EQ(two.AddBuffer(1, 0, 0), Failure(StatusCode::kPlannerTooManyBuffers, 2));
}

}  // namespace
}  // namespace arenaproof::testing
