// The reference's tests of its greedy, linear and precomputed planners that greedy_planner_test.cc,
// linear_planner_test.cc and precomputed_planner_test.cc do not restate one to one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/planner/greedy_planner.h"
#include "core/planner/plan_picture.h"
#include "core/planner/precomputed_planner.h"
#include "engine/cases/buffer_request.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/quadratic_certifier.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t kWorkspaceBytes = 4096;

// The order in which the planner places buffers that are all alive together: each lies behind those before it. The
// reference tests its sort by itself; here placing is what the sort is for. It hands its buffers to the sort from the
// last to the first, so `sizes` are added in that order.
std::vector<std::size_t> PlacedOrder(std::vector<std::size_t> sizes) {
  std::reverse(sizes.begin(), sizes.end());
  alignas(4) std::array<std::byte, kWorkspaceBytes> workspace;
  GreedyPlanner planner;
  EXPECT_TRUE(planner.Init(workspace).ok());
  for (const std::size_t bytes : sizes) EXPECT_TRUE(planner.AddBuffer(bytes, 0, 0).ok());
  std::vector<std::size_t> offsets(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) EXPECT_TRUE(planner.OffsetOf(i, &offsets[i]).ok());
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; });
  std::size_t largest = SIZE_MAX;
  for (std::size_t& index : order) {
    EXPECT_LE(sizes[index], largest) << "sizes descend";
    largest = sizes[index];
    index = sizes.size() - 1 - index;  // as `sizes` came
  }
  return order;
}

TEST(UpstreamGreedyPlanner, SortsDescendingAndKeepsTheOrderOfEqualSizes) {
  std::vector<std::size_t> sizes(10);
  std::iota(sizes.rbegin(), sizes.rend(), std::size_t{1});  // 10..1
  EXPECT_THAT(PlacedOrder(sizes), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  std::iota(sizes.begin(), sizes.end(), std::size_t{1});  // 1..10
  EXPECT_THAT(PlacedOrder(sizes), ElementsAre(9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  std::vector<std::size_t> hundred;
  std::vector<std::size_t> expected;
  for (std::size_t i = 0; i < 100; ++i) hundred.push_back(i % 10 + 1);
  // 9, 19, ..., 99, then 8, 18, ..., 98, at last 0, 10, ..., 90.
  for (std::size_t bytes = 10; bytes-- > 0;) {
    for (std::size_t repetition = 0; repetition < 10; ++repetition) expected.push_back(repetition * 10 + bytes);
  }
  EXPECT_EQ(PlacedOrder(hundred), expected);
}

class LineCounter final : public PictureSink {
 public:
  bool Line(std::string_view) override {
    ++count;
    return true;
  }
  std::size_t count = 0;
};

// Offsets, the largest end, no overlap, and a picture.
void ExpectPlan(const std::vector<BufferRequest>& requests, const std::vector<std::size_t>& offsets,
                std::size_t maximum_bytes, std::size_t time_steps) {
  GreedyPlanner planner;
  // The workspace of the reference is a multiple of 4 and not of 8.
  const auto plan = Plan(planner, requests, 4, kWorkspaceBytes - planner.WorkspaceBytes(requests.size()));
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->offsets, offsets);
  EXPECT_EQ(plan->maximum_bytes, maximum_bytes);
  const std::vector<PlacedBuffer> placed = Placed(requests, plan->offsets);
  EXPECT_TRUE(CertifyAnywhere(placed, plan->maximum_bytes, 1).ok());
  LineCounter picture;
  DrawPlan(placed, picture);
  EXPECT_EQ(picture.count, requests.size() + time_steps);
}

TEST(UpstreamGreedyPlanner, PlansTheMediumCase) {
  ExpectPlan({{10, 0, 1}, {20, 1, 2}, {30, 2, 3}, {40, 3, 4}, {50, 0, 1}}, {50, 70, 40, 0, 0}, 90, 5);
}

TEST(UpstreamGreedyPlanner, PlansTheOverlapCase) {
  ExpectPlan({{100, 0, 1}, {50, 2, 3}, {20, 1, 2}}, {0, 0, 100}, 120, 4);
}

constexpr std::array<std::int32_t, 2> kTwoOffsets = {0, 10};

TEST(UpstreamPrecomputedPlanner, AddsBuffers) {
  PrecomputedPlanner planner(kTwoOffsets);
  ASSERT_TRUE(planner.Init({}).ok());
  EXPECT_TRUE(planner.AddBuffer(10, 0, 1).ok());
  EXPECT_TRUE(planner.AddBuffer(20, 0, 1).ok());
  EXPECT_EQ(planner.BufferCount(), 2u);
}

// Hardened: the reference answers for every entry of its plan, here one has to be added first.
TEST(UpstreamPrecomputedPlanner, GivesAnOffsetOnceTheBufferIsAdded) {
  PrecomputedPlanner planner(kTwoOffsets);
  ASSERT_TRUE(planner.Init({}).ok());
  std::size_t offset = 7;
  EXPECT_EQ(planner.OffsetOf(1, &offset), Failure(StatusCode::kPlannerBufferIndex, 1, 0));
  ASSERT_TRUE(planner.AddBuffer(10, 0, 1).ok());
  ASSERT_TRUE(planner.AddBuffer(20, 0, 1).ok());
  ASSERT_TRUE(planner.OffsetOf(0, &offset).ok());
  EXPECT_EQ(offset, 0u);
  ASSERT_TRUE(planner.OffsetOf(1, &offset).ok());
  EXPECT_EQ(offset, 10u);
}

// Hardened: the reference's maximum is 0 whatever was added; here it is the end of what was.
TEST(UpstreamPrecomputedPlanner, HasAMaximumOfZeroUntilABufferIsAdded) {
  PrecomputedPlanner planner(kTwoOffsets);
  std::size_t maximum_bytes = 7;
  ASSERT_TRUE(planner.MaximumBytes(&maximum_bytes).ok());
  EXPECT_EQ(maximum_bytes, 0u);
  ASSERT_TRUE(planner.Init({}).ok());
  ASSERT_TRUE(planner.AddBuffer(10, 0, 1).ok());
  ASSERT_TRUE(planner.MaximumBytes(&maximum_bytes).ok());
  EXPECT_EQ(maximum_bytes, 10u);
}

}  // namespace
}  // namespace arenaproof::testing
