// The arena planner behind the interface of the head's planners: its order and its places, beside a slow statement of
// both, and what holds for every planner.
#include "core/planner/host/arena_head_planner.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "core/planner/certifier.h"
#include "core/planner/placed_buffer.h"
#include "engine/oracles/host_planner/smallest_gap.h"

namespace arenaproof::testing {
namespace {

using Buffers = std::vector<PlacedBuffer>;

std::vector<std::size_t> OffsetsOf(ArenaHeadPlanner& planner, const Buffers& buffers) {
  EXPECT_EQ(planner.Init({}), Ok());
  for (const PlacedBuffer& buffer : buffers) {
    EXPECT_EQ(planner.AddBuffer(buffer.bytes, buffer.first, buffer.last), Ok());
  }
  std::vector<std::size_t> offsets(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) EXPECT_EQ(planner.OffsetOf(i, &offsets[i]), Ok());
  return offsets;
}

std::vector<std::size_t> SlowOffsets(const Buffers& buffers) {
  std::vector<TimedBuffer> timed;
  for (const PlacedBuffer& buffer : buffers) timed.push_back({buffer.bytes, buffer.first, buffer.last});
  std::size_t refused = 0;
  const auto plan = PlanBySmallestGap(timed, 16, &refused);
  return plan ? plan->offsets : std::vector<std::size_t>();
}

TEST(ArenaHeadPlanner, PlacesTheLargerFirstAndWhatLivesAlwaysBeforeIt) {
  ArenaHeadPlanner planner;
  const Buffers buffers{{0, 16, 0, 5}, {0, 48, 1, 2}, {0, 96, 2, 3}, {0, 48, 3, 5}};
  EXPECT_EQ(OffsetsOf(planner, buffers), (std::vector<std::size_t>{0, 112, 16, 112}));
  std::size_t maximum_bytes = 0;
  EXPECT_EQ(planner.MaximumBytes(&maximum_bytes), Ok());
  EXPECT_EQ(maximum_bytes, 160u);
  EXPECT_STREQ(planner.name(), "arena");
}

TEST(ArenaHeadPlanner, TakesTheSmallestGapThatFits) {
  ArenaHeadPlanner planner;
  // Between 0 and 1 is a gap of 64 bytes, between 1 and 2 one of 32, when buffers 3 and 4 are dead.
  const Buffers buffers{{0, 160, 0, 9}, {0, 64, 1, 1}, {0, 128, 1, 9}, {0, 32, 5, 5}, {0, 64, 5, 5}};
  EXPECT_EQ(OffsetsOf(planner, buffers), SlowOffsets(buffers));
}

TEST(ArenaHeadPlanner, RefusesFixedOffsetsAndStartsAnew) {
  ArenaHeadPlanner planner;
  EXPECT_EQ(OffsetsOf(planner, {{0, 16, 0, 1}, {0, 16, 0, 1}}), (std::vector<std::size_t>{0, 16}));
  EXPECT_EQ(planner.AddBuffer(16, 0, 1, 32), Failure(StatusCode::kPlannerOfflineOffset, 2, std::int64_t{32}));
  std::size_t offset = 0;
  EXPECT_EQ(planner.OffsetOf(2, &offset), Failure(StatusCode::kPlannerBufferIndex, 2, 2));
  EXPECT_EQ(OffsetsOf(planner, {{0, 16, 0, 1}}), (std::vector<std::size_t>{0}));
  EXPECT_EQ(planner.Init({}), Ok());
  std::size_t maximum_bytes = 1;
  EXPECT_EQ(planner.MaximumBytes(&maximum_bytes), Ok());
  EXPECT_EQ(maximum_bytes, 0u);
}

TEST(ArenaHeadPlanner, RefusesASumBeyondEverySize) {
  ArenaHeadPlanner planner;
  ASSERT_EQ(planner.Init({}), Ok());
  ASSERT_EQ(planner.AddBuffer(SIZE_MAX - 15, 0, 1), Ok());
  ASSERT_EQ(planner.AddBuffer(16, 1, 1), Ok());
  std::size_t maximum_bytes = 0;
  EXPECT_EQ(planner.MaximumBytes(&maximum_bytes).code, StatusCode::kHostArenaOverflow);
}

TEST(ArenaHeadPlanner, PlansAsTheSlowStatementAndIsCertified) {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t count) { return static_cast<std::int32_t>(random() % count); };
  ArenaHeadPlanner planner;
  for (int round = 0; round < 3000; ++round) {
    Buffers buffers(static_cast<std::size_t>(below(24)));
    for (PlacedBuffer& buffer : buffers) {
      buffer.bytes = static_cast<std::size_t>(below(6)) * 16 + static_cast<std::size_t>(round % 2 == 0 ? 0 : below(16));
      buffer.first = below(8);
      buffer.last = buffer.first + below(5);
      if (below(12) == 0) buffer.first = buffer.last = -1;
    }
    const std::vector<std::size_t> offsets = OffsetsOf(planner, buffers);
    ASSERT_EQ(offsets, SlowOffsets(buffers)) << "round " << round;
    for (std::size_t i = 0; i < buffers.size(); ++i) buffers[i].offset = offsets[i];
    std::size_t maximum_bytes = 0;
    ASSERT_EQ(planner.MaximumBytes(&maximum_bytes), Ok());
    std::vector<std::byte> workspace(CertifierWorkspaceBytes(buffers.size()));
    ASSERT_TRUE(Certify(buffers, maximum_bytes, 16, workspace).ok()) << "round " << round;
  }
}

}  // namespace
}  // namespace arenaproof::testing
