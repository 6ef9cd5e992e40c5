#include "core/planner/greedy_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "engine/cases/buffer_request.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/reference_greedy.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

PlanResult PlanGreedily(const std::vector<BufferRequest>& requests) {
  GreedyPlanner planner;
  const auto plan = Plan(planner, requests);
  EXPECT_TRUE(plan.has_value());
  return plan.value_or(PlanResult{});
}

TEST(GreedyPlanner, PlacesLargestFirstAndReusesTheGap) {
  const PlanResult plan = PlanGreedily({{10, 0, 1}, {20, 1, 2}, {30, 2, 3}, {40, 3, 4}, {50, 0, 1}});
  EXPECT_THAT(plan.offsets, ElementsAre(50, 70, 40, 0, 0));
  EXPECT_EQ(plan.maximum_bytes, 90u);
}

TEST(GreedyPlanner, PutsABufferAboveTheHighestItMeets) {
  const PlanResult plan = PlanGreedily({{100, 0, 1}, {50, 2, 3}, {20, 1, 2}});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 0, 100));
  EXPECT_EQ(plan.maximum_bytes, 120u);
}

TEST(GreedyPlanner, PlacesTheLaterOfEqualSizesFirst) {
  EXPECT_THAT(PlanGreedily({{48, 0, 1}, {48, 0, 1}, {48, 0, 1}, {48, 0, 1}}).offsets, ElementsAre(144, 96, 48, 0));
}

TEST(GreedyPlanner, KeepsTheOrderOfTiesInAnyRepetition) {
  // Sizes 1..10 ten times over, all alive together: descending sizes, later first.
  std::vector<BufferRequest> requests;
  for (std::size_t i = 0; i < 100; ++i) requests.push_back({i % 10 + 1, 0, 0});
  const PlanResult plan = PlanGreedily(requests);
  std::size_t next = 0;
  for (std::size_t bytes = 10; bytes >= 1; --bytes) {
    for (std::size_t repetition = 10; repetition-- > 0;) {
      EXPECT_EQ(plan.offsets[repetition * 10 + bytes - 1], next);
      next += bytes;
    }
  }
  EXPECT_EQ(plan.maximum_bytes, next);
}

TEST(GreedyPlanner, LeavesOfflineBuffersWhereTheyAreAndFillsTheGapBeforeThem) {
  const PlanResult plan = PlanGreedily({{100, 0, 9, 1000}, {2000, 0, 9}, {10, 0, 9}});
  EXPECT_THAT(plan.offsets, ElementsAre(1000, 1100, 0));
  EXPECT_EQ(plan.maximum_bytes, 3100u);
}

TEST(GreedyPlanner, LetsOfflineBuffersOverlap) {
  EXPECT_THAT(PlanGreedily({{64, 0, 3, 0}, {64, 0, 3, 32}, {16, 0, 3}}).offsets, ElementsAre(0, 32, 96));
}

TEST(GreedyPlanner, TakesOfflineBuffersInAnyOrderOfOffsets) {
  const PlanResult plan =
      PlanGreedily({{64, 0, 3, 256}, {64, 0, 3, 0}, {64, 0, 3, 128}, {48, 0, 3}, {64, 1, 2}, {80, 1, 2}});
  EXPECT_THAT(plan.offsets, ElementsAre(256, 0, 128, 192, 64, 320));
  EXPECT_EQ(plan.maximum_bytes, 400u);
}

TEST(GreedyPlanner, ReadsInvertedLifetimesAsTheReferenceDoes) {
  EXPECT_THAT(PlanGreedily({{64, 3, 1}, {32, 0, 4}, {16, 2, 2}}).offsets, ElementsAre(0, 64, 0));
}

TEST(GreedyPlanner, TakesAnExactFit) {
  EXPECT_THAT(PlanGreedily({{16, 0, 1, 0}, {16, 0, 1, 32}, {16, 0, 1}}).offsets, ElementsAre(0, 32, 16));
}

TEST(GreedyPlanner, PlacesZeroBytesAtTheFirstPossiblePosition) {
  EXPECT_THAT(PlanGreedily({{0, 0, 1}, {16, 0, 1}}).offsets, ElementsAre(0, 0));
  EXPECT_THAT(PlanGreedily({{0, 0, 1}, {0, 0, 1}}).offsets, ElementsAre(0, 0));
}

TEST(GreedyPlanner, TreatsTimeMinusOneAsATime) {
  EXPECT_THAT(PlanGreedily({{16, -1, -1}, {16, -1, -1}, {16, -1, 2}, {16, 0, 2}}).offsets, ElementsAre(32, 0, 16, 0));
}

