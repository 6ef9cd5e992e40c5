// ABS and RSQRT.
#include <cmath>

#include "engine/oracles/operators/definitions/element_parts.h"
#include "engine/oracles/operators/inverse_root_definition.h"

namespace arenaproof::props {
namespace {

Expected Abs(const OperatorCase& k) {
  const std::vector<float>& from = k.inputs[0].scales;
  if (k.output.type == TensorType::kFloat32) return OfEach(k, [](double x) { return std::fabs(x); });
  // Plain integers: the magnitude of -2^15 has no 16 bits and stays what it is.
  if (from.empty()) return OfEach(k, [](double x) { return x == -32768 ? x : std::fabs(x); });
  const bool same_scale = from[0] == k.output.scales[0];
  const Ratio ratio = RatioOf(double{from[0] / k.output.scales[0]});  // in float
  return OfEachCentered(k, [&](std::int64_t x) { return same_scale ? std::abs(x) : Rescaled(std::abs(x), ratio); });
}

// The root of the stored value gets 20 fraction bits before it is rescaled. Zero gives the most that there is.
Expected Rsqrt(const OperatorCase& k) {
  if (k.output.type == TensorType::kFloat32) {
    return OfEachFloat(k, [](float x) { return 1.0f / std::sqrt(x); });
  }
  const float divisor = std::sqrt(k.inputs[0].scales[0]) * k.output.scales[0];  // in float
  Ratio ratio = RatioOf(1.0 / double{divisor});
  ratio.exponent -= 20;
  return OfEachCentered(k, [&](std::int64_t x) {
    if (x == 0) return std::int64_t{1} << 20;
    Ratio root = InverseRootOf(x);
    root.exponent += 20;
    return Rescaled(Rescaled(1, root), ratio);
  });
}

constexpr OperatorDefinition kMagnitudes[] = {
    {BuiltinOperator::kAbs, [](const OperatorCase& k) { return std::vector{Abs(k)}; }},
    {BuiltinOperator::kRsqrt, [](const OperatorCase& k) { return std::vector{Rsqrt(k)}; }},
};

}  // namespace

std::span<const OperatorDefinition> MagnitudeDefinitions() { return kMagnitudes; }

}  // namespace arenaproof::props
