// What ADD and SUB share: both terms are brought to a common scale with as much head room as their type leaves, added
// or subtracted, and brought to the output's scale.
#pragma once

#include "kernels/reference/binary.h"

namespace arenaproof::reference {

struct AdditionData : BinaryData {
  QuantizedMultiplier first;
  QuantizedMultiplier second;
  QuantizedMultiplier output;
};
ARENAPROOF_PIN_BYTES(AdditionData, 52, 4, 52, 4);

// Head room of a sum: both terms are brought to this many fraction bits before they are added.
constexpr int AdditionShift(TensorType type) { return type == TensorType::kInt16 ? 15 : 20; }

// Every ratio of an addition is below 1: the shift never goes left, so no intermediate leaves 32 bits.
inline Status ReadFraction(double ratio, QuantizedMultiplier* multiplier) {
  if (ratio >= 1.0) return Failure(StatusCode::kKernelUnsupported, KernelFeature::kMultiplierRange);
  return ReadMultiplier(ratio, multiplier);
}

// With the three ratios in `Real`, float or double: last bits depend on it.
template <typename Real>
Status ReadAdditionMultipliers(TensorType type, const Affine& first, const Affine& second, const Affine& output,
                               AdditionData* data) {
  const Real twice_largest = Real{2} * static_cast<Real>(std::max(first.scale, second.scale));
  const Real unit = static_cast<Real>(1 << AdditionShift(type)) * static_cast<Real>(output.scale);
  ARENAPROOF_RETURN_IF_ERROR(ReadFraction(double{static_cast<Real>(first.scale) / twice_largest}, &data->first));
  ARENAPROOF_RETURN_IF_ERROR(ReadFraction(double{static_cast<Real>(second.scale) / twice_largest}, &data->second));
  return ReadFraction(double{twice_largest / unit}, &data->output);
}

// A centered value at the common scale.
template <typename Element>
std::int32_t AtCommonScale(std::int32_t value, QuantizedMultiplier multiplier) {
  constexpr int kShift = AdditionShift(sizeof(Element) == 1 ? TensorType::kInt8 : TensorType::kInt16);
  return MultiplyByQuantizedMultiplier(value * (1 << kShift), multiplier);
}

}  // namespace arenaproof::reference