TEST(GreedyPlanner, LetsABufferLiveAtEveryTimeThereIs) {
  // As many as are looked at together, and more: of those that are placed, and of nothing else.
  std::vector<BufferRequest> requests;
  for (int i = 0; i < 70; ++i) requests.push_back({static_cast<std::size_t>(i % 7 + 1), 3 * i, 3 * i + 4});
  requests[40] = {9, INT32_MIN, INT32_MAX};
  requests[50] = {2, INT32_MIN, INT32_MAX};
  requests[10] = {1, 30, 34, 0};
  EXPECT_EQ(PlanGreedily(requests), ReferenceGreedy(requests));
}

TEST(GreedyPlanner, FillsTheGapsOfLargeBuffersWithSmallOnes) {
  // Of every two large ones one is gone soon; small ones find its place, though large ones found none.
  std::vector<BufferRequest> requests;
  for (int i = 0; i < 200; ++i) requests.push_back({static_cast<std::size_t>(1000 - i), 0, i % 2 == 0 ? 9 : 1});
  for (int i = 0; i < 200; ++i) requests.push_back({static_cast<std::size_t>(100 + i), i % 3, 9 - i % 4});
  EXPECT_EQ(PlanGreedily(requests), ReferenceGreedy(requests));
}

TEST(GreedyPlanner, HasAnEmptyPlanBeforeTheFirstBuffer) {
  GreedyPlanner planner;
  std::size_t value = 7;
  ASSERT_TRUE(planner.MaximumBytes(&value).ok());
  EXPECT_EQ(value, 0u);
  EXPECT_EQ(planner.OffsetOf(0, &value), Failure(StatusCode::kPlannerBufferIndex, 0, 0));
  EXPECT_EQ(planner.AddBuffer(1, 0, 0), Failure(StatusCode::kPlannerTooManyBuffers, 0));
}

TEST(GreedyPlanner, HoldsExactlyAsManyBuffersAsItsWorkspaceHasRoomFor) {
  alignas(std::size_t) std::array<std::byte, 10 * GreedyPlanner::kBytesPerBuffer> memory;
  for (const std::size_t missing_bytes : {std::size_t{0}, std::size_t{1}}) {
    GreedyPlanner planner;
    ASSERT_TRUE(planner.Init(std::span(memory).first(memory.size() - missing_bytes)).ok());
    const std::size_t capacity = 10 - missing_bytes;
    EXPECT_EQ(planner.capacity(), capacity);
    for (std::size_t i = 0; i < capacity; ++i) ASSERT_TRUE(planner.AddBuffer(16, 0, 0).ok());
    EXPECT_EQ(planner.AddBuffer(16, 0, 0), Failure(StatusCode::kPlannerTooManyBuffers, capacity));
    EXPECT_EQ(planner.BufferCount(), capacity);
    std::size_t maximum_bytes = 0;
    ASSERT_TRUE(planner.MaximumBytes(&maximum_bytes).ok());
    EXPECT_EQ(maximum_bytes, capacity * 16);
  }
}

TEST(GreedyPlanner, AsksForAWorkspaceThatSufficesAtEveryAddress) {
  const std::vector<BufferRequest> requests{{10, 0, 1}, {20, 1, 2}, {30, 2, 3}};
  const PlanResult expected = PlanGreedily(requests);
  for (std::size_t shift_bytes = 0; shift_bytes < 16; ++shift_bytes) {
    GreedyPlanner planner;
    EXPECT_EQ(Plan(planner, requests, shift_bytes), expected) << "at " << shift_bytes;
  }
}

TEST(GreedyPlanner, SaysThatNoWorkspaceHoldsMoreBuffersThanItCanNumber) {
  const GreedyPlanner planner;
  EXPECT_EQ(planner.WorkspaceBytes(SIZE_MAX), SIZE_MAX);
  EXPECT_EQ(planner.WorkspaceBytes((std::size_t{1} << 31) + 1), SIZE_MAX);
  // With 32-bit words the address space is the limit.
  EXPECT_EQ(planner.WorkspaceBytes(std::size_t{1} << 31) < SIZE_MAX, sizeof(std::size_t) == 8);
}

