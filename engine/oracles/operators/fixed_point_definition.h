// The fixed-point arithmetic of quantised kernels, said once more: rounding as what it means, in 64-bit integers and
// doubles, no code shared with the kernels nor with gemmlowp. int32 values are held in 64 bits; whatever would not fit
// 32 there is outside the definitions, and aborts.
#pragma once

#include <cstdint>

namespace arenaproof::props {

// A positive ratio as mantissa / 2^31 * 2^exponent, mantissa in [2^30, 2^31); 0 for ratios below 2^-32.
struct Ratio {
  std::int64_t mantissa = 0;
  int exponent = 0;
};
Ratio RatioOf(double value);

// 2ab / 2^32 to the nearest, ties up; saturated.
std::int64_t HighProduct(std::int64_t a, std::int64_t b);
// x / 2^exponent to the nearest, ties away from zero.
std::int64_t DividedByPowerOfTwo(std::int64_t x, int exponent);
// x times the ratio: the high product of x * 2^exponent with the mantissa, or the division of the high product. Rounds
// twice.
std::int64_t Rescaled(std::int64_t x, const Ratio& ratio);
// The same for sums of up to 47 bits: the mantissa is rounded to 15 bits, the product once, ties up.
std::int64_t RescaledWide(std::int64_t x, const Ratio& ratio);

// exp(x) for x <= 0 with 26 fraction bits, as a fraction of 2^31.
std::int64_t ExpOf(std::int64_t x);
// 1 / (1 + a) for a >= 0, both fractions of 2^31.
std::int64_t OneOver(std::int64_t a);
// The natural logarithm of z with 19 fraction bits, z >= 1, with 26 of them.
std::int64_t LogarithmOf(std::int64_t z);
// The logistic of x with 27 fraction bits, as fractions of 2^31.
std::int64_t LogisticOf(std::int64_t x);
std::int64_t TanhOf(std::int64_t x);

}  // namespace arenaproof::props
