#include "sanitizers/layout/dilated_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/planner/greedy_planner.h"
#include "core/planner/linear_planner.h"
#include "engine/cases/buffer_request.h"
#include "engine/oracles/planner/planned_requests.h"
#include "sanitizers/layout/dilating_planner.h"
#include "sanitizers/layout/layout.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

DilatedLayout DilateOrFail(const std::vector<PlacedBuffer>& faithful) {
  DilatedLayout layout;
  EXPECT_TRUE(Dilate(faithful, &layout).ok());
  return layout;
}

TEST(DilatedLayout, HasNamesThatCommandsUnderstand) {
  EXPECT_EQ(LayoutOfName("faithful"), Layout::kFaithful);
  EXPECT_EQ(LayoutOfName("dilated"), Layout::kDilated);
  EXPECT_EQ(LayoutOfName("guarded"), std::nullopt);
}

TEST(DilatedLayout, OfNothingIsEmpty) { EXPECT_EQ(DilateOrFail({}).head_bytes, 0u); }

TEST(DilatedLayout, KeepsClosedBytesBeforeTheFirstAndAfterTheLast) {
  const DilatedLayout layout = DilateOrFail({{0, 16, 0, 0}});
  EXPECT_THAT(layout.offsets, ElementsAre(64));
  EXPECT_EQ(layout.head_bytes, 144u);
}

TEST(DilatedLayout, PutsTwoTimesTheClosedBytesBetweenNeighbours) {
  const DilatedLayout layout = DilateOrFail({{0, 16, 0, 1}, {16, 16, 1, 2}});
  EXPECT_THAT(layout.offsets, ElementsAre(64, 208));  // 64 + 16 + 128
  EXPECT_EQ(layout.head_bytes, 288u);
}

TEST(DilatedLayout, LetsBuffersOfDifferentTimesShareTheirPlace) {
  EXPECT_THAT(DilateOrFail({{0, 64, 0, 1}, {0, 32, 2, 3}, {32, 32, 2, 3}}).offsets, ElementsAre(64, 64, 64 + 32 + 128));
}

TEST(DilatedLayout, DoesNotWidenAGapThatIsWideEnough) {
  EXPECT_THAT(DilateOrFail({{0, 16, 0, 0}, {144, 16, 0, 0}}).offsets, ElementsAre(64, 208));
  EXPECT_THAT(DilateOrFail({{0, 16, 0, 0}, {128, 16, 0, 0}}).offsets, ElementsAre(64, 256));
}

TEST(DilatedLayout, MovesOverlappingBuffersAsOne) {
  const DilatedLayout layout =
      DilateOrFail({{0, 64, 0, 9, true}, {32, 64, 0, 9, true}, {96, 16, 0, 9}, {112, 16, 0, 9}});
  EXPECT_THAT(layout.offsets, ElementsAre(64, 96, 288, 432));
  EXPECT_THAT(layout.groups, ElementsAre(0, 0, 2, 3));
  EXPECT_EQ(layout.grouped_count(), 2u);
}

TEST(DilatedLayout, KeepsTheGapsInsideAGroupThatAnAreaHoldsTogether) {
  // An accelerator's scratch area with everything else inside it.
  const DilatedLayout layout =
      DilateOrFail({{0, 1024, 0, 9, true}, {0, 16, 1, 2, true}, {512, 16, 2, 3, true}, {1024, 16, 0, 9}});
  EXPECT_THAT(layout.offsets, ElementsAre(64, 64, 576, 1024 + 64 + 128));
}

TEST(DilatedLayout, MovesWithAGroupWhatItsMembersHoldBetweenThem) {
  // Buffer 1 joins 0 and 2 in scope 0; in scope 3 buffer 3 lies above 0 and below 2, which must not move apart.
  const DilatedLayout layout =
      DilateOrFail({{0, 16, 0, 5, true}, {8, 48, 0, 0, true}, {48, 16, 0, 5, true}, {16, 32, 3, 3}});
  EXPECT_THAT(layout.offsets, ElementsAre(64, 72, 112, 80));
  EXPECT_THAT(layout.groups, ElementsAre(0, 0, 0, 0));
}

TEST(DilatedLayout, GivesBuffersOfZeroBytesRoomToo) {
  EXPECT_THAT(DilateOrFail({{0, 0, 0, 0}, {0, 16, 0, 0}}).offsets, ElementsAre(64, 192));
}

