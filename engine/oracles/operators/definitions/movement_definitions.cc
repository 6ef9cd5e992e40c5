#include "engine/oracles/operators/definitions/movement_definitions.h"

#include <algorithm>

#include "engine/oracles/operators/operator_sums.h"

namespace arenaproof::props {
namespace {

std::vector<Expected> Copied(const OperatorCase& subject) { return {Exactly(StoredValues(subject.inputs[0]))}; }

std::vector<Expected> DefinedTranspose(const OperatorCase& subject) {
  const CaseTensor& data = subject.inputs[0];
  const Values values = StoredValues(data);
  Values result(values.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto to = PositionOf(subject.output.shape, i);
    auto from = to;
    for (std::size_t axis = 0; axis < to.size(); ++axis) {
      from[static_cast<std::size_t>(IntegerAt(subject.inputs[1], axis))] = to[axis];
    }
    result[i] = values[At(data.shape, from)];
  }
  return {Exactly(std::move(result))};
}

// Without a value int8 is padded by the output's zero point, other types by the number 0, int16 too.
std::vector<Expected> DefinedPad(const OperatorCase& subject) {
  const bool has_value = subject.inputs.size() > 2 && subject.inputs[2].present;
  double fill = subject.output.type == TensorType::kInt8 ? subject.output.zero_point : 0;
  if (has_value) fill = StoredValues(subject.inputs[2])[0];
  return {Exactly(Pad<double>(subject, StoredValues(subject.inputs[0]), fill))};
}

// The position in the output, and the place before a dimension.
std::vector<std::size_t> MirrorPadScratch(const OperatorCase& subject) {
  return {4 * subject.inputs[0].shape.size(), 4 * subject.inputs[0].shape.size()};
}

// Extents count as their lower 32 bits; that of a missing dimension is 1.
std::vector<Expected> DefinedBroadcastArgs(const OperatorCase& subject) {
  Values first = StoredValues(subject.inputs[0]), second = StoredValues(subject.inputs[1]);
  const std::size_t rank = std::max(first.size(), second.size());
  first.insert(first.begin(), rank - first.size(), 1);
  second.insert(second.begin(), rank - second.size(), 1);
  const auto narrowed = [](double extent) {
    return static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(extent)));
  };
  for (std::size_t axis = 0; axis < rank; ++axis) {
    first[axis] = narrowed(narrowed(first[axis]) == 1 ? second[axis] : first[axis]);
  }
  return {Exactly(std::move(first))};
}

std::vector<Expected> DefinedFill(const OperatorCase& subject) {
  return {Exactly(Values(subject.output.count(), StoredValues(subject.inputs[1])[0]))};
}

std::vector<Expected> DefinedShape(const OperatorCase& subject) {
  return {Exactly({subject.inputs[0].shape.begin(), subject.inputs[0].shape.end()})};
}

// The update lies where it begins, or at the nearest place that has room for it.
std::vector<Expected> DefinedDynamicUpdateSlice(const OperatorCase& subject) {
  const CaseTensor& update = subject.inputs[1];
  const auto& shape = subject.inputs[0].shape;
  const Values changed = StoredValues(update), starts = StoredValues(subject.inputs[2]);
  Values result = StoredValues(subject.inputs[0]);
  for (std::size_t i = 0; i < changed.size(); ++i) {
    auto position = PositionOf(update.shape, i);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const double room = shape[axis] - update.shape[axis];
      position[axis] += static_cast<std::int32_t>(std::min(std::max(0.0, starts[axis]), room));
    }
    result[At(shape, position)] = changed[i];
  }
  return {Exactly(std::move(result))};
}

constexpr OperatorDefinition kMovementDefinitions[] = {
    {BuiltinOperator::kConcatenation, DefinedConcatenation},
    {BuiltinOperator::kPack, DefinedPack},
    {BuiltinOperator::kUnpack, DefinedUnpack},
    {BuiltinOperator::kSplit, DefinedSplit},
    {BuiltinOperator::kSplitV, DefinedSplitV},
    {BuiltinOperator::kTranspose, DefinedTranspose},
    {BuiltinOperator::kSlice, DefinedSlice},
    {BuiltinOperator::kStridedSlice, DefinedStridedSlice},
    {BuiltinOperator::kPad, DefinedPad},
    {BuiltinOperator::kPadv2, DefinedPad},
    {BuiltinOperator::kMirrorPad, DefinedMirrorPad, MirrorPadScratch},
    {BuiltinOperator::kExpandDims, Copied},
    {BuiltinOperator::kSqueeze, Copied},
    {BuiltinOperator::kSpaceToDepth, DefinedSpaceToDepth},
    {BuiltinOperator::kDepthToSpace, DefinedDepthToSpace},
    {BuiltinOperator::kSpaceToBatchNd, DefinedSpaceToBatch},
    {BuiltinOperator::kBatchToSpaceNd, DefinedBatchToSpace},
    {BuiltinOperator::kReverseV2, DefinedReverse},
    {BuiltinOperator::kBroadcastTo, DefinedBroadcastTo},
    {BuiltinOperator::kBroadcastArgs, DefinedBroadcastArgs},
    {BuiltinOperator::kFill, DefinedFill},
    {BuiltinOperator::kShape, DefinedShape},
    {BuiltinOperator::kDynamicUpdateSlice, DefinedDynamicUpdateSlice},
};

}  // namespace

std::span<const OperatorDefinition> MovementDefinitions() { return kMovementDefinitions; }

}  // namespace arenaproof::props
