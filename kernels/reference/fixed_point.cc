#include "kernels/reference/fixed_point.h"

#include <cmath>

namespace arenaproof::reference {

QuantizedMultiplier QuantizeMultiplier(double value) {
  if (value == 0.0) return {};
  int shift = 0;
  const double fraction = std::frexp(value, &shift);
  auto multiplier = static_cast<std::int64_t>(std::round(fraction * 2147483648.0));
  if (multiplier == std::int64_t{1} << 31) {
    multiplier /= 2;
    ++shift;
  }
  if (shift < -31) return {};
  return {static_cast<std::int32_t>(multiplier), shift};
}

}  // namespace arenaproof::reference
