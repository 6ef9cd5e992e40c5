#include "kernels/reference/weights.h"

#include <algorithm>
#include <limits>

namespace arenaproof::reference {
namespace {

// Of int8 and int4 weights.
constexpr std::int64_t kLargestWeight = 128;
constexpr std::int64_t kMostNarrow = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostWide = (std::int64_t{1} << 47) - 1;

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

Status CheckProductCount(std::size_t count, ProductSums sums, const Affine& input) {
  std::int64_t most = static_cast<std::int64_t>(kMostInt8Products);
  if (sums != ProductSums::kInt8) {
    const std::int64_t farthest =
        std::max(32767 - std::int64_t{input.zero_point}, input.zero_point + std::int64_t{32768});
    most = (sums == ProductSums::kInt16 ? kMostWide : kMostNarrow) / (kLargestWeight * farthest);
  }
  if (static_cast<std::uint64_t>(count) <= static_cast<std::uint64_t>(most)) return Ok();
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
  const auto* packed = filter.as<std::uint8_t>();
  auto* const unpacked = reinterpret_cast<std::int8_t*>(context.scratch[0]);
  const std::size_t count = filter.element_count();
  for (std::size_t i = 0; i < count; ++i) {
    // The low four bits first; 8 is their sign bit.
    const int bits = i % 2 == 0 ? packed[i / 2] & 15 : packed[i / 2] >> 4;
    unpacked[i] = static_cast<std::int8_t>((bits ^ 8) - 8);
  }
  return unpacked;
}

}  // namespace arenaproof::reference
