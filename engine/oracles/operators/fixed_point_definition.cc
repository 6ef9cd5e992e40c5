#include "engine/oracles/operators/fixed_point_definition.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace arenaproof::props {
namespace {

constexpr std::int64_t PowerOfTwo(int exponent) { return std::int64_t{1} << exponent; }
constexpr std::int64_t kMost = PowerOfTwo(31) - 1;

std::int64_t Int32(std::int64_t value) {
  if (value >= -kMost - 1 && value <= kMost) return value;
  std::fprintf(stderr, "the case leaves 32 bits: the generator, not the kernel, is wrong\n");
  std::abort();
}

std::int64_t Saturated(std::int64_t value) { return std::clamp(value, -kMost - 1, kMost); }

// Towards minus infinity.
std::int64_t FloorOf(std::int64_t value, std::int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

// Of a positive number in 32 bits.
int LeadingZeros(std::int64_t value) {
  int zeros = 0;
  for (; value < PowerOfTwo(31); value *= 2) ++zeros;
  return zeros;
}

// 1 / (1 + d) by three steps of Newton's method on d = (1 + a) / 2; 29 fraction bits.
std::int64_t NewtonOf(std::int64_t a) {
  const std::int64_t d = FloorOf(a + PowerOfTwo(31), 2);
  std::int64_t y = 1515870810 + HighProduct(d, -1010580540);  // 48/17 - 32/17 d
  for (int step = 0; step < 3; ++step) {
    y = Int32(y + Saturated(4 * HighProduct(y, PowerOfTwo(29) - HighProduct(d, y))));
  }
  return y;
}

// x is cut into a part in [-1/4, 0), whose exponential is a polynomial around -1/8, and quarters, halves, ..., whose
// exponentials are known.
std::int64_t ExpOfNegative(std::int64_t x, int integer_bits) {
  const int fraction_bits = 31 - integer_bits;
  const std::int64_t quarter = PowerOfTwo(fraction_bits - 2);
  constexpr std::int64_t kExpOfMinus[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  if (x == 0) return kMost;
  const std::int64_t part = x - FloorOf(x, quarter) * quarter - quarter;
  const std::int64_t rest = part - x;
  const std::int64_t t = part * PowerOfTwo(integer_bits) + PowerOfTwo(28);
  const std::int64_t t2 = HighProduct(t, t), t3 = HighProduct(t2, t), t4 = HighProduct(t2, t2);
  const std::int64_t third = HighProduct(DividedByPowerOfTwo(t4, 2) + t3, 715827883);
  const std::int64_t tail = DividedByPowerOfTwo(third + t2, 1);
  std::int64_t result = 1895147668 + HighProduct(1895147668, t + tail);
  for (int i = 0; i < integer_bits + 2; ++i) {
    if (rest / PowerOfTwo(fraction_bits - 2 + i) % 2 != 0) result = HighProduct(result, kExpOfMinus[i]);
  }
  return result;
}

}  // namespace

Ratio RatioOf(double value) {
  Ratio ratio;
  while (value >= 1.0) {
    value /= 2;
    ++ratio.exponent;
  }
  while (value < 0.5) {
    value *= 2;
    --ratio.exponent;
  }
  ratio.mantissa = static_cast<std::int64_t>(std::floor(value * 2147483648.0 + 0.5));
  if (ratio.mantissa == PowerOfTwo(31)) ratio = {PowerOfTwo(30), ratio.exponent + 1};
  return ratio.exponent < -31 ? Ratio{} : ratio;
}

std::int64_t HighProduct(std::int64_t a, std::int64_t b) {
  return Saturated(FloorOf(Int32(a) * Int32(b) + PowerOfTwo(30), PowerOfTwo(31)));
}

std::int64_t DividedByPowerOfTwo(std::int64_t x, int exponent) {
  return static_cast<std::int64_t>(std::round(std::ldexp(static_cast<double>(x), -exponent)));
}

std::int64_t Rescaled(std::int64_t x, const Ratio& ratio) {
  if (ratio.exponent > 0) return HighProduct(x * PowerOfTwo(ratio.exponent), ratio.mantissa);
  return DividedByPowerOfTwo(HighProduct(x, ratio.mantissa), -ratio.exponent);
}

std::int64_t RescaledWide(std::int64_t x, const Ratio& ratio) {
  const std::int64_t most = PowerOfTwo(15) - 1;
  const std::int64_t mantissa = std::min(FloorOf(ratio.mantissa + PowerOfTwo(15), PowerOfTwo(16)), most);
  const std::int64_t unit = PowerOfTwo(15 - ratio.exponent);
  return FloorOf(x * mantissa + unit / 2, unit);
}

std::int64_t ExpOf(std::int64_t x) { return ExpOfNegative(x, 5); }

std::int64_t OneOver(std::int64_t a) { return Saturated(2 * NewtonOf(a)); }

// z is 2^p r, with r between sqrt(1/2) and 1; the logarithm of r is a quotient of polynomials around sqrt(sqrt(1/2)).
std::int64_t LogarithmOf(std::int64_t z) {
  constexpr std::int64_t kSqrtOfHalf = 1518500250, kFourthRootOfHalf = 1805811301, kLogarithmOfTwo = 1488522236;
  const int zeros = LeadingZeros(z), other_zeros = LeadingZeros(HighProduct(z, kSqrtOfHalf)) - 1;
  const std::int64_t r = std::min(Saturated(2 * HighProduct(z * PowerOfTwo(zeros - 1), kSqrtOfHalf)),
                                  Saturated(z * PowerOfTwo(other_zeros)));
  const std::int64_t power = std::max(Saturated((12 - zeros) * PowerOfTwo(25)) + PowerOfTwo(23),
                                      (12 - other_zeros) * PowerOfTwo(25) - PowerOfTwo(23));
  const std::int64_t p = (r + kFourthRootOfHalf + 1) / 2, q = 2 * (r - kFourthRootOfHalf);
  const std::int64_t square = HighProduct(q, q);
  const std::int64_t numerator = HighProduct(q, r) + HighProduct(HighProduct(q, square), 117049297);
  const std::int64_t denominator =
      HighProduct(p, 1057819769 + q + HighProduct(127690142, square)) + HighProduct(638450708, q);
  const std::int64_t of_r = HighProduct(DividedByPowerOfTwo(numerator, 6), OneOver(denominator));
  return Saturated(2 * (HighProduct(power, kLogarithmOfTwo) + of_r));
}

std::int64_t LogisticOf(std::int64_t x) {
  if (x == 0) return PowerOfTwo(30);
  if (x < 0) return kMost - LogisticOf(-x);
  return OneOver(ExpOfNegative(-x, 4));
}

std::int64_t TanhOf(std::int64_t x) {
  if (x == 0) return 0;
  const std::int64_t e = ExpOf(x < 0 ? x : -x);  // 27 fraction bits read as 26: of twice the number
  const std::int64_t result = Saturated(4 * (NewtonOf(e) - PowerOfTwo(29)));
  return x < 0 ? -result : result;
}

}  // namespace arenaproof::props
