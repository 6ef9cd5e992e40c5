// Differences of int8 values to the maximum of their row, as SOFTMAX and LOG_SOFTMAX rescale them to Q5.26.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/reference/checks.h"
#include "kernels/reference/fixed_point.h"

namespace arenaproof::reference {

struct RowDifferences {
  QuantizedMultiplier multiplier;     // shift in [0, 31]
  std::int32_t least_difference = 0;  // smaller ones have left Q5.26

  // Precondition: difference >= least_difference.
  std::int32_t Rescaled(std::int32_t difference) const {
    return SaturatingRoundingDoublingHighMultiply(WrappingShiftLeft(difference, multiplier.shift),
                                                  multiplier.multiplier);
  }
};

// `scale` is that of one step of the difference. The fixed-point form needs a factor above one; anything less is a row
// that is flat to the last bit.
inline Status ReadRowDifferences(double scale, RowDifferences* differences) {
  constexpr double kFractionScale = 67108864.0;  // 2^26
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  const double scaled = std::min(scale * kFractionScale, kMost);
  if (!(scaled > 1.0)) return Failure(StatusCode::kKernelUnsupported, KernelFeature::kMultiplierRange);
  differences->multiplier = QuantizeMultiplier(scaled);
  differences->least_difference =
      -static_cast<std::int32_t>(31.0 * std::ldexp(1.0, 26 - differences->multiplier.shift));
  return Ok();
}

}  // namespace arenaproof::reference
