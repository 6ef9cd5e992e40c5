// The fixed-point vocabulary against gemmlowp's own primitives, and gemmlowp's functions against their formulas,
// written out here.
#include "kernels/reference/fixed_point.h"

#include <gemmlowp/fixedpoint/fixedpoint.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernels/reference/fixed_point_functions.h"
#include "tests/kernels/int32_limits_support.h"

namespace arenaproof::reference {
namespace {

std::vector<std::int32_t> InterestingNumbers() {
  std::vector<std::int32_t> numbers{0, 1, -1, 2, -2, 3, -3, kLeastInt32, kLeastInt32 + 1, kMostInt32, kMostInt32 - 1};
  for (int bit = 2; bit < 31; ++bit) {
    for (const int offset : {-1, 0, 1}) {
      numbers.push_back((1 << bit) + offset);
      numbers.push_back(-(1 << bit) + offset);
    }
  }
  std::mt19937 random(7);
  for (int i = 0; i < 400; ++i) numbers.push_back(static_cast<std::int32_t>(random()));
  return numbers;
}

TEST(FixedPoint, DoublingHighMultiplyEqualsGemmlowp) {
  for (const std::int32_t a : InterestingNumbers()) {
    for (const std::int32_t b : InterestingNumbers()) {
      ASSERT_EQ(SaturatingRoundingDoublingHighMultiply(a, b), gemmlowp::SaturatingRoundingDoublingHighMul(a, b))
          << a << " " << b;
    }
  }
}

TEST(FixedPoint, DivisionByPowersOfTwoEqualsGemmlowpAndEndsInZero) {
  for (const std::int32_t x : InterestingNumbers()) {
    for (int exponent = 0; exponent <= 31; ++exponent) {
      ASSERT_EQ(RoundingDivideByPowerOfTwo(x, exponent), gemmlowp::RoundingDivideByPOT(x, exponent)) << x;
    }
    EXPECT_EQ(RoundingDivideByPowerOfTwo(x, 32), 0);
    EXPECT_EQ(RoundingDivideByPowerOfTwo(x, 40), 0);
  }
}

TEST(FixedPoint, TiesOfTheProductGoAwayFromZeroWhenPositiveAndUpWhenNegative) {
  EXPECT_EQ(SaturatingRoundingDoublingHighMultiply(1 << 30, 1), 1);
  EXPECT_EQ(SaturatingRoundingDoublingHighMultiply(-(1 << 30), 1), 0);
  EXPECT_EQ(SaturatingRoundingDoublingHighMultiply(kLeastInt32, kLeastInt32), kMostInt32);
}

TEST(FixedPoint, TiesOfTheDivisionGoAwayFromZero) {
  EXPECT_EQ(RoundingDivideByPowerOfTwo(3, 1), 2);
  EXPECT_EQ(RoundingDivideByPowerOfTwo(-3, 1), -2);
  EXPECT_EQ(RoundingDivideByPowerOfTwo(5, 2), 1);
  EXPECT_EQ(RoundingDivideByPowerOfTwo(-5, 2), -1);
}

TEST(FixedPoint, MultiplierKeepsThirtyOneBitsOfTheFraction) {
  EXPECT_EQ(QuantizeMultiplier(0.0).multiplier, 0);
  EXPECT_EQ(QuantizeMultiplier(1.0).multiplier, 1 << 30);
  EXPECT_EQ(QuantizeMultiplier(1.0).shift, 1);
  EXPECT_EQ(QuantizeMultiplier(0.75).multiplier, 3 << 29);
  EXPECT_EQ(QuantizeMultiplier(0.75).shift, 0);
  // Rounds up to 2^31, which is 2^30 with the next shift.
  const QuantizedMultiplier almost_one = QuantizeMultiplier(1.0 - std::ldexp(1.0, -33));
  EXPECT_EQ(almost_one.multiplier, 1 << 30);
  EXPECT_EQ(almost_one.shift, 1);
}

TEST(FixedPoint, MultipliersTooSmallForThirtyTwoBitsVanish) {
  EXPECT_NE(QuantizeMultiplier(std::ldexp(1.0, -32)).multiplier, 0);
  EXPECT_EQ(QuantizeMultiplier(std::ldexp(1.0, -32)).shift, -31);
  EXPECT_EQ(QuantizeMultiplier(std::ldexp(1.0, -33)).multiplier, 0);
  EXPECT_EQ(QuantizeMultiplier(std::ldexp(1.0, -33)).shift, 0);
}

TEST(FixedPoint, MultiplyingRoundsTwice) {
  std::mt19937 random(11);
  for (int i = 0; i < 20000; ++i) {
    const auto x = static_cast<std::int32_t>(random()) >> 10;
    const QuantizedMultiplier factor{static_cast<std::int32_t>((random() >> 2) | (1u << 30)),
                                     static_cast<std::int32_t>(random() % 24) - 20};
    const int left = factor.shift > 0 ? factor.shift : 0;
    const int right = factor.shift < 0 ? -factor.shift : 0;
    const std::int32_t expected = gemmlowp::RoundingDivideByPOT(
        gemmlowp::SaturatingRoundingDoublingHighMul(x * (1 << left), factor.multiplier), right);
    ASSERT_EQ(MultiplyByQuantizedMultiplier(x, factor), expected);
  }
}

TEST(FixedPoint, SixtyFourBitProductsUseSixteenBitsOfTheMultiplier) {
  // (x * M' + 2^(k-1)) >> k with M' = (M + 2^15) >> 16, k = 15 - s.
  EXPECT_EQ(MultiplyByQuantizedMultiplier64(1000, {1 << 30, 0}), 500);
  EXPECT_EQ(MultiplyByQuantizedMultiplier64(-1001, {1 << 30, 0}), -500);
  EXPECT_EQ(MultiplyByQuantizedMultiplier64(std::int64_t{1} << 40, {1 << 30, -20}), 1 << 19);
  EXPECT_EQ(MultiplyByQuantizedMultiplier64(32768, {0x7FFF0000, 0}), 0x7FFF);
  EXPECT_EQ(MultiplyByQuantizedMultiplier64(32768, {kMostInt32, 0}), 0x7FFF);
}

// Exact up to 2^47; beyond it wraps.
TEST(FixedPoint, SixtyFourBitProductsAreTotal) {
  constexpr std::int64_t kMost64 = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(MultiplyByQuantizedMultiplier64((std::int64_t{1} << 47) - 1, {kMostInt32, -31}), 65534);
  EXPECT_EQ(MultiplyByQuantizedMultiplier64(-(std::int64_t{1} << 47), {kMostInt32, -31}), -65534);
  for (const std::int64_t x : {kMost64, -kMost64, std::int64_t{1} << 48}) {
    for (const std::int32_t shift : {-31, 0, kLargestWideShift})
      (void)MultiplyByQuantizedMultiplier64(x, {kMostInt32, shift});
  }
  EXPECT_EQ(RescaledSum(kMost64, std::int64_t{1}, {1 << 30, 1}),
            RescaledSum(-kMost64 - 1, std::int64_t{0}, {1 << 30, 1}));
  EXPECT_EQ(RescaledSum(kMostInt32, std::int32_t{1}, {1 << 30, 0}), -(1 << 30));
}

TEST(FixedPoint, ProductsOfPlainIntegersWrap) {
  EXPECT_EQ(WrappingMultiply(65536, 65536), 0);
  EXPECT_EQ(WrappingMultiply(kLeastInt32, -1), kLeastInt32);
  EXPECT_EQ(WrappingMultiply(-3, 7), -21);
}

// ---- the formulas, written out

std::int32_t Saturate(std::int64_t x) {
  return static_cast<std::int32_t>(std::min<std::int64_t>(std::max<std::int64_t>(x, kLeastInt32), kMostInt32));
}
std::int32_t Times(std::int32_t a, std::int32_t b) { return SaturatingRoundingDoublingHighMultiply(a, b); }

std::int32_t SpecifiedExp(std::int32_t x, int integer_bits) {
  if (x == 0) return kMostInt32;
  const int fraction_bits = 31 - integer_bits;
  const std::int32_t quarter = 1 << (fraction_bits - 2);
  const std::int32_t reduced = (x & (quarter - 1)) - quarter;
  const std::int32_t remainder = reduced - x;
  const std::int32_t t = Saturate(std::int64_t{reduced} * (1 << integer_bits)) + (1 << 28);
  const std::int32_t t2 = Times(t, t);
  const std::int32_t t3 = Times(t2, t);
  const std::int32_t t4 = Times(t2, t2);
  const std::int32_t p = RoundingDivideByPowerOfTwo(Times(RoundingDivideByPowerOfTwo(t4, 2) + t3, 715827883) + t2, 1);
  std::int32_t e = 1895147668 + Times(1895147668, t + p);
  constexpr std::int32_t kFactors[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  for (int k = -2; k <= 4 && k < integer_bits; ++k) {
    if ((remainder & (1 << (fraction_bits + k))) != 0) e = Times(e, kFactors[k + 2]);
  }
  return e;
}

std::int32_t SpecifiedNewton(std::int32_t a) {
  const auto d = static_cast<std::int32_t>((std::int64_t{a} + (std::int64_t{1} << 31)) >> 1);
  std::int32_t y = 1515870810 + Times(d, -1010580540);
  for (int i = 0; i < 3; ++i) y += Saturate(std::int64_t{Times(y, (1 << 29) - Times(d, y))} * 4);
  return y;
}

std::int32_t SpecifiedOneOverOnePlus(std::int32_t a) { return Saturate(std::int64_t{SpecifiedNewton(a)} * 2); }

std::int32_t SpecifiedLogistic(std::int32_t x) {
  if (x == 0) return 1 << 30;
  if (x < 0) return kMostInt32 - SpecifiedLogistic(-x);
  return SpecifiedOneOverOnePlus(SpecifiedExp(-x, 4));
}

std::int32_t SpecifiedTanh(std::int32_t x) {
  if (x == 0) return 0;
  const std::int32_t e = SpecifiedExp(x < 0 ? x : -x, 5);
  const std::int32_t value = Saturate((std::int64_t{SpecifiedNewton(e)} - (1 << 29)) * 4);
  return x < 0 ? -value : value;
}

TEST(FixedPointFunctions, ExpIsTheSpecifiedOne) {
  for (std::int32_t x = 0; x > kLeastInt32 + 40009; x -= 40009) ASSERT_EQ(ExpOfNonPositive(x), SpecifiedExp(x, 5)) << x;
  for (const std::int32_t x : InterestingNumbers()) {
    if (x <= 0) ASSERT_EQ(ExpOfNonPositive(x), SpecifiedExp(x, 5)) << x;
  }
}

TEST(FixedPointFunctions, ReciprocalIsTheSpecifiedOne) {
  for (std::int64_t a = 0; a <= kMostInt32; a += 40009) {
    const auto raw = static_cast<std::int32_t>(a);
    ASSERT_EQ(OneOverOnePlus(raw), SpecifiedOneOverOnePlus(raw)) << raw;
  }
  EXPECT_EQ(OneOverOnePlus(kMostInt32), SpecifiedOneOverOnePlus(kMostInt32));
}

TEST(FixedPointFunctions, LogisticAndTanhAreTheSpecifiedOnes) {
  for (std::int64_t raw = std::int64_t{kLeastInt32} + 1; raw <= kMostInt32; raw += 70001) {
    const auto x = static_cast<std::int32_t>(raw);
    ASSERT_EQ(Logistic(x), SpecifiedLogistic(x)) << x;
    ASSERT_EQ(Tanh(x), SpecifiedTanh(x)) << x;
  }
  for (const std::int32_t x : InterestingNumbers()) {
    if (x == kLeastInt32) continue;
    ASSERT_EQ(Logistic(x), SpecifiedLogistic(x)) << x;
    ASSERT_EQ(Tanh(x), SpecifiedTanh(x)) << x;
  }
}

}  // namespace
}  // namespace arenaproof::reference
