#include <algorithm>
#include <iterator>

#include "engine/generators/operators/case_choices.h"
#include "engine/generators/operators/case_families.h"

namespace arenaproof {
namespace {

// Two shapes that broadcast, and what they broadcast to.
struct Broadcasting {
  CaseShape first, second, output;
};

// An empty operand makes an empty output, whatever the other one repeats.
Broadcasting PickEmpty(CaseRandom& random) {
  const CaseShape kOthers[] = {{}, {0}, {1}};
  const CaseShape other = kOthers[random.Between(0, 2)];
  if (random.OneIn(2)) return {{0}, other, {0}};
  return {other, {0}, {0}};
}

Broadcasting PickBroadcasting(CaseRandom& random) {
  if (random.OneIn(16)) return PickEmpty(random);
  const CaseShape shape = PickShape(random, 1, 4, 5);
  Broadcasting picked;
  for (CaseShape* own : {&picked.first, &picked.second}) {
    *own = shape;
    for (std::int32_t& extent : *own) extent = random.OneIn(4) ? 1 : extent;
    own->erase(own->begin(),
               own->begin() + (random.OneIn(4) ? random.Between(0, static_cast<std::int32_t>(own->size())) : 0));
  }
  picked.output.assign(std::max(picked.first.size(), picked.second.size()), 1);
  for (const CaseShape* own : {&picked.first, &picked.second}) {
    const std::size_t skipped = picked.output.size() - own->size();
    for (std::size_t i = 0; i < own->size(); ++i) {
      picked.output[skipped + i] = std::max(picked.output[skipped + i], (*own)[i]);
    }
  }
  return picked;
}

}  // namespace

OperatorCase MakeArithmetic(CaseRandom& random, bool quantized) {
  OperatorCase made;
  const bool adds = random.OneIn(2);
  made.code = adds ? BuiltinOperator::kAdd : BuiltinOperator::kMul;
  const Activation activation = PickActivation(random);
  if (adds) {
    made.options = AddOptions{.activation = activation};
  } else {
    made.options = MulOptions{.activation = activation};
  }
  const Broadcasting shapes = PickBroadcasting(random);
  made.inputs = {Activations(random, quantized, shapes.first), Activations(random, quantized, shapes.second)};
  if (random.OneIn(3) && made.inputs[1].count() > 0) FillConstant(random, made.inputs[1]);
  made.output = Sums(random, quantized, shapes.output);
  if (!quantized) return made;
  const float first = made.inputs[0].scales[0], second = made.inputs[1].scales[0];
  MakeTies(random, made, adds ? std::max(first, second) : first * second, adds ? 2 : 10);
  return made;
}

// Half of the int8 operands share their quantisation.
OperatorCase MakeComparison(CaseRandom& random) {
  using enum BuiltinOperator;
  constexpr BuiltinOperator kCodes[] = {kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual};
  constexpr TensorType kTypes[] = {TensorType::kInt8, TensorType::kInt8, TensorType::kFloat32, TensorType::kInt32,
                                   TensorType::kInt64};
  OperatorCase made;
  made.code = kCodes[random.Between(0, 5)];
  const bool equality = made.code == kEqual || made.code == kNotEqual;
  const TensorType type = equality && random.OneIn(6) ? TensorType::kBool : kTypes[random.Between(0, 4)];
  const Broadcasting shapes = PickBroadcasting(random);
  for (const CaseShape& shape : {shapes.first, shapes.second}) {
    CaseTensor operand = Activations(random, type == TensorType::kInt8, shape);
    operand.type = type;
    if (type == TensorType::kInt8 && random.OneIn(4)) operand.scales = {PickScale(random, 0.2f, 0.99f)};
    made.inputs.push_back(operand);
  }
  if (random.OneIn(2)) {
    made.inputs[1].scales = made.inputs[0].scales;
    made.inputs[1].zero_point = made.inputs[0].zero_point;
  }
  if (random.OneIn(3) && made.inputs[1].count() > 0) FillConstant(random, made.inputs[1]);
  made.output = {.type = TensorType::kBool, .shape = shapes.output};
  return made;
}

OperatorCase MakeUnary(CaseRandom& random, bool quantized) {
  constexpr BuiltinOperator kCodes[] = {BuiltinOperator::kRelu, BuiltinOperator::kRelu6, BuiltinOperator::kLogistic,
                                        BuiltinOperator::kTanh};
  OperatorCase made;
  made.code = kCodes[random.Between(0, 3)];
  made.inputs.push_back(Activations(random, quantized, PickShape(random, 0, 4, 5)));
  made.output = made.inputs[0];
  if (!quantized) return made;
  if (made.code == BuiltinOperator::kRelu) {
    made.output = Activations(random, true, made.inputs[0].shape);
    MakeTies(random, made, made.inputs[0].scales[0], 3);
  }
  if (made.code == BuiltinOperator::kLogistic) {
    made.output.scales = {1.0f / 256.0f};
    made.output.zero_point = -128;
  }
  if (made.code == BuiltinOperator::kTanh) {
    made.output.scales = {1.0f / 128.0f};
    made.output.zero_point = 0;
  }
  return made;
}

OperatorCase MakeTypeChange(CaseRandom& random) {
  OperatorCase made;
  const CaseShape shape = PickShape(random, 0, 4, 5);
  if (random.OneIn(2)) {
    made.code = BuiltinOperator::kQuantize;
    made.options = QuantizeOptions{};
    made.inputs.push_back(Activations(random, random.OneIn(2), shape));
    made.output = Activations(random, true, shape);
    if (!made.inputs[0].scales.empty()) MakeTies(random, made, made.inputs[0].scales[0], 3);
    return made;
  }
  made.code = BuiltinOperator::kDequantize;
  made.options = DequantizeOptions{};
  CaseTensor input = Activations(random, true, shape);
  constexpr TensorType kTypes[] = {TensorType::kInt8, TensorType::kUInt8, TensorType::kInt16};
  input.type = kTypes[random.Between(0, 2)];
  if (input.type == TensorType::kUInt8) input.zero_point += 128;
  if (input.type == TensorType::kInt16) input.zero_point *= 100;
  made.inputs.push_back(input);
  made.output = Activations(random, false, shape);
  return made;
}

}  // namespace arenaproof
