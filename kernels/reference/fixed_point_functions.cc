#include "kernels/reference/fixed_point_functions.h"

#include <gemmlowp/fixedpoint/fixedpoint.h>

#include <algorithm>
#include <limits>

namespace arenaproof::reference {
namespace {

template <int kIntegerBits>
using Fixed = gemmlowp::FixedPoint<std::int32_t, kIntegerBits>;

constexpr std::int32_t kSqrtHalf = 1518500250;      // Q0
constexpr std::int32_t kSqrtSqrtHalf = 1805811301;  // Q0
constexpr std::int32_t kLogOfTwo = 1488522236;      // Q0

std::int32_t Times(std::int32_t a, std::int32_t b) { return SaturatingRoundingDoublingHighMultiply(a, b); }

std::int32_t SaturatingShiftLeft(std::int32_t x, int bits) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(std::int64_t{x} * (std::int64_t{1} << bits), kLeast, kMost));
}

int LeadingZeros(std::int32_t x) { return CountLeadingZeros(static_cast<std::uint32_t>(x)); }

// ln(r) / 64 for r in Q0, sqrt(1/2) <= r <= 1: a quotient of polynomials around sqrt(sqrt(1/2)), Q6.
std::int32_t LogarithmOfFraction(std::int32_t r) {
  const auto half_sum = static_cast<std::int32_t>((std::int64_t{r} + kSqrtSqrtHalf + 1) / 2);
  const std::int32_t q = WrappingShiftLeft(r - kSqrtSqrtHalf, 1);
  const std::int32_t q2 = Times(q, q);
  const std::int32_t numerator = WrappingAdd(Times(q, r), Times(Times(q, q2), 117049297));
  const std::int32_t factor = WrappingAdd(WrappingAdd(1057819769, q), Times(127690142, q2));
  const std::int32_t denominator = WrappingAdd(Times(half_sum, factor), Times(638450708, q));
  return Times(RoundingDivideByPowerOfTwo(numerator, 6), OneOverOnePlus(denominator));
}

}  // namespace

std::int32_t ExpOfNonPositive(std::int32_t x) { return gemmlowp::exp_on_negative_values(Fixed<5>::FromRaw(x)).raw(); }

std::int32_t OneOverOnePlus(std::int32_t a) {
  return gemmlowp::one_over_one_plus_x_for_x_in_0_1(Fixed<0>::FromRaw(a)).raw();
}

std::int32_t Logistic(std::int32_t x) { return gemmlowp::logistic(Fixed<4>::FromRaw(x)).raw(); }

std::int32_t Tanh(std::int32_t x) { return gemmlowp::tanh(Fixed<4>::FromRaw(x)).raw(); }

QuantizedMultiplier InverseSquareRoot(std::int32_t a) {
  if (a <= 1) return {std::numeric_limits<std::int32_t>::max(), 0};
  constexpr std::int32_t kOneAndAHalf = 402653184;  // Q3
  std::int32_t shift = -11;
  while (a >= 1 << 29) {
    a /= 4;
    --shift;
  }
  const int pairs = (LeadingZeros(a) - 1) / 2 - 1;
  shift += pairs;
  const std::int32_t half = RoundingDivideByPowerOfTwo((a << (2 * pairs)) >> 1, 1);
  std::int32_t root = 1 << 28;  // Q3, five of Newton's steps
  for (int step = 0; step < 5; ++step) {
    const std::int32_t cube = SaturatingShiftLeft(Times(Times(root, root), root), 6);
    root = SaturatingShiftLeft(WrappingSubtract(Times(kOneAndAHalf, root), Times(half, cube)), 3);
  }
  root = Times(root, kSqrtHalf);
  return shift > 0 ? QuantizedMultiplier{WrappingShiftLeft(root, shift), 0} : QuantizedMultiplier{root, shift};
}

// z = 2^p * r with r near 1, once for r below 1 and once for r below sqrt(1/2) * 2; the smaller r is inside the range
// of the polynomials.
std::int32_t Logarithm(std::int32_t z) {
  constexpr int kIntegerBits = 12;
  constexpr std::int32_t kQuarter = 1 << 23;  // of an exponent, Q6
  const int zeros = LeadingZeros(z);
  const std::int32_t first = SaturatingShiftLeft(Times(SaturatingShiftLeft(z, zeros - 1), kSqrtHalf), 1);
  const std::int32_t first_power = WrappingAdd(SaturatingShiftLeft(kIntegerBits - zeros, 25), kQuarter);
  const int headroom = LeadingZeros(Times(z, kSqrtHalf)) - 1;
  const std::int32_t second = SaturatingShiftLeft(z, headroom);
  const std::int32_t second_power = WrappingSubtract(SaturatingShiftLeft(kIntegerBits - headroom, 25), kQuarter);
  const std::int32_t power = std::max(first_power, second_power);
  const std::int32_t sum = WrappingAdd(Times(power, kLogOfTwo), LogarithmOfFraction(std::min(first, second)));
  return SaturatingShiftLeft(sum, 1);
}

}  // namespace arenaproof::reference
