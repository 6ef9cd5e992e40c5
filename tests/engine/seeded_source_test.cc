// Numbers of a seed, which corpora and regressions depend on: whatever the C++ library, they are those of GCC's.
#include "engine/generators/seeded_source.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace arenaproof {
namespace {

TEST(SeededSource, MakesTheSameNumbersWithEveryLibrary) {
  SeededSource source(42);
  std::vector<std::size_t> numbers;
  for (const std::size_t count : {2u, 3u, 4u, 7u, 10u, 200u, 64u, 5u}) numbers.push_back(source.Below(count));
  EXPECT_EQ(numbers, (std::vector<std::size_t>{1, 1, 3, 0, 9, 18, 36, 1}));
}

#ifdef __GLIBCXX__
TEST(SeededSource, DrawsAsGccsLibraryDoes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SeededSource source(seed);
    std::mt19937_64 engine(seed);
    for (std::size_t i = 1; i < 60; ++i) {
      const std::size_t count = i % 3 == 0 ? (std::size_t{3} << 62) + i : i * i;
      ASSERT_EQ(source.Below(count), std::uniform_int_distribution<std::size_t>(0, count - 1)(engine));
      ASSERT_EQ(source.FloatBetween(-1.5f, 3.0f), std::uniform_real_distribution<float>(-1.5f, 3.0f)(engine));
      std::vector<int> list(i % 9);
      std::iota(list.begin(), list.end(), 0);
      std::vector<int> other = list;
      source.Shuffle(list);
      std::shuffle(other.begin(), other.end(), engine);
      ASSERT_EQ(list, other);
    }
  }
}
#endif

}  // namespace
}  // namespace arenaproof
