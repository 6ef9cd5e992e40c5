// The sweep over a plan's overlaps against looking at every pair.
#include "core/planner/live_overlap_sweep.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "core/planner/offline_overlap.h"

namespace arenaproof::testing {
namespace {

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

struct Swept {
  std::uint64_t count = 0;
  Pairs pairs;
  std::size_t visit_count = 0;
};

// The workspace has not one byte more than asked for, and an odd address.
Swept SweepOver(const std::vector<PlacedBuffer>& buffers, std::size_t most_visits = SIZE_MAX) {
  const std::size_t bytes = CertifierWorkspaceBytes(buffers.size());
  const auto memory = std::make_unique<std::byte[]>(bytes + 1);
  const auto buffer_of = [&](std::size_t index) { return buffers[index]; };
  LiveOverlapSweep sweep(buffers.size(), buffer_of, {memory.get() + 1, bytes});
  Swept swept;
  swept.count = sweep.CountPairs();
  sweep.VisitPairs([&](std::size_t a, std::size_t b) {
    swept.pairs.emplace(a, b);
    return ++swept.visit_count < most_visits;
  });
  return swept;
}

Pairs EveryPair(const std::vector<PlacedBuffer>& buffers) {
  Pairs pairs;
  for (std::size_t a = 0; a < buffers.size(); ++a) {
    for (std::size_t b = a + 1; b < buffers.size(); ++b) {
      if (ShareBytes(buffers[a], buffers[b]) && AliveTogether(buffers[a], buffers[b])) pairs.emplace(a, b);
    }
  }
  return pairs;
}

TEST(LiveOverlapSweep, FindsEachPairOnceAndNoOther) {
  std::mt19937 random(1);
  std::size_t pair_count = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<PlacedBuffer> buffers(random() % 40);
    const std::uint32_t span = 1 + random() % 12;
    for (PlacedBuffer& buffer : buffers) {
      buffer.offset = random() % span;
      buffer.bytes = random() % 6;
      buffer.first = static_cast<std::int32_t>(random() % span) - 1;
      buffer.last = buffer.first + static_cast<std::int32_t>(random() % 5);
    }
    const Pairs expected = EveryPair(buffers);
    const Swept swept = SweepOver(buffers);
    ASSERT_EQ(swept.pairs, expected) << "round " << round;
    ASSERT_EQ(swept.visit_count, expected.size());
    ASSERT_EQ(swept.count, expected.size());
    pair_count += expected.size();
  }
  EXPECT_GT(pair_count, 100'000u);
}

TEST(LiveOverlapSweep, CountsBillionsAndStopsWhenAskedTo) {
  const std::vector<PlacedBuffer> buffers(100'000, PlacedBuffer{0, 16, 0, 3});
  const Swept swept = SweepOver(buffers, 100);
  EXPECT_EQ(swept.count, std::uint64_t{100'000} * 99'999 / 2);
  EXPECT_EQ(swept.visit_count, 100u);
}

// The usual plan: all at one offset, one after the other. Looking at every pair that shares bytes would take hours.
TEST(LiveOverlapSweep, TakesNoTimeForBuffersThatShareBytesAtDifferentTimes) {
  std::vector<PlacedBuffer> buffers(200'000);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto step = static_cast<std::int32_t>(2 * i);
    buffers[i] = {0, 64, step, step + (i % 1000 == 0 ? 2 : 1)};  // one in a thousand meets the next
  }
  const Swept swept = SweepOver(buffers);
  EXPECT_EQ(swept.count, 200u);
  EXPECT_EQ(swept.pairs.size(), 200u);
  EXPECT_TRUE(swept.pairs.contains({1000, 1001}));
}

TEST(LiveOverlapSweep, HasNoPairsWithoutRoom) {
  const std::vector<PlacedBuffer> buffers(3, PlacedBuffer{0, 16, 0, 3});
  const auto buffer_of = [&](std::size_t index) { return buffers[index]; };
  LiveOverlapSweep sweep(buffers.size(), buffer_of, {});
  EXPECT_EQ(sweep.CountPairs(), 0u);
  sweep.VisitPairs([](std::size_t, std::size_t) {
    ADD_FAILURE();
    return true;
  });
}

}  // namespace
}  // namespace arenaproof::testing
