// Integer arithmetic of quantised kernels, bit-exact with TensorFlow Lite Micro's reference kernels (double rounding,
// the default of their build). Every function is total: where the reference's 32-bit arithmetic would overflow, it
// wraps in two's complement, as the reference's machine code does.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace arenaproof::reference {

// A positive real number as multiplier * 2^(shift - 31).
struct QuantizedMultiplier {
  std::int32_t multiplier = 0;
  std::int32_t shift = 0;
};

// The largest shifts with which MultiplyByQuantizedMultiplier and MultiplyByQuantizedMultiplier64 can be used.
inline constexpr std::int32_t kLargestShift = 30;
inline constexpr std::int32_t kLargestWideShift = 7;

constexpr std::int32_t WrappingAdd(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
constexpr std::int64_t WrappingAdd(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int32_t WrappingMultiply(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}
constexpr std::int64_t WrappingMultiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
constexpr std::int32_t WrappingSubtract(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
constexpr std::int32_t WrappingShiftLeft(std::int32_t x, int bits) {
  return bits > 31 ? 0 : static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << bits);
}

// SRDHM: the high 32 bits of 2ab, rounded, the one overflow saturated.
constexpr std::int32_t SaturatingRoundingDoublingHighMultiply(std::int32_t a, std::int32_t b) {
  constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  if (a == kLowest && b == kLowest) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t product = std::int64_t{a} * b;
  const std::int64_t nudge = product >= 0 ? (std::int64_t{1} << 30) : 1 - (std::int64_t{1} << 30);
  return static_cast<std::int32_t>((product + nudge) / (std::int64_t{1} << 31));
}

// RDBPOT: x / 2^exponent to nearest, ties away from zero. exponent >= 0; above 31 the answer is 0.
constexpr std::int32_t RoundingDivideByPowerOfTwo(std::int32_t x, int exponent) {
  if (exponent > 31) return 0;
  const std::int64_t mask = (std::int64_t{1} << exponent) - 1;
  const std::int64_t remainder = x & mask;
  const std::int64_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return static_cast<std::int32_t>((std::int64_t{x} >> exponent) + (remainder > threshold ? 1 : 0));
}

// MBQM with double rounding. shift <= kLargestShift.
constexpr std::int32_t MultiplyByQuantizedMultiplier(std::int32_t x, QuantizedMultiplier factor) {
  const std::int32_t left = std::max(factor.shift, std::int32_t{0});
  const std::int32_t right = std::max(-factor.shift, std::int32_t{0});
  return RoundingDivideByPowerOfTwo(
      SaturatingRoundingDoublingHighMultiply(WrappingShiftLeft(x, left), factor.multiplier), right);
}

// MBQM of the 64-bit accumulators: multiplier >= 0, -31 <= shift < 8; exact for |x| < 2^47.
constexpr std::int32_t MultiplyByQuantizedMultiplier64(std::int64_t x, QuantizedMultiplier factor) {
  const std::int32_t reduced =
      factor.multiplier >= 0x7FFF0000 ? 0x7FFF : static_cast<std::int32_t>((factor.multiplier + (1 << 15)) >> 16);
  const int total_shift = 15 - factor.shift;
  const std::int64_t product = WrappingMultiply(x, std::int64_t{reduced});
  return static_cast<std::int32_t>(WrappingAdd(product, std::int64_t{1} << (total_shift - 1)) >> total_shift);
}

// A sum of products and its bias, rescaled.
constexpr std::int32_t RescaledSum(std::int32_t sum, std::int32_t bias, QuantizedMultiplier factor) {
  return MultiplyByQuantizedMultiplier(WrappingAdd(sum, bias), factor);
}
constexpr std::int32_t RescaledSum(std::int64_t sum, std::int64_t bias, QuantizedMultiplier factor) {
  return MultiplyByQuantizedMultiplier64(WrappingAdd(sum, bias), factor);
}

// (M, s) with value = M * 2^(s - 31), rounded half away from zero; (0, 0) for values below 2^-32 and for 0.
// `value` is finite. The shift of a large value may exceed kLargestShift: callers refuse that.
QuantizedMultiplier QuantizeMultiplier(double value);

// Number of leading zero bits.
constexpr int CountLeadingZeros(std::uint32_t x) { return std::countl_zero(x); }

}  // namespace arenaproof::reference
