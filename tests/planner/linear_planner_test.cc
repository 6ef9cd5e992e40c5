#include "core/planner/linear_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "engine/cases/buffer_request.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/quadratic_certifier.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

TEST(LinearPlanner, PutsEachBufferBehindTheOneBefore) {
  LinearPlanner planner;
  const auto plan = Plan(planner, std::vector<BufferRequest>{{10, 0, 1}, {20, 1, 2}});
  ASSERT_TRUE(plan.has_value());
  EXPECT_THAT(plan->offsets, ElementsAre(0, 10));
  EXPECT_EQ(plan->maximum_bytes, 30u);
}

TEST(LinearPlanner, NeedsTheSumOfAllForPersonDetection) {
  const std::vector<BufferRequest> requests{
      {9216, 0, 29},  {3, 28, 29},    {256, 27, 28},  {2304, 26, 27}, {2304, 25, 26}, {2304, 24, 25},
      {1152, 23, 24}, {4608, 22, 23}, {4608, 21, 22}, {4608, 20, 21}, {4608, 19, 20}, {4608, 18, 19},
      {4608, 17, 18}, {4608, 16, 17}, {4608, 15, 16}, {4608, 14, 15}, {4608, 13, 14}, {4608, 12, 13},
      {2304, 11, 12}, {9216, 10, 11}, {9216, 9, 10},  {9216, 8, 9},   {4608, 7, 8},   {18432, 6, 7},
      {18432, 5, 6},  {18432, 4, 5},  {9216, 3, 4},   {36864, 2, 3},  {18432, 1, 2},  {18432, 0, 1}};
  LinearPlanner planner;
  const auto plan = Plan(planner, requests);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->maximum_bytes, 241027u);
  EXPECT_TRUE(CertifyAnywhere(Placed(requests, plan->offsets), plan->maximum_bytes, 1).ok());
}

TEST(LinearPlanner, StartsEmptyForEachModel) {
  LinearPlanner planner;
  const std::vector<BufferRequest> requests{{10, 0, 1}, {20, 1, 2}};
  const auto first = Plan(planner, requests);
  EXPECT_EQ(Plan(planner, requests), first);
}

TEST(LinearPlanner, RefusesOfflineOffsetsOverflowAndWhatItHasNoRoomFor) {
  std::array<std::byte, 2 * LinearPlanner::kBytesPerBuffer + 1> workspace;
  LinearPlanner planner;
  ASSERT_TRUE(planner.Init(std::span(workspace).subspan(1)).ok());
  EXPECT_EQ(planner.AddBuffer(16, 0, 0, 0), Failure(StatusCode::kPlannerOfflineOffset, 0, 0));
  ASSERT_TRUE(planner.AddBuffer(16, 0, 0).ok());
  EXPECT_EQ(planner.AddBuffer(SIZE_MAX - 15, 0, 0), Failure(StatusCode::kPlannerOverflow, 1, SIZE_MAX - 15));
  ASSERT_TRUE(planner.AddBuffer(SIZE_MAX - 16, 0, 0).ok());
  EXPECT_EQ(planner.AddBuffer(0, 0, 0), Failure(StatusCode::kPlannerTooManyBuffers, 2));
  std::size_t offset = 0;
  EXPECT_EQ(planner.OffsetOf(2, &offset), Failure(StatusCode::kPlannerBufferIndex, 2, 2));
  ASSERT_TRUE(planner.OffsetOf(1, &offset).ok());
  EXPECT_EQ(offset, 16u);
  EXPECT_EQ(planner.WorkspaceBytes(SIZE_MAX), SIZE_MAX);
}

}  // namespace
}  // namespace arenaproof::testing
