#include <cmath>

#include "engine/oracles/operators/definitions/fused_bounds.h"
#include "engine/oracles/operators/definitions/window_definitions.h"

namespace arenaproof::props {

// Averages of integers are rounded to the nearest, ties away from zero; raw values are averaged and compared.
std::vector<Expected> PoolOf(const OperatorCase& k) {
  const Values stored = StoredValues(k.inputs[0]);
  if (k.output.type == TensorType::kFloat32) {
    return {ClampedFloats(Pool(k, Numbers<float>(stored.begin(), stored.end())), FusedActivation(k))};
  }
  Values values = Pool(k, stored);
  const FusedBounds bounds = QuantizedBounds(FusedActivation(k), k.output);
  for (double& value : values) value = bounds.Clamped(std::round(value));
  return {Exactly(std::move(values))};
}

std::vector<Expected> L2PoolOf(const OperatorCase& k) {
  const Values stored = StoredValues(k.inputs[0]);
  Numbers<float> squares(stored.begin(), stored.end());
  for (float& value : squares) value *= value;
  Numbers<float> values = Pool(k, squares);
  for (float& value : values) value = std::sqrt(value);
  return {ClampedFloats(values, FusedActivation(k))};
}

}  // namespace arenaproof::props
