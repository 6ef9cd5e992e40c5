#include "core/planner/rank_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <type_traits>
#include <vector>

#include "core/planner/prefix_maximum.h"

namespace arenaproof::testing {
namespace {

// Both structures against the obvious ones, at sizes around every change of level.
using Random = std::conditional_t<sizeof(std::size_t) == 8, std::mt19937_64, std::mt19937>;

class RankStructures : public ::testing::TestWithParam<std::size_t> {};

TEST_P(RankStructures, FindNeighboursLikeAnOrderedSet) {
  const std::size_t count = GetParam();
  std::vector<std::size_t> words(RankSet::WordCount(count), ~std::size_t{0});
  RankSet set(count, words.data());
  std::set<std::size_t> expected;
  Random random(count);
  for (int step = 0; step < 3000; ++step) {
    const std::size_t rank = random() % count;
    if (random() % 3 != 0) {
      set.Insert(rank);
      expected.insert(rank);
    } else {
      set.Erase(rank);
      expected.erase(rank);
    }
    if (step % 500 == 250) {
      for (const std::size_t member : expected) set.Erase(member);
      expected.clear();
    }
    const std::size_t asked = random() % count;
    const auto above = expected.upper_bound(asked);
    const auto from = expected.lower_bound(asked);
    ASSERT_EQ(set.Contains(asked), expected.contains(asked));
    ASSERT_EQ(set.Successor(asked), above == expected.end() ? RankSet::kNone : *above);
    ASSERT_EQ(set.Predecessor(asked), from == expected.begin() ? RankSet::kNone : *std::prev(from));
  }
}

TEST_P(RankStructures, KnowTheLargestValueOfEveryPrefix) {
  const std::size_t count = GetParam();
  std::vector<std::size_t> words(PrefixMaximum::WordCount(count), ~std::size_t{0});
  PrefixMaximum maxima(count, words.data());
  std::vector<std::size_t> values(count, 0);
  const auto leaf = [&](std::size_t i) { return values[i]; };
  Random random(count);
  for (int step = 0; step < 1000; ++step) {
    const std::size_t changed = random() % count;
    values[changed] = random() % 2 != 0 ? random() % 1000 : 0;
    maxima.Update(changed, leaf);
    const std::size_t end = random() % (count + 1);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < end; ++i) expected = std::max(expected, values[i]);
    ASSERT_EQ(maxima.Before(end, leaf), expected) << "of the first " << end;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RankStructures, ::testing::Values(1, 2, 3, 63, 64, 65, 127, 4095, 4096, 4097, 5000));

}  // namespace
}  // namespace arenaproof::testing