TEST(GreedyPlanner, MakesThePlanAnewAfterABufferIsAdded) {
  std::array<std::byte, 256> memory;
  GreedyPlanner planner;
  ASSERT_TRUE(planner.Init(memory).ok());
  ASSERT_TRUE(planner.AddBuffer(16, 0, 1).ok());
  std::size_t offset = 7;
  ASSERT_TRUE(planner.OffsetOf(0, &offset).ok());
  EXPECT_EQ(offset, 0u);
  ASSERT_TRUE(planner.AddBuffer(32, 0, 1).ok());
  ASSERT_TRUE(planner.OffsetOf(0, &offset).ok());
  EXPECT_EQ(offset, 32u);
  ASSERT_TRUE(planner.OffsetOf(0, &offset).ok());
  EXPECT_EQ(offset, 32u);
  ASSERT_TRUE(planner.AddBuffer(8, 0, 1, 0).ok());
  ASSERT_TRUE(planner.OffsetOf(1, &offset).ok());
  EXPECT_EQ(offset, 8u);
}

TEST(GreedyPlanner, StartsEmptyForEachModel) {
  std::array<std::byte, 256> memory;
  GreedyPlanner planner;
  for (int model = 0; model < 2; ++model) {
    ASSERT_TRUE(planner.Init(memory).ok());
    EXPECT_EQ(planner.BufferCount(), 0u);
    std::size_t value = 7;
    ASSERT_TRUE(planner.MaximumBytes(&value).ok());
    EXPECT_EQ(value, 0u);
    ASSERT_TRUE(planner.AddBuffer(100, 0, 0).ok());
    ASSERT_TRUE(planner.OffsetOf(0, &value).ok());
    EXPECT_EQ(value, 0u);
  }
}

TEST(GreedyPlanner, RefusesAnIndexOutsideItsBuffers) {
  std::array<std::byte, 256> memory;
  GreedyPlanner planner;
  ASSERT_TRUE(planner.Init(memory).ok());
  ASSERT_TRUE(planner.AddBuffer(100, 0, 0).ok());
  std::size_t offset = 7;
  EXPECT_EQ(planner.OffsetOf(1, &offset), Failure(StatusCode::kPlannerBufferIndex, 1, 1));
  EXPECT_EQ(planner.OffsetOf(SIZE_MAX, &offset), Failure(StatusCode::kPlannerBufferIndex, SIZE_MAX, 1));
  EXPECT_EQ(offset, 7u);
}

TEST(GreedyPlanner, RefusesNegativeOfflineOffsets) {
  std::array<std::byte, 256> memory;
  GreedyPlanner planner;
  ASSERT_TRUE(planner.Init(memory).ok());
  EXPECT_EQ(planner.AddBuffer(100, 0, 0, -5), Failure(StatusCode::kPlannerOfflineOffset, 0, -5));
  EXPECT_EQ(planner.AddBuffer(100, 0, 0, INT64_MIN), Failure(StatusCode::kPlannerOfflineOffset, 0, INT64_MIN));
  EXPECT_EQ(planner.BufferCount(), 0u);
}

TEST(GreedyPlanner, PlansSizesThatAThirtyTwoBitIntegerCannotHold) {
  if (sizeof(std::size_t) < 8) GTEST_SKIP() << "words of this build cannot hold them either";
  const std::size_t bytes = static_cast<std::size_t>(std::uint64_t{3} << 31);
  const std::size_t fixed_end = 0x7FFFFFF0 + std::size_t{64};
  const PlanResult plan = PlanGreedily({{bytes, 0, 0}, {bytes + 16, 0, 0}, {64, 0, 0, 0x7FFFFFF0}});
  EXPECT_THAT(plan.offsets, ElementsAre(fixed_end + bytes + 16, fixed_end, 0x7FFFFFF0));
}

TEST(GreedyPlanner, RefusesASumThatDoesNotFitInsteadOfWrapping) {
  std::array<std::byte, 256> memory;
  GreedyPlanner planner;
  std::size_t value = 7;
  ASSERT_TRUE(planner.Init(memory).ok());
  EXPECT_EQ(planner.AddBuffer(SIZE_MAX - 15, 0, 0, 16), Failure(StatusCode::kPlannerOverflow, 0, SIZE_MAX - 15));
  ASSERT_TRUE(planner.AddBuffer(SIZE_MAX - 15, 0, 0).ok());
  ASSERT_TRUE(planner.MaximumBytes(&value).ok());
  EXPECT_EQ(value, SIZE_MAX - 15);
  ASSERT_TRUE(planner.AddBuffer(16, 0, 0).ok());
  EXPECT_EQ(planner.MaximumBytes(&value), Failure(StatusCode::kPlannerOverflow, 1, 16));
  EXPECT_EQ(planner.OffsetOf(0, &value), Failure(StatusCode::kPlannerOverflow, 1, 16));
}

}  // namespace
}  // namespace arenaproof::testing
