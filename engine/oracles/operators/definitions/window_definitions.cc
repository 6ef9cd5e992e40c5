#include "engine/oracles/operators/definitions/window_definitions.h"

#include <algorithm>

namespace arenaproof::props {
namespace {

using Sizes = std::vector<std::size_t>;

constexpr std::size_t kInt32Bytes = 4;
constexpr std::size_t kTurnedTensorBytes = 24;

// A multiplier and a shift for each channel.
Sizes ChannelArrays(std::size_t channels) { return {kInt32Bytes * channels, kInt32Bytes * channels}; }

// For floats too, as the reference.
Sizes ConvolutionArrays(const OperatorCase& k) {
  return ChannelArrays(static_cast<std::size_t>(k.output.shape.back()));
}

Sizes FullyConnectedArrays(const OperatorCase& k) {
  return k.inputs[1].scales.size() < 2 ? Sizes{} : ChannelArrays(k.inputs[1].scales.size());
}

// The rank and the extents.
std::size_t DimsBytes(const CaseTensor& tensor) { return kInt32Bytes * (1 + tensor.shape.size()); }

Sizes OutputDims(const OperatorCase& k) { return {DimsBytes(k.output)}; }

// Rows of the first operand are multiplied with columns of the second: what does not lie so is turned.
Sizes TurnedOperands(const OperatorCase& k) {
  const auto& options = std::get<BatchMatMulOptions>(k.options);
  Sizes sizes;
  for (std::size_t operand = 0; operand < 2; ++operand) {
    if (operand == 0 ? !options.adj_x : options.adj_y) continue;
    const CaseTensor& tensor = k.inputs[operand];
    sizes.insert(sizes.end(), {kTurnedTensorBytes, DimsBytes(tensor), tensor.count() * ElementBytes(tensor.type)});
  }
  sizes.push_back(DimsBytes(k.output));
  return sizes;
}

// A byte for each weight of four bits.
Sizes UnpackedWeights(const OperatorCase& k) {
  return k.inputs[1].type == TensorType::kInt4 ? Sizes{k.inputs[1].count()} : Sizes{};
}

// Sums, and a bias of 16 bits as such.
Sizes SpreadSums(const OperatorCase& k) {
  if (k.output.type == TensorType::kFloat32) return {};
  const std::size_t sum_bytes = k.output.type == TensorType::kInt8 ? 4 : 8;
  Sizes sizes = {sum_bytes * k.output.count()};
  const bool narrow_bias = k.inputs.size() == 4 && k.inputs[3].present && k.inputs[3].type == TensorType::kInt16;
  if (narrow_bias) sizes.push_back(sum_bytes * k.inputs[3].count());
  return sizes;
}

constexpr OperatorDefinition kWindowDefinitions[] = {
    {BuiltinOperator::kConv2d, ConvolutionOf, UnpackedWeights, ConvolutionArrays},
    {BuiltinOperator::kDepthwiseConv2d, ConvolutionOf, UnpackedWeights, ConvolutionArrays},
    {BuiltinOperator::kTransposeConv, TransposeConvolutionOf, SpreadSums, ConvolutionArrays},
    {BuiltinOperator::kFullyConnected, FullyConnectedOf, UnpackedWeights, FullyConnectedArrays},
    {BuiltinOperator::kBatchMatmul, BatchMatMulOf, nullptr, TurnedOperands},
    {BuiltinOperator::kAveragePool2d, PoolOf},
    {BuiltinOperator::kMaxPool2d, PoolOf},
    {BuiltinOperator::kL2Pool2d, L2PoolOf, nullptr, OutputDims},
    {BuiltinOperator::kResizeNearestNeighbor, NearestNeighborOf},
    {BuiltinOperator::kResizeBilinear, BilinearOf},
};

}  // namespace

std::span<const OperatorDefinition> WindowDefinitions() { return kWindowDefinitions; }

}  // namespace arenaproof::props
