#include "core/base/checked_word.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/exact.h"

namespace arenaproof {
namespace {

template <typename Word>
class CheckedWord : public ::testing::Test {
 protected:
  static constexpr Word kLargest = Largest<Word>();
  static constexpr std::array<Word, 15> kAddresses = {
      0, 1, 2, 3, 7, 8, 15, 16, 17, 100, 255, 1000, 4096, kLargest - 15, kLargest};
  static constexpr std::array<Word, 15> kAlignments = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 48, 100, 4096, kLargest};
};

#ifdef __SIZEOF_INT128__
using Words = ::testing::Types<std::uint32_t, std::uint64_t, std::uintptr_t>;
#else  // nothing here is wide enough to check 64-bit words
using Words = ::testing::Types<std::uint32_t, std::uintptr_t>;
#endif
TYPED_TEST_SUITE(CheckedWord, Words);

TYPED_TEST(CheckedWord, RemainderIsTheLanguagesForEveryAlignment) {
  for (const TypeParam address : this->kAddresses) {
    for (const TypeParam alignment : this->kAlignments) {
      EXPECT_EQ(Remainder(address, alignment), address % alignment) << address << " mod " << alignment;
    }
  }
}

TYPED_TEST(CheckedWord, AlignUpIsTheSmallestMultipleOrAbsent) {
  for (const TypeParam address : this->kAddresses) {
    for (const TypeParam alignment : this->kAlignments) {
      const auto exact = ExactAlignUp(address, alignment);
      const Checked<TypeParam> up = AlignUp(address, alignment);
      EXPECT_EQ(up.ok, exact <= Widen(this->kLargest)) << address << " up to " << alignment;
      if (up.ok) {
        EXPECT_EQ(Widen(up.value), exact);
      }
    }
  }
}

TYPED_TEST(CheckedWord, AlignUpToZeroIsAbsent) { EXPECT_FALSE(AlignUp<TypeParam>(5, 0).ok); }

TYPED_TEST(CheckedWord, SumsAndProductsThatDoNotFitAreAbsent) {
  EXPECT_EQ(CheckedAdd<TypeParam>(this->kLargest - 1, 1).value, this->kLargest);
  EXPECT_FALSE(CheckedAdd<TypeParam>(this->kLargest, 1).ok);
  EXPECT_EQ(CheckedMultiply<TypeParam>(this->kLargest / 3, 3).value, this->kLargest / 3 * 3);
  EXPECT_FALSE(CheckedMultiply<TypeParam>(this->kLargest / 3 + 1, 3).ok);
  EXPECT_TRUE(CheckedMultiply<TypeParam>(0, this->kLargest).ok);
  EXPECT_TRUE(CheckedMultiply<TypeParam>(this->kLargest, 0).ok);
}

TYPED_TEST(CheckedWord, TogglingTwiceTakesOut) {
  EXPECT_EQ(Toggle(Toggle(TypeParam{77}, TypeParam{1024}), TypeParam{1024}), TypeParam{77});
}

// Every gap of a small address range, tried address by address.
TYPED_TEST(CheckedWord, BlocksAreTheLowestAndTheHighestOfAllThatFit) {
  for (TypeParam low = 0; low < 14; ++low) {
    for (TypeParam high = low; high < 14; ++high) {
      for (TypeParam size = 0; size < 16; ++size) {
        for (TypeParam alignment = 1; alignment < 8; ++alignment) {
          std::optional<TypeParam> lowest;
          std::optional<TypeParam> highest;
          for (TypeParam start = low; start + size <= high; ++start) {
            if (start % alignment != 0) continue;
            if (!lowest) lowest = start;
            highest = start;
          }
          const auto found_lowest = LowestBlock(low, high, size, alignment);
          const auto found_highest = HighestBlock(low, high, size, alignment);
          ASSERT_EQ(found_lowest.ok, lowest.has_value());
          ASSERT_EQ(found_highest.ok, highest.has_value());
          ASSERT_EQ(Fits(low, high, size, alignment), lowest.has_value());
          if (lowest) {
            ASSERT_EQ(found_lowest.value, *lowest);
            ASSERT_EQ(found_highest.value, *highest);
          }
        }
      }
    }
  }
}

TYPED_TEST(CheckedWord, NoBlockHasAnAlignmentOfZero) {
  EXPECT_FALSE(LowestBlock<TypeParam>(0, 8, 1, 0).ok);
  EXPECT_FALSE(HighestBlock<TypeParam>(0, 8, 1, 0).ok);
}

}  // namespace
}  // namespace arenaproof
