#include "engine/oracles/operators/inverse_root_definition.h"

#include <algorithm>

namespace arenaproof::props {
namespace {

std::int64_t TimesSaturated(std::int64_t value, std::int64_t factor) {
  constexpr std::int64_t kEnd = std::int64_t{1} << 31;
  return std::clamp(value * factor, -kEnd, kEnd - 1);
}

}  // namespace

// Newton's method on g = a / 4 in [1/16, 1/4): y becomes y * (3 - 4 g y^2) / 2, with 28 fraction bits, five times.
Ratio InverseRootOf(std::int64_t a) {
  if (a <= 1) return {(std::int64_t{1} << 31) - 1, 0};
  int exponent = -11;
  for (; a >= std::int64_t{1} << 29; --exponent) a /= 4;
  // Doubled twice each time, up to 2^27 and above.
  for (; a < std::int64_t{1} << 27; ++exponent) a *= 4;
  const std::int64_t g = DividedByPowerOfTwo(a / 2, 1);
  std::int64_t y = std::int64_t{1} << 28;
  for (int step = 0; step < 5; ++step) {
    const std::int64_t cube = TimesSaturated(HighProduct(HighProduct(y, y), y), 64);
    y = TimesSaturated(HighProduct(402653184, y) - HighProduct(g, cube), 8);
  }
  y = HighProduct(y, 1518500250);
  if (exponent <= 0) return {y, exponent};
  return {y << exponent, 0};
}

}  // namespace arenaproof::props
