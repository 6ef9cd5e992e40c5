#include "engine/oracles/operators/memory_definition.h"

namespace arenaproof::props {
namespace {

constexpr std::size_t kNumber = 4;  // bytes of a sum, an index, a multiplier or a shift

// Multipliers and shifts.
std::vector<std::size_t> TwoArrays(std::int32_t channels) {
  return {kNumber * static_cast<std::size_t>(channels), kNumber * static_cast<std::size_t>(channels)};
}

}  // namespace

// MEAN: sums of int8 values; then an index for each dimension, and the axes.
std::vector<std::size_t> ScratchOf(const OperatorCase& k) {
  if (k.code != BuiltinOperator::kMean) return {};
  std::vector<std::size_t> buffers = {kNumber * k.inputs[0].shape.size(), kNumber * k.inputs[1].count()};
  if (k.inputs[0].type == TensorType::kInt8) buffers.insert(buffers.begin(), kNumber * k.output.count());
  return buffers;
}

// Convolutions have them for floats too, as the reference.
std::vector<std::size_t> ArraysOf(const OperatorCase& k) {
  switch (k.code) {
    case BuiltinOperator::kConv2d:
    case BuiltinOperator::kDepthwiseConv2d:
      return TwoArrays(k.output.shape[3]);
    case BuiltinOperator::kFullyConnected:
      if (k.inputs[1].scales.size() < 2) return {};
      return TwoArrays(k.inputs[1].shape[0]);
    default:
      return {};
  }
}

}  // namespace arenaproof::props