// A circle through several: each of them alone could move apart from the group. What lies below and above can.
TEST(DilatedLayout, MovesAWholeChainWithTheGroupThatHoldsIt) {
  std::vector<PlacedBuffer> buffers{{0, 16, 0, 9},  {16, 16, 0, 5, true}, {24, 96, 0, 0, true}, {112, 16, 0, 5, true},
                                    {32, 32, 3, 3}, {64, 32, 3, 3},       {128, 16, 0, 9}};
  const DilatedLayout layout = DilateOrFail(buffers);
  EXPECT_THAT(layout.groups, ElementsAre(0, 1, 1, 1, 1, 1, 6));
  EXPECT_THAT(layout.offsets, ElementsAre(64, 208, 216, 304, 224, 256, 448));
  std::ranges::reverse(buffers);
  EXPECT_THAT(DilateOrFail(buffers).groups, ElementsAre(0, 1, 1, 1, 1, 1, 6));
  EXPECT_THAT(DilateOrFail(buffers).offsets, ElementsAre(448, 256, 224, 304, 216, 208, 64));
}

// What lies above two that need different room is pushed by the one that needs more, in whatever order they are listed.
TEST(DilatedLayout, PushesByTheMostThatAnyBelowNeeds) {
  const std::vector<PlacedBuffer> buffers{{0, 16, 0, 0}, {16, 16, 0, 0}, {0, 16, 1, 1}, {64, 16, 0, 1}};
  const std::vector<std::size_t> offsets{64, 208, 64, 384};
  std::vector<std::size_t> order{0, 1, 2, 3};
  do {
    std::vector<PlacedBuffer> listed;
    std::vector<std::size_t> expected;
    for (const std::size_t i : order) listed.push_back(buffers[i]), expected.push_back(offsets[i]);
    EXPECT_EQ(DilateOrFail(listed).offsets, expected);
  } while (std::ranges::next_permutation(order).found);
}

TEST(DilatedLayout, EndsBehindTheHighestAndNotBehindTheLast) {
  EXPECT_EQ(DilateOrFail({{512, 16, 0, 0}, {0, 16, 0, 0}}).head_bytes, 64u + 512 + 16 + 64);
  EXPECT_EQ(DilateOrFail({{0, 16, 0, 0}, {0, 600, 1, 1}}).head_bytes, 64u + 600 + 64);
}

TEST(DilatedLayout, CountsTheMembersOfEveryGroup) {
  EXPECT_EQ(DilateOrFail({{0, 16, 0, 0}, {16, 16, 0, 0}}).grouped_count(), 0u);
  EXPECT_EQ(DilateOrFail({{0, 16, 0, 0, true},
                          {64, 16, 0, 0, true},
                          {8, 16, 0, 0, true},
                          {72, 16, 0, 0, true},
                          {8, 4, 0, 0, true},
                          {128, 16, 0, 0}})
                .grouped_count(),
            5u);
}

TEST(DilatedLayout, IsLeftAsItWasByARefusal) {
  DilatedLayout layout = DilateOrFail({{0, 16, 0, 0}});
  EXPECT_FALSE(Dilate(std::vector<PlacedBuffer>{{0, 16, 0, 0}, {SIZE_MAX - 255, 16, 0, 0}}, &layout).ok());
  EXPECT_THAT(layout.offsets, ElementsAre(64));
  EXPECT_EQ(layout.head_bytes, 144u);
}

TEST(DilatedLayout, DoesNotMakeRoomForWhatNobodyTouches) {
  EXPECT_THAT(DilateOrFail({{0, 16, -1, -1}, {16, 16, -1, 3}, {0, 16, -1, -1}}).offsets, ElementsAre(64, 80, 64));
}

TEST(DilatedLayout, RefusesOffsetsThatDoNotFit) {
  DilatedLayout layout;
  const std::vector<PlacedBuffer> buffers{{SIZE_MAX - 255, 16, 0, 0}};
  EXPECT_EQ(Dilate(buffers, &layout), Failure(StatusCode::kPlannerOverflow, 0, 16));
  const std::vector<PlacedBuffer> two{{0, SIZE_MAX - 440, 0, 0}, {SIZE_MAX - 440, 16, 0, 0}};
  EXPECT_EQ(Dilate(two, &layout), Failure(StatusCode::kPlannerOverflow, 1, 16));
}

TEST(DilatingPlanner, DilatesThePlanOfAnotherPlanner) {
  GreedyPlanner greedy;
  DilatingPlanner planner(greedy);
  const auto plan = Plan(planner, std::vector<BufferRequest>{{16, 0, 1}, {48, 1, 2}, {32, 2, 3}});
  ASSERT_TRUE(plan.has_value());
  EXPECT_STREQ(planner.name(), "greedy, dilated");
  EXPECT_EQ(planner.faithful()[0].offset, 48u);
  EXPECT_EQ(planner.faithful()[2].offset, 48u);
  EXPECT_EQ(planner.faithful_bytes(), 80u);
  EXPECT_THAT(plan->offsets, ElementsAre(240, 64, 240));
  EXPECT_EQ(plan->maximum_bytes, 240u + 32 + 64);
}

