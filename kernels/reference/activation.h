// Ranges of fused activations. A quantised bound is zero point + round(bound / scale), in float, half away from zero.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/status.h"
#include "kernels/reference/checks.h"

namespace arenaproof::reference {

struct QuantizedRange {
  std::int32_t least = -128;
  std::int32_t most = 127;
};

struct FloatRange {
  float least = 0.0f;
  float most = 0.0f;
};

// Inside the range of the output's type; refused: activations other than NONE, RELU, RELU_N1_TO_1 and RELU6, and bounds
// that overflow 32 bits when quantised.
Status ReadActivationRange(Activation activation, const Affine& output, QuantizedRange type_range,
                           QuantizedRange* range);
Status ReadActivationRange(Activation activation, FloatRange* range);

inline std::int32_t Clamp(std::int32_t value, QuantizedRange range) {
  return std::min(std::max(value, range.least), range.most);
}
inline std::int8_t ClampToInt8(std::int32_t value, QuantizedRange range) {
  return static_cast<std::int8_t>(Clamp(value, range));
}
// In this order of operands, which decides about negative zeros and NaNs.
inline float Clamp(float value, FloatRange range) { return std::min(std::max(value, range.least), range.most); }

}  // namespace arenaproof::reference
