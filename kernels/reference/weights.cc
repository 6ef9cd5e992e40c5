#include "kernels/reference/weights.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace arenaproof::reference {
namespace {

// Of int8 and int4 weights.
constexpr std::int64_t kLargestWeight = 128;
// Of activations from their zero point, wherever that lies.
constexpr std::int64_t kFarthestInt8 = 255;
constexpr std::int64_t kMostNarrow = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostWide = (std::int64_t{1} << 47) - 1;

// Of four bits the low half of a byte comes first; 8 is their sign bit.
std::int8_t WeightAt(const Operand& filter, std::size_t i) {
  if (filter.type != TensorType::kInt4) return filter.as<std::int8_t>()[i];
  const std::uint8_t pair = filter.as<std::uint8_t>()[i / 2];
  const int bits = i % 2 == 0 ? pair & 15 : pair >> 4;
  return static_cast<std::int8_t>((bits ^ 8) - 8);
}

// How far the weights of one step along the dimension take a sum of activations of 1, at most.
std::int64_t LargestWeightSum(const Operand& filter, std::size_t dimension) {
  std::size_t inner = 1;
  for (std::size_t axis = dimension + 1; axis < filter.rank; ++axis)
    inner *= static_cast<std::size_t>(filter.dims[axis]);
  const auto channels = static_cast<std::size_t>(filter.dims[dimension]);
  const std::size_t count = filter.element_count();
  std::int64_t largest = 0;
  for (std::size_t channel = 0; channel < channels; ++channel) {
    std::int64_t sum = 0;
    for (std::size_t first = channel * inner; first < count; first += channels * inner) {
      for (std::size_t i = first; i < first + inner; ++i) sum += std::abs(std::int64_t{WeightAt(filter, i)});
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

Status ReadProductSums(const PrepareContext& context, const WeightOperands& at, const WideBiasTypes& wide_bias,
                       ProductSums* sums) {
  const TensorType type = OperandAt(context, at.input).type;
  const TensorType found_filter = OperandAt(context, at.filter).type;
  const bool has_bias = HasInput(context, at.bias);
  const TensorType found_bias = has_bias ? context.inputs[at.bias].type : wide_bias.absent;
  TensorType filter = TensorType::kInt8;
  TensorType bias = TensorType::kInt32;
  switch (type) {
    case TensorType::kFloat32:
      *sums = ProductSums::kFloat;
      filter = bias = TensorType::kFloat32;
      break;
    case TensorType::kInt8:
      *sums = ProductSums::kInt8;
      if (found_filter == TensorType::kInt4) filter = TensorType::kInt4;
      break;
    case TensorType::kInt16:
      *sums = found_bias == TensorType::kInt32 ? ProductSums::kInt16Narrow : ProductSums::kInt16;
      bias = found_bias == wide_bias.other ? wide_bias.other : TensorType::kInt64;
      break;
    default:
      return UnsupportedType(context, at.input);
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, at.filter, filter));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, type));
  if (filter == TensorType::kInt4) ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, at.filter));
  if (!has_bias) return Ok();
  ARENAPROOF_RETURN_IF_ERROR(CheckSound(context, at.bias));
  return CheckType(context, at.bias, bias);
}

Status CheckProducts(const Operand& filter, std::size_t dimension, std::size_t count, ProductSums sums,
                     const Affine& input) {
  const std::int64_t farthest = sums == ProductSums::kInt8 ? kFarthestInt8
                                                           : std::max(32767 - std::int64_t{input.zero_point},
                                                                      input.zero_point + std::int64_t{32768});
  const std::int64_t most = (sums == ProductSums::kInt16 ? kMostWide : kMostNarrow) / farthest;
  if (count <= static_cast<std::uint64_t>(most / kLargestWeight)) return Ok();
  if (filter.constant && LargestWeightSum(filter, dimension) <= most) return Ok();
  return Failure(StatusCode::kKernelUnsupported, KernelFeature::kAccumulatorRange);
}

Status RequestUnpackedWeights(const PrepareContext& context, const WeightOperands& at) {
  const Operand& filter = OperandAt(context, at.filter);
  if (filter.type != TensorType::kInt4) return Ok();
  return context.services->RequestScratch(filter.element_count());
}

const std::int8_t* WeightsOf(const InvokeContext& context, const WeightOperands& at) {
  const Operand& filter = context.inputs[at.filter];
  if (filter.type != TensorType::kInt4) return filter.as<std::int8_t>();
  auto* const unpacked = reinterpret_cast<std::int8_t*>(context.scratch[0]);
  const std::size_t count = filter.element_count();
  for (std::size_t i = 0; i < count; ++i) unpacked[i] = WeightAt(filter, i);
  return unpacked;
}

}  // namespace arenaproof::reference
