#include "engine/generators/operators/table/arithmetic_operands.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/generators/operators/table/table_quantization.h"

namespace arenaproof {
namespace {

using enum TensorType;

bool IsRescaled(const OperandRow& row, const CaseTensor& tensor) {
  const QuantizationRule rule = RuleFor(row, tensor.type);
  return rule == QuantizationRule::kFree || rule == QuantizationRule::kSymmetric;
}

// The largest centered value that is likely.
double ReachOf(const CaseTensor& tensor) {
  if (tensor.values == ValueKind::kFew) return 2;
  return tensor.type == kInt16 ? 32768 : 128;
}

// The largest result that is likely, of values up to `a` and `b`.
double LargestResult(BuiltinOperator code, double a, double b) {
  switch (code) {
    case BuiltinOperator::kMul:
      return a * b;
    case BuiltinOperator::kSquaredDifference:
      return (a + b) * (a + b);
    case BuiltinOperator::kPrelu:
      return a * std::max(1.0, b);
    default:
      return a + b;
  }
}

// What one step of the inputs is in the result.
double StepOf(BuiltinOperator code, double first, double second) {
  switch (code) {
    case BuiltinOperator::kMul:
      return first * second;
    case BuiltinOperator::kSquaredDifference:
      return first * first;
    case BuiltinOperator::kDiv:
      return first / second;
    default:
      return first;
  }
}

// The least scale of the output with which the operator is served, and no intermediate leaves 32 bits.
double LeastOutputScale(const OperatorCase& made, double first, double second) {
  constexpr double kAbove = 1.001;
  constexpr double kLeastForActivations = 1e-8;  // 6 has to be within 32 bits
  const bool wide = made.output.type == kInt16;
  const double twice_larger = 2 * std::max(first, second);
  double least = 0;
  switch (made.code) {
    case BuiltinOperator::kAdd:
    case BuiltinOperator::kSub:
      least = std::ldexp(twice_larger, wide ? -15 : -20);
      break;
    case BuiltinOperator::kMul:
      least = wide ? first * second : std::ldexp(first * second, -14);
      break;
    case BuiltinOperator::kSquaredDifference:
      least = std::ldexp(twice_larger * twice_larger, wide ? 0 : -14);
      break;
    case BuiltinOperator::kPrelu:
      least = std::ldexp(first * std::max(1.0, second), -6);
      break;
    case BuiltinOperator::kDiv:
      least = std::ldexp(first / second, -23);
      break;
    default:
      break;
  }
  return std::max(least * kAbove, kLeastForActivations);
}

enum class Relation { kNone, kFits, kTied, kPowersOfTwo };

Relation PickRelation(CaseRandom& random, const OperatorCase& made) {
  // Independent scales of int16 let nearly everything saturate.
  const std::int32_t first = made.output.type == kInt16 ? 1 : 0;
  return static_cast<Relation>(random.Between(first, 3));
}

void DrawOutputScale(CaseRandom& random, Relation relation, OperatorCase& made) {
  const CaseTensor &a = made.inputs[0], &b = made.inputs[1];
  const double first = double{a.scales[0]}, second = double{b.scales[0]};
  const double step = StepOf(made.code, first, second);
  double scale = double{made.output.scales[0]};
  if (relation == Relation::kTied) {
    scale = std::ldexp(step, random.Between(0, made.output.type == kInt16 ? 16 : 8));
    if (made.code == BuiltinOperator::kDiv) scale = std::ldexp(step, -random.Between(-2, 22));
  } else if (relation != Relation::kNone) {
    // A quotient of few values is near one step; others have the output's whole type, or less, or somewhat more.
    const double largest = made.code == BuiltinOperator::kDiv
                               ? 8 * step
                               : LargestResult(made.code, first * ReachOf(a), second * ReachOf(b));
    scale = std::ldexp(largest / (made.output.type == kInt16 ? 32768 : 128), random.Between(-5, 2));
  }
  scale = std::max(scale, LeastOutputScale(made, first, second));
  if (relation == Relation::kPowersOfTwo) scale = std::exp2(std::ceil(std::log2(scale)));
  made.output.scales = {static_cast<float>(scale)};
}

void DrawScales(ShapeDraw& draw, OperatorCase& made) {
  constexpr float kMostScale = 0.99f;  // of a comparison
  CaseRandom& random = draw.random;
  const Relation relation = PickRelation(random, made);
  for (std::size_t i = 0; i < 2; ++i) {
    CaseTensor& input = made.inputs[i];
    DrawQuantization(random, draw.row.inputs[i], made, nullptr, input);
    if (random.OneIn(3)) input.scales[0] = std::ldexp(input.scales[0], random.Between(-6, 2));
    if (relation == Relation::kPowersOfTwo) input.scales[0] = std::exp2(std::floor(std::log2(input.scales[0])));
  }
  CaseTensor &first = made.inputs[0], &second = made.inputs[1];
  if (relation == Relation::kTied && first.type == second.type) {
    second.scales = {std::min(std::ldexp(first.scales[0], random.OneIn(2) ? 0 : random.Between(-2, 2)), kMostScale)};
    if (random.OneIn(2)) second.zero_point = first.zero_point;
  }
  if (!IsRescaled(draw.row.outputs[0], made.output)) return;
  DrawQuantization(random, draw.row.outputs[0], made, nullptr, made.output);
  DrawOutputScale(random, relation, made);
}

// Anywhere in the type, and at its ends. A quotient of the lowest one may be none.
void FillWithWholeType(CaseRandom& random, const OperandRow& row, bool divides, CaseTensor& tensor) {
  using Limits = std::numeric_limits<std::int32_t>;
  const std::int32_t least = divides ? -Limits::max() : Limits::min();
  std::vector<std::int64_t> values(tensor.count());
  for (std::int64_t& value : values) {
    value = random.OneIn(2) ? random.Between(least, Limits::max()) : random.Between(-3, 3);
    if (random.OneIn(6)) value = random.OneIn(2) ? least : Limits::max();
    if (row.values == ValueRule::kNotZero && value == 0) value = 1;
  }
  SetIntegers(tensor, values, tensor.shape);
}

}  // namespace

void DrawArithmeticOperands(ShapeDraw& draw, OperatorCase& made) {
  const bool few = draw.random.OneIn(4), whole = !few && draw.random.OneIn(2);
  for (std::size_t i = 0; i < made.inputs.size(); ++i) {
    CaseTensor& input = made.inputs[i];
    if (few) input.values = ValueKind::kFew;
    if (!whole || input.type != kInt32) continue;
    FillWithWholeType(draw.random, draw.row.inputs[i], made.code == BuiltinOperator::kDiv, input);
  }
  if (made.inputs.size() == 2 && IsRescaled(draw.row.inputs[0], made.inputs[0])) DrawScales(draw, made);
}

}  // namespace arenaproof
