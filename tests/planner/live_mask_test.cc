#include "core/planner/live_mask.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/generators/seeded_source.h"

namespace arenaproof::testing {
namespace {

// As the reference decides it, one lifetime after the other.
std::uint64_t MaskOf(const std::vector<std::int32_t>& firsts, const std::vector<std::int32_t>& lasts, std::size_t count,
                     std::int32_t first, std::int32_t last) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (firsts[i] > last || first > lasts[i]) continue;
    mask |= std::uint64_t{1} << i;
  }
  return mask;
}

TEST(LiveMask, IsTheSameHoweverManyAreAskedAboutAndMayBeRead) {
  SeededSource random(20261125);
  const auto time = [&] { return static_cast<std::int32_t>(random.Below(6)) - 2; };
  for (std::size_t readable = 1; readable <= 70; ++readable) {
    std::vector<std::int32_t> firsts(readable), lasts(readable);
    for (std::int32_t& each : firsts) each = time();
    for (std::int32_t& each : lasts) each = time();
    for (std::size_t count = 1; count <= readable; ++count) {
      const std::int32_t first = time(), last = time();
      EXPECT_EQ(LiveMask(firsts.data(), lasts.data(), count, readable, first, last),
                MaskOf(firsts, lasts, std::min(count, std::size_t{64}), first, last))
          << count << " of " << readable << ", " << first << " to " << last;
    }
  }
}

TEST(LiveMask, KnowsTheEndsOfTime) {
  const std::vector<std::int32_t> firsts(64, INT32_MIN), lasts(64, INT32_MAX);
  EXPECT_EQ(LiveMask(firsts.data(), lasts.data(), 64, 64, INT32_MAX, INT32_MAX), UINT64_MAX);
  EXPECT_EQ(LiveMask(firsts.data(), lasts.data(), 64, 64, INT32_MIN, INT32_MIN), UINT64_MAX);
  EXPECT_EQ(LiveMask(lasts.data(), lasts.data(), 64, 64, INT32_MIN, INT32_MAX - 1), 0u);
  EXPECT_EQ(LiveMask(firsts.data(), firsts.data(), 64, 64, INT32_MIN + 1, INT32_MAX), 0u);
}

}  // namespace
}  // namespace arenaproof::testing
