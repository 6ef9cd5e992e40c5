// Ranges of fused activations. A quantised bound is zero point + round(bound / scale), in float, half away from zero.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/base/status.h"
#include "kernels/reference/checks.h"

namespace arenaproof::reference {

struct QuantizedRange {
  std::int32_t least = -128;
  std::int32_t most = 127;
};

template <typename Element>
inline constexpr QuantizedRange kRangeOf{std::numeric_limits<Element>::min(), std::numeric_limits<Element>::max()};

// The values of int8, uint8, int16; those of int32 for every other type.
QuantizedRange TypeRange(TensorType type);

struct FloatRange {
  float least = 0.0f;
  float most = 0.0f;
};

// Inside the range of the output's type; refused: activations other than NONE, RELU, RELU_N1_TO_1 and RELU6, and bounds
// that overflow 32 bits when quantised.
Status ReadActivationRange(Activation activation, const Affine& output, QuantizedRange type_range,
                           QuantizedRange* range);
Status ReadActivationRange(Activation activation, FloatRange* range);
// Of plain 32-bit integers.
Status ReadActivationRange(Activation activation, QuantizedRange* range);

inline std::int32_t Clamp(std::int32_t value, QuantizedRange range) {
  return std::min(std::max(value, range.least), range.most);
}
inline std::int8_t ClampToInt8(std::int32_t value, QuantizedRange range) {
  return static_cast<std::int8_t>(Clamp(value, range));
}
template <typename Element>
Element ClampTo(std::int32_t value, QuantizedRange range = kRangeOf<Element>) {
  return static_cast<Element>(Clamp(value, range));
}
// In this order of operands, which decides about negative zeros and NaNs.
inline float Clamp(float value, FloatRange range) { return std::min(std::max(value, range.least), range.most); }

}  // namespace arenaproof::reference
