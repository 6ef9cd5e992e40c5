#include "engine/generators/operators/table/arithmetic_operands.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
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
    case BuiltinOperator::kPrelu:
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
    const std::int32_t most_power = made.code == BuiltinOperator::kDiv ? 2 : made.output.type == kInt16 ? 16 : 8;
    const std::int32_t least_power = made.code == BuiltinOperator::kDiv ? -22 : 0;
    scale = std::ldexp(step, random.OneIn(2) ? random.Between(0, 3) : random.Between(least_power, most_power));
    if (made.code == BuiltinOperator::kDiv && random.OneIn(2)) scale = std::ldexp(step, -random.Between(2, 6));
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

// Twice, half or as large as the other; or three times, five times and so on: the ratio then lies so near to a simple
// one that the last bits of the multipliers decide a tie.
float TiedScale(CaseRandom& random, float other) {
  if (random.OneIn(3)) return other;
  if (random.OneIn(2)) return std::ldexp(other, random.Between(-2, 2));
  return std::ldexp(other * static_cast<float>(2 * random.Between(1, 4) + 1), random.Between(-4, 0));
}

void DrawScales(ShapeDraw& draw, OperatorCase& made) {
  constexpr float kMostScale = 0.99f;  // of a comparison
  CaseRandom& random = draw.random;
  const Relation relation = PickRelation(random, made);
  const bool compares = made.output.type == kBool;
  for (std::size_t i = 0; i < 2; ++i) {
    CaseTensor& input = made.inputs[i];
    DrawQuantization(random, draw.row.inputs[i], made, nullptr, input);
    // Finer ones than a comparison can tell apart.
    if (random.OneIn(compares ? 2 : 3)) {
      input.scales[0] = std::ldexp(input.scales[0], random.Between(compares ? -10 : -6, 2));
    }
    if (relation == Relation::kPowersOfTwo) input.scales[0] = std::exp2(std::floor(std::log2(input.scales[0])));
  }
  CaseTensor &first = made.inputs[0], &second = made.inputs[1];
  if (relation == Relation::kTied) {
    second.scales = {std::min(TiedScale(random, first.scales[0]), kMostScale)};
    if (first.type == second.type && random.OneIn(2)) second.zero_point = first.zero_point;
  }
  if (!IsRescaled(draw.row.outputs[0], made.output)) return;
  DrawQuantization(random, draw.row.outputs[0], made, nullptr, made.output);
  DrawOutputScale(random, relation, made);
}

template <typename Element>
void StoreCorner(CaseTensor& tensor, std::size_t index, Element value) {
  std::memcpy(&tensor.bytes[index * sizeof(Element)], &value, sizeof(Element));
}

float FloatCorner(CaseRandom& random) {
  using Limits = std::numeric_limits<float>;
  constexpr float kCorners[] = {0.0f,          0.5f,
                                1.0f,          6.0f,
                                Limits::min(), Limits::denorm_min(),
                                Limits::max(), 16777217.0f,
                                1e20f,         Limits::infinity()};
  if (random.OneIn(8)) return Limits::quiet_NaN();
  const float corner = kCorners[random.Between(0, static_cast<std::int32_t>(std::size(kCorners)) - 1)];
  return random.OneIn(2) ? corner : -corner;
}

// The ends of the type, zero and what is beside them.
std::int32_t IntegerCorner(CaseRandom& random, std::int32_t least, std::int32_t most, std::int32_t zero) {
  switch (random.Between(0, 3)) {
    case 0:
      return least + random.Between(0, 1);
    case 1:
      return most - random.Between(0, 1);
    default:
      return std::clamp(zero + random.Between(-2, 2), least, most);
  }
}

// Half of the values are corners, the others lie anywhere in the type. The lowest int32 is no dividend: its quotient
// may be none.
void FillWithCorners(CaseRandom& random, const OperandRow& row, bool divides, CaseTensor& tensor) {
  if (tensor.type != kFloat32 && tensor.type != kInt8 && tensor.type != kInt16 && tensor.type != kInt32) return;
  const bool not_zero = row.values == ValueRule::kNotZero;
  const std::int32_t most = tensor.type == kInt8 ? 127 : tensor.type == kInt16 ? 32767 : 2147483647;
  const std::int32_t least = divides && tensor.type == kInt32 ? -most : -most - 1;
  const std::int32_t zero = tensor.zero_point;
  tensor.bytes.resize(tensor.count() * ElementBytes(tensor.type));
  for (std::size_t i = 0; i < tensor.count(); ++i) {
    if (tensor.type == kFloat32) {
      const float value = random.OneIn(2) ? FloatCorner(random) : random.FloatBetween(-8.0f, 8.0f);
      StoreCorner(tensor, i, not_zero && value == 0.0f ? 3.0f : value);
      continue;
    }
    std::int32_t value = random.OneIn(2) ? IntegerCorner(random, least, most, zero) : random.Between(least, most);
    if (not_zero && value == zero) value += zero == most ? -1 : 1;
    if (tensor.type == kInt8) StoreCorner(tensor, i, static_cast<std::int8_t>(value));
    if (tensor.type == kInt16) StoreCorner(tensor, i, static_cast<std::int16_t>(value));
    if (tensor.type == kInt32) StoreCorner(tensor, i, value);
  }
}

}  // namespace

void DrawArithmeticOperands(ShapeDraw& draw, OperatorCase& made) {
  const bool few = draw.random.OneIn(4), corners = !few && draw.random.OneIn(2);
  if (few) {
    for (CaseTensor& input : made.inputs) input.values = ValueKind::kFew;
  }
  if (made.inputs.size() == 2 && IsRescaled(draw.row.inputs[0], made.inputs[0])) DrawScales(draw, made);
  for (std::size_t i = 0; corners && i < made.inputs.size(); ++i) {
    FillWithCorners(draw.random, draw.row.inputs[i], made.code == BuiltinOperator::kDiv, made.inputs[i]);
  }
}

}  // namespace arenaproof
