#include <algorithm>
#include <cmath>

#include "engine/oracles/operators/definitions/arithmetic_outputs.h"
#include "engine/oracles/operators/exact_arithmetic.h"
#include "engine/oracles/operators/exact_floats.h"
#include "engine/oracles/operators/operator_sums.h"
#include "engine/oracles/operators/quantized_bounds.h"

namespace arenaproof::props {
namespace {

template <typename Combine>
Values OfStoredPairs(const OperatorCase& k, Combine combine) {
  return Broadcast(k, StoredValues(k.inputs[0]), StoredValues(k.inputs[1]), combine);
}

// The low 32 bits, as two's complement.
double Wrapped(std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

// Plain integers; what leaves 32 bits wraps.
double OfIntegers(BuiltinOperator code, std::int64_t a, std::int64_t b) {
  switch (code) {
    case BuiltinOperator::kAdd:
      return Wrapped(a + b);
    case BuiltinOperator::kSub:
      return Wrapped(a - b);
    case BuiltinOperator::kMul:
      return Wrapped(a * b);
    case BuiltinOperator::kDiv:
      return static_cast<double>(a / b);
    default: {
      const std::int64_t difference = Integer(Wrapped(a - b));
      return Wrapped(difference * difference);
    }
  }
}

Values IntegersOf(const OperatorCase& k) {
  // ADD does not read its activation then.
  const bool activated = k.code != BuiltinOperator::kAdd;
  const Bounds bounds = BoundsOf(activated ? FusedActivation(k) : Activation::kNone, k.output);
  return OfStoredPairs(k,
                       [&](double a, double b) { return bounds.Clamped(OfIntegers(k.code, Integer(a), Integer(b))); });
}

Values FloatsOf(const OperatorCase& k) {
  if (k.code != BuiltinOperator::kSquaredDifference) return ExactFloats(k, false);
  return OfStoredPairs(k, [](double a, double b) {
    const auto difference = static_cast<float>(a - b);
    return double{difference * difference};  // rounded as a float
  });
}

Values QuantizedOf(const OperatorCase& k) {
  switch (k.code) {
    case BuiltinOperator::kMul:
      return ExactProduct(k);
    case BuiltinOperator::kDiv:
      return ExactQuotient(k);
    case BuiltinOperator::kSquaredDifference:
      return ExactSquaredDifference(k);
    default:
      return ExactSum(k);
  }
}

// The reference lists its inputs' addresses there.
std::vector<std::size_t> ScratchOfAddN(const OperatorCase& k) { return {k.inputs.size() * sizeof(void*)}; }

constexpr OperatorDefinition kArithmetic[] = {
    {BuiltinOperator::kAdd, ArithmeticOutputs},
    {BuiltinOperator::kSub, ArithmeticOutputs},
    {BuiltinOperator::kMul, ArithmeticOutputs},
    {BuiltinOperator::kDiv, ArithmeticOutputs},
    {BuiltinOperator::kSquaredDifference, ArithmeticOutputs},
    {BuiltinOperator::kFloorDiv, FloorOutputs},
    {BuiltinOperator::kFloorMod, FloorOutputs},
    {BuiltinOperator::kAddN, AddNOutputs, ScratchOfAddN},
    {BuiltinOperator::kPrelu, PreluOutputs},
    {BuiltinOperator::kMaximum, ExtremumOutputs},
    {BuiltinOperator::kMinimum, ExtremumOutputs},
    {BuiltinOperator::kEqual, ComparisonOutputs},
    {BuiltinOperator::kNotEqual, ComparisonOutputs},
    {BuiltinOperator::kLess, ComparisonOutputs},
    {BuiltinOperator::kLessEqual, ComparisonOutputs},
    {BuiltinOperator::kGreater, ComparisonOutputs},
    {BuiltinOperator::kGreaterEqual, ComparisonOutputs},
    {BuiltinOperator::kLogicalAnd, LogicalOutputs},
    {BuiltinOperator::kLogicalOr, LogicalOutputs},
    {BuiltinOperator::kSelectV2, SelectOutputs},
};

}  // namespace

Outputs ArithmeticOutputs(const OperatorCase& k) {
  if (k.output.type == TensorType::kFloat32) return {Exactly(FloatsOf(k))};
  return {Exactly(k.output.type == TensorType::kInt32 ? IntegersOf(k) : QuantizedOf(k))};
}

// The quotient in double; the remainder, which is exact, has the divisor's sign.
Outputs FloorOutputs(const OperatorCase& k) {
  const bool divides = k.code == BuiltinOperator::kFloorDiv;
  return {Exactly(OfStoredPairs(k, [&](double a, double b) {
    if (divides) return double{static_cast<float>(std::floor(a / b))};
    const double remainder = std::fmod(a, b);
    if (remainder == 0 || (b < 0) == (remainder < 0)) return remainder;
    return double{static_cast<float>(remainder + b)};
  }))};
}

Outputs AddNOutputs(const OperatorCase& k) {
  if (k.output.type == TensorType::kInt8) return {Exactly(ExactSumOfAll(k))};
  Values sums(k.output.count(), 0.0);
  for (const CaseTensor& input : k.inputs) {
    const Values terms = StoredValues(input);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = double{static_cast<float>(sums[i] + terms[i])};
  }
  return {Exactly(sums)};
}

Outputs PreluOutputs(const OperatorCase& k) {
  if (k.output.type != TensorType::kFloat32) return {Exactly(ExactPrelu(k))};
  return {Exactly(
      OfStoredPairs(k, [](double x, double alpha) { return x >= 0 ? x : double{static_cast<float>(x * alpha)}; }))};
}

std::span<const OperatorDefinition> ArithmeticDefinitions() { return kArithmetic; }

}  // namespace arenaproof::props
