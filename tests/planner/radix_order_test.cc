#include "core/planner/radix_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/generators/seeded_source.h"

namespace arenaproof::testing {
namespace {

template <typename Key>
void ExpectOrder(const std::vector<Key>& keys) {
  std::vector<std::uint32_t> expected(keys.size());
  std::iota(expected.begin(), expected.end(), 0u);
  std::vector<std::uint32_t> numbers = expected;
  std::sort(expected.begin(), expected.end(),
            [&](std::uint32_t a, std::uint32_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
  std::vector<std::uint32_t> spare(keys.size());
  SortByKey(numbers.data(), numbers.size(), spare.data(), [&](std::uint32_t number) { return keys[number]; });
  EXPECT_EQ(numbers, expected);
}

TEST(RadixOrder, KeepsNothingAndOneAndEqualsAsTheyAre) {
  ExpectOrder<std::uint32_t>({});
  ExpectOrder<std::uint32_t>({7});
  ExpectOrder<std::uint32_t>({7, 7, 7, 7});
}

TEST(RadixOrder, TellsKeysApartByAnyOneBit) {
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t one = std::uint64_t{1} << bit;
    ExpectOrder<std::uint64_t>({one, 0, one, 0, 0, one});
    ExpectOrder<std::uint64_t>({~one, UINT64_MAX, ~one, UINT64_MAX});
    if (bit < 32) ExpectOrder<std::uint32_t>({static_cast<std::uint32_t>(one), 0, static_cast<std::uint32_t>(one), 0});
  }
}

TEST(RadixOrder, SortsAsAStableComparisonDoes) {
  SeededSource random(20260821);
  for (int round = 0; round < 300; ++round) {
    // Keys that differ in few bits, here or there, and in all.
    const int shift = static_cast<int>(random.Below(64));
    const std::uint64_t bits = (random() >> random.Below(64)) << shift;
    std::vector<std::uint64_t> wide(random.Below(200));
    for (std::uint64_t& key : wide) key = random() & bits;
    ExpectOrder(wide);
    ExpectOrder(std::vector<std::uint32_t>(wide.begin(), wide.end()));
  }
}

}  // namespace
}  // namespace arenaproof::testing
