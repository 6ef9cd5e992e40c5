#include <algorithm>

#include "engine/generators/operators/case_choices.h"
#include "engine/generators/operators/case_families.h"

namespace arenaproof {

OperatorCase MakePad(CaseRandom& random, bool quantized) {
  OperatorCase made;
  made.inputs.push_back(Activations(random, quantized, PickShape(random, 1, 5, 4)));
  made.output = made.inputs[0];
  std::vector<std::int32_t> paddings;
  for (std::int32_t& extent : made.output.shape) {
    paddings.push_back(random.Between(0, 2));
    paddings.push_back(random.Between(0, 2));
    extent += paddings[paddings.size() - 2] + paddings.back();
  }
  made.inputs.push_back(Integers(paddings, {static_cast<std::int32_t>(made.output.shape.size()), 2}));
  const bool needs_value = random.OneIn(2);
  made.code = needs_value ? BuiltinOperator::kPadv2 : BuiltinOperator::kPad;
  if (needs_value) {
    made.options = PadV2Options{};
  } else {
    made.options = PadOptions{};
  }
  if (!needs_value && !random.OneIn(4)) return made;  // PAD may have a value too
  CaseTensor value = made.inputs[0];
  value.shape = {1};
  if (random.OneIn(2)) FillConstant(random, value);
  made.inputs.push_back(value);
  return made;
}

OperatorCase MakeConcatenation(CaseRandom& random, bool quantized) {
  OperatorCase made;
  made.code = BuiltinOperator::kConcatenation;
  made.output = Activations(random, quantized, PickShape(random, 1, 4, 4));
  const auto axis =
      static_cast<std::size_t>(random.Between(0, static_cast<std::int32_t>(made.output.shape.size()) - 1));
  made.output.shape[axis] = 0;
  for (std::int32_t count = random.OneIn(8) ? 10 : random.Between(1, 4); count > 0; --count) {
    CaseTensor input = made.output;
    input.shape[axis] = random.Between(1, 5);
    made.inputs.push_back(input);
  }
  for (const CaseTensor& input : made.inputs) made.output.shape[axis] += input.shape[axis];
  const auto rank = static_cast<std::int32_t>(made.output.shape.size());
  made.options = ConcatenationOptions{.axis = static_cast<std::int32_t>(axis) - (random.OneIn(2) ? rank : 0)};
  return made;
}

OperatorCase MakeReshape(CaseRandom& random) {
  constexpr TensorType kTypes[] = {TensorType::kFloat32, TensorType::kInt8,  TensorType::kUInt8, TensorType::kInt16,
                                   TensorType::kInt32,   TensorType::kInt64, TensorType::kBool};
  OperatorCase made;
  made.code = BuiltinOperator::kReshape;
  made.options = ReshapeOptions{};
  made.inputs.push_back({.type = kTypes[random.Between(0, 6)], .shape = PickShape(random, 1, 5, 4)});
  made.output = made.inputs[0];
  if (random.OneIn(2)) {
    made.output.shape = {static_cast<std::int32_t>(made.inputs[0].count())};
  } else {
    std::reverse(made.output.shape.begin(), made.output.shape.end());
  }
  return made;
}

OperatorCase MakeMean(CaseRandom& random, bool quantized) {
  OperatorCase made;
  made.code = BuiltinOperator::kMean;
  made.inputs.push_back(Activations(random, quantized, PickShape(random, 1, 4, 6)));
  if (random.OneIn(5)) {  // so many that their sum leaves 16 bits
    made.inputs[0].shape = {random.Between(1, 2), random.Between(14, 20), random.Between(14, 20)};
    if (random.OneIn(2)) made.inputs[0].values = ValueKind::kHeaped;
  }
  const CaseShape shape = made.inputs[0].shape;
  const auto rank = static_cast<std::int32_t>(shape.size());
  std::vector<bool> reduced(shape.size(), false);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) reduced[axis] = random.OneIn(2);
  if (std::find(reduced.begin(), reduced.end(), true) == reduced.end()) reduced[0] = true;
  const bool keep = random.OneIn(2);
  CaseShape output;
  std::vector<std::int32_t> axes;
  const auto name_axis = [&](std::int32_t axis) { axes.push_back(random.OneIn(3) ? axis - rank : axis); };
  for (std::int32_t axis = 0; axis < rank; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    if (reduced[at]) name_axis(axis);
    if (!reduced[at]) output.push_back(shape[at]);
    if (reduced[at] && keep) output.push_back(1);
  }
  // An axis may be named twice, from either end, and in any order.
  constexpr std::size_t kMostAxes = 4;
  if (axes.size() < kMostAxes && random.OneIn(3)) name_axis((axes[0] + rank) % rank);
  random.Shuffle(axes);
  made.inputs.push_back(Integers(axes, {static_cast<std::int32_t>(axes.size())}));
  made.options = ReducerOptions{.keep_dims = keep};
  made.output = Activations(random, quantized, output);
  if (quantized) MakeTies(random, made, made.inputs[0].scales[0], 2);
  return made;
}

}  // namespace arenaproof
