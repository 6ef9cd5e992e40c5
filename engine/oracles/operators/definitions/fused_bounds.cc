#include "engine/oracles/operators/definitions/fused_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arenaproof::props {
namespace {

constexpr double kUndecided = std::numeric_limits<double>::quiet_NaN();

bool Fits32(double value) { return value >= -2147483648.0 && value <= 2147483647.0; }

// In float, rounded half away from zero.
double InSteps(float bound, const CaseTensor& output) {
  return double{std::round(bound / output.scales[0])} + output.zero_point;
}

}  // namespace

double FusedBounds::Clamped(double value) const { return std::min(std::max(value, least), most); }

FusedBounds QuantizedBounds(Activation activation, const CaseTensor& output) {
  FusedBounds bounds{LeastOf(output.type), MostOf(output.type)};
  if (activation == Activation::kNone) return bounds;
  const float least = activation == Activation::kReluN1To1 ? -1.0f : 0.0f;
  bounds.least = std::max(bounds.least, InSteps(least, output));
  if (activation == Activation::kRelu) return bounds;
  const float most = activation == Activation::kReluN1To1 ? 1.0f : 6.0f;
  bounds.most = std::min(bounds.most, InSteps(most, output));
  return bounds;
}

float ClampedFloat(float value, Activation activation) {
  float least = std::numeric_limits<float>::lowest(), most = std::numeric_limits<float>::max();
  if (activation != Activation::kNone) least = activation == Activation::kReluN1To1 ? -1.0f : 0.0f;
  if (activation == Activation::kReluN1To1) most = 1.0f;
  if (activation == Activation::kRelu6) most = 6.0f;
  if (value < least) return least;
  return value > most ? most : value;
}

Expected ExactlyFloats(const Numbers<float>& values) { return {Values(values.begin(), values.end()), 0, true}; }

Expected ClampedFloats(Numbers<float> values, Activation activation) {
  for (float& value : values) value = ClampedFloat(value, activation);
  return ExactlyFloats(values);
}

double FinishedSum(double sum, const Ratio& ratio, SumWidth width, const CaseTensor& output,
                   const FusedBounds& bounds) {
  const bool wide = width == SumWidth::k64;
  const bool defined =
      wide ? std::fabs(sum) < std::ldexp(1.0, 47) : Fits32(sum) && Fits32(std::ldexp(sum, std::max(ratio.exponent, 0)));
  if (!defined) return kUndecided;
  const auto integer = static_cast<std::int64_t>(sum);
  const auto rescaled = static_cast<double>(wide ? RescaledWide(integer, ratio) : Rescaled(integer, ratio));
  if (!Fits32(rescaled) || !Fits32(rescaled + output.zero_point)) return kUndecided;
  return bounds.Clamped(rescaled + output.zero_point);
}

bool HasInputAt(const OperatorCase& k, std::size_t input) { return input < k.inputs.size() && k.inputs[input].present; }

}  // namespace arenaproof::props
