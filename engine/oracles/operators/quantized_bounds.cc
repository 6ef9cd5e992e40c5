#include "engine/oracles/operators/quantized_bounds.h"

#include <algorithm>
#include <cmath>

#include "engine/oracles/operators/operator_sums.h"

namespace arenaproof::props {
namespace {

// The value of a bound in the output's steps; plain integers have steps of 1.
double QuantizedBound(float bound, const CaseTensor& output) {
  const float scale = output.scales.empty() ? 1.0f : output.scales[0];
  return double{std::round(bound / scale)} + output.zero_point;
}

}  // namespace

double ScaleOf(const CaseTensor& tensor) { return double{tensor.scales[0]}; }

std::int64_t Integer(double value) { return static_cast<std::int64_t>(value); }

double Bounds::Clamped(double value) const { return std::min(std::max(value, least), most); }

Bounds BoundsOf(Activation activation, const CaseTensor& output) {
  Bounds bounds{LeastOf(output.type), MostOf(output.type)};
  if (activation == Activation::kNone) return bounds;
  const float least = activation == Activation::kReluN1To1 ? -1.0f : 0.0f;
  bounds.least = std::max(bounds.least, QuantizedBound(least, output));
  if (activation == Activation::kRelu) return bounds;
  const float most = activation == Activation::kReluN1To1 ? 1.0f : 6.0f;
  bounds.most = std::min(bounds.most, QuantizedBound(most, output));
  return bounds;
}

double Finished(double sum, const Ratio& ratio, const OperatorCase& k) {
  const Bounds bounds = BoundsOf(FusedActivation(k), k.output);
  return bounds.Clamped(static_cast<double>(Rescaled(Integer(sum), ratio) + k.output.zero_point));
}

}  // namespace arenaproof::props
