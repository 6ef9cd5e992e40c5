// CAST, QUANTIZE, DEQUANTIZE, RESHAPE.
#include <cmath>

#include "engine/oracles/operators/definitions/element_parts.h"

namespace arenaproof::props {
namespace {

// The integer of the type that differs from the value by a multiple of 2^bits.
double LowBits(TensorType type, double value) {
  const double count = MostOf(type) - LeastOf(type) + 1;
  return value - count * std::floor((value - LeastOf(type)) / count);
}

Expected Cast(const OperatorCase& k) {
  const TensorType from = k.inputs[0].type, to = k.output.type;
  return OfEach(k, [&](double x) {
    if (from == TensorType::kBool) return x != 0 ? 1.0 : 0.0;
    if (to == TensorType::kFloat32) return double{static_cast<float>(x)};
    if (from != TensorType::kFloat32) return LowBits(to, x);
    return std::isnan(x) ? 0.0 : WithinType(to, std::trunc(x));
  });
}

// What is no number becomes the least of the type.
Expected Quantize(const OperatorCase& k) {
  const CaseTensor &from = k.inputs[0], &to = k.output;
  if (from.type == TensorType::kFloat32) {
    return OfEachFloat(k, [&](float x) {
      const double steps = double{std::round(x / to.scales[0])};
      return static_cast<float>(std::isnan(steps) ? LeastOf(to.type) : WithinType(to.type, steps + to.zero_point));
    });
  }
  const Ratio ratio = RatioOf(double{from.scales[0]} / double{to.scales[0]});
  return OfEachCentered(k, [&](std::int64_t x) { return Rescaled(x, ratio); });
}

// In double, then one rounding to float.
Expected Dequantize(const OperatorCase& k) {
  const CaseTensor& from = k.inputs[0];
  return OfEach(k,
                [&](double x) { return double{static_cast<float>(double{from.scales[0]} * (x - from.zero_point))}; });
}

constexpr OperatorDefinition kTypeChanges[] = {
    {BuiltinOperator::kCast, [](const OperatorCase& k) { return std::vector{Cast(k)}; }},
    {BuiltinOperator::kQuantize, [](const OperatorCase& k) { return std::vector{Quantize(k)}; }},
    {BuiltinOperator::kDequantize, [](const OperatorCase& k) { return std::vector{Dequantize(k)}; }},
    {BuiltinOperator::kReshape, [](const OperatorCase& k) { return std::vector{Exactly(StoredValues(k.inputs[0]))}; }},
};

}  // namespace

std::span<const OperatorDefinition> TypeChangeDefinitions() { return kTypeChanges; }

}  // namespace arenaproof::props