TEST(DilatingPlanner, DilatesOnlyWhatIsCertified) {
  const std::vector<BufferRequest> overlapping{{64, 0, 3, 0}, {64, 0, 3, 32}};
  std::array<std::byte, 256> workspace;
  for (const bool trust : {false, true}) {
    GreedyPlanner greedy;
    DilatingPlanner planner(greedy, trust);
    ASSERT_TRUE(planner.Init(workspace).ok());
    for (const BufferRequest& request : overlapping) {
      ASSERT_TRUE(planner.AddBuffer(request.bytes, request.first, request.last, request.offline_offset).ok());
    }
    std::size_t bytes = 0;
    EXPECT_EQ(planner.MaximumBytes(&bytes), trust ? Ok() : Failure(StatusCode::kPlanSharedBytes, 0, 0, 1, 32));
  }
}

// A refusal stays one until the planner starts anew: it is no plan that was made.
TEST(DilatingPlanner, RefusesWhatIsNotCertifiedEachTimeAndEverywhere) {
  GreedyPlanner greedy;
  DilatingPlanner planner(greedy);
  std::array<std::byte, 256> workspace;
  ASSERT_TRUE(planner.Init(workspace).ok());
  for (const std::int64_t offset : {0, 32}) ASSERT_TRUE(planner.AddBuffer(64, 0, 3, offset).ok());
  std::size_t number = 0;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(planner.OffsetOf(0, &number).code, StatusCode::kPlanSharedBytes);
    EXPECT_EQ(planner.MaximumBytes(&number).code, StatusCode::kPlanSharedBytes);
  }
  EXPECT_EQ(planner.OffsetOf(2, &number), Failure(StatusCode::kPlannerBufferIndex, 2, 2));
  ASSERT_TRUE(planner.Init(workspace).ok());
  ASSERT_TRUE(planner.AddBuffer(64, 0, 3).ok());
  EXPECT_EQ(planner.OffsetOf(0, &number), Ok());
  EXPECT_EQ(number, 64u);
  ASSERT_TRUE(planner.AddBuffer(16, 2, 3).ok());  // the plan is made anew
  EXPECT_EQ(planner.MaximumBytes(&number), Ok());
  EXPECT_EQ(number, 64u + 64 + 128 + 16 + 64);
  EXPECT_EQ(planner.BufferCount(), 2u);
  EXPECT_EQ(planner.WorkspaceBytes(5), greedy.WorkspaceBytes(5));
  EXPECT_EQ(planner.supports_offline(), greedy.supports_offline());
  EXPECT_TRUE(planner.moves_fixed_offsets());
}

// Trust is for what an offline plan has placed: what the planner places itself has to be apart.
TEST(DilatingPlanner, TrustsOfflinePlacesOnlyAndPassesRefusalsOn) {
  GreedyPlanner greedy;
  DilatingPlanner planner(greedy, true);
  std::array<std::byte, 256> workspace;
  ASSERT_TRUE(planner.Init(workspace).ok());
  EXPECT_EQ(planner.AddBuffer(64, 0, 3, -5).code, StatusCode::kPlannerOfflineOffset);
  EXPECT_TRUE(planner.faithful().empty()) << "what the other planner refused is not kept";
  ASSERT_TRUE(planner.AddBuffer(64, 0, 3, 0).ok());
  ASSERT_TRUE(planner.AddBuffer(64, 0, 3).ok());
  EXPECT_TRUE(planner.faithful()[0].trusted);
  EXPECT_FALSE(planner.faithful()[1].trusted);
  DilatingPlanner distrustful(greedy);
  ASSERT_TRUE(distrustful.Init(workspace).ok());
  ASSERT_TRUE(distrustful.AddBuffer(64, 0, 3, 0).ok());
  EXPECT_FALSE(distrustful.faithful()[0].trusted);
}

// Also those that are never alive together, and those that are never alive.
TEST(DilatingPlanner, PreservesAllTensorsWhereTheOtherPlannerDoes) {
  LinearPlanner linear;
  DilatingPlanner planner(linear);
  ASSERT_TRUE(planner.preserves_all_tensors());
  const auto plan = Plan(planner, std::vector<BufferRequest>{{16, 0, 1}, {48, 2, 3}, {32, -1, -1}});
  ASSERT_TRUE(plan.has_value());
  EXPECT_THAT(plan->offsets, ElementsAre(64, 208, 384));
}

TEST(DilatingPlanner, StartsEmptyForEachModel) {
  GreedyPlanner greedy;
  DilatingPlanner planner(greedy);
  const std::vector<BufferRequest> requests{{16, 0, 1}, {48, 1, 2}};
  const auto first = Plan(planner, requests);
  EXPECT_EQ(Plan(planner, requests), first);
  EXPECT_EQ(Plan(planner, std::vector<BufferRequest>{}), PlanResult{});
  std::size_t offset = 0;
  EXPECT_EQ(planner.OffsetOf(0, &offset), Failure(StatusCode::kPlannerBufferIndex, 0, 0));
}

}  // namespace
}  // namespace arenaproof::testing
