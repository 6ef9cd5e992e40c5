// SOFTMAX over rows along the last dimension: float, and int8 to int8 or int16 with exp and reciprocal in fixed point;
// int16 to int16 is softmax_int16.h's.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/fixed_point.h"
#include "kernels/reference/fixed_point_functions.h"
#include "kernels/reference/row_differences.h"
#include "kernels/reference/softmax_int16.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kInput = 0;

// A row's sum is Q12.19 in 32 unsigned bits; each entry adds at most 2^19.
constexpr std::int32_t kLongestRow = 8191;
constexpr int kSumIntegerBits = 12;

struct SoftmaxData : RowDifferences {
  std::size_t row_count = 0;
  std::size_t row_length = 0;
  float beta = 0.0f;
  bool quantized = false;
};
ARENAPROOF_PIN_BYTES(SoftmaxData, 40, 8, 28, 4);

Status ReadQuantization(const PrepareContext& context, SoftmaxData* data) {
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kInput, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  const bool wide = OperandAt(context, kOutput).type == TensorType::kInt16;
  ARENAPROOF_RETURN_IF_ERROR(
      CheckSameAffine(kOutput, output, wide ? Affine{1.0f / 65536.0f, -32768} : Affine{1.0f / 256.0f, -128}));
  if (data->row_length > static_cast<std::size_t>(kLongestRow)) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kSoftmaxRow);
  }
  data->quantized = true;
  return ReadRowDifferences(double{data->beta} * double{input.scale}, data);
}

// exp of a difference to the row's maximum, which is at least least_difference, as Q0.31.
std::int32_t ExpOfDifference(std::int32_t difference, const SoftmaxData& data) {
  return ExpOfNonPositive(data.Rescaled(difference));
}

template <typename Element>
void RunRowInt8(const std::int8_t* input, ElementWriter<Element> output, std::size_t first, const SoftmaxData& data) {
  constexpr std::int32_t kLeast = std::numeric_limits<Element>::min();
  constexpr int kOutputBits = 8 * sizeof(Element);
  const std::int32_t most = *std::max_element(input, input + data.row_length);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < data.row_length; ++i) {
    const std::int32_t difference = input[i] - most;
    if (difference < data.least_difference) continue;
    sum += static_cast<std::uint32_t>(RoundingDivideByPowerOfTwo(ExpOfDifference(difference, data), kSumIntegerBits));
  }
  // The maximum itself adds 2^19, so the sum is not 0.
  const int headroom = CountLeadingZeros(sum);
  const int bits_over_unit = kSumIntegerBits - headroom;
  const auto excess = static_cast<std::int32_t>((sum << headroom) - (std::uint32_t{1} << 31));
  const std::int32_t reciprocal = OneOverOnePlus(excess);
  for (std::size_t i = 0; i < data.row_length; ++i) {
    const std::int32_t difference = input[i] - most;
    if (difference < data.least_difference) {
      output.Store(first + i, kLeast);
      continue;
    }
    const std::int32_t product = SaturatingRoundingDoublingHighMultiply(reciprocal, ExpOfDifference(difference, data));
    const std::int32_t unsaturated = RoundingDivideByPowerOfTwo(product, bits_over_unit + 31 - kOutputBits) + kLeast;
    output.Store(first + i, ClampTo<Element>(unsaturated));
  }
}

void RunRowFloat(ElementReader<float> input, ElementWriter<float> output, std::size_t first, const SoftmaxData& data) {
  const std::size_t end = first + data.row_length;
  float most = std::numeric_limits<float>::lowest();
  for (std::size_t i = first; i < end; ++i) most = std::max(most, input[i]);
  float sum = 0.0f;
  for (std::size_t i = first; i < end; ++i) {
    const float power = std::exp((input[i] - most) * data.beta);
    output.Store(i, power);
    sum += power;
  }
  for (std::size_t i = first; i < end; ++i) output.Store(i, output.Load(i) / sum);
}

}  // namespace

Status PrepareSoftmax(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  const SoftmaxOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  const Operand& input = OperandAt(context, kInput);
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kInput, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  const bool widens = input.type == TensorType::kInt8 && OperandAt(context, kOutput).type == TensorType::kInt16;
  if (!widens) ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kInput, 1, kMaxOperandRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kInput));
  ARENAPROOF_RETURN_IF_ERROR(CheckSameShape(context, kOutput, kInput));
  if (!std::isfinite(options->beta)) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kInfiniteBeta);
  }
  if (input.type == TensorType::kInt16) return PrepareSoftmaxInt16(context, options->beta);
  SoftmaxData found;
  found.row_length = static_cast<std::size_t>(input.dims[input.rank - 1u]);
  found.row_count = input.element_count() / found.row_length;
  found.beta = options->beta;
  if (input.type == TensorType::kInt8) ARENAPROOF_RETURN_IF_ERROR(ReadQuantization(context, &found));
  SoftmaxData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = found;
  return Ok();
}

Status InvokeSoftmax(const InvokeContext& context) {
  const Operand& input = context.inputs[kInput];
  const Operand& output = context.outputs[0];
  if (input.type == TensorType::kInt16) return InvokeSoftmaxInt16(context);
  const auto& data = *static_cast<const SoftmaxData*>(context.op_data);
  for (std::size_t row = 0; row < data.row_count; ++row) {
    const std::size_t first = row * data.row_length;
    if (!data.quantized) {
      RunRowFloat(ElementReader<float>(input), ElementWriter<float>(output), first, data);
    } else if (output.type == TensorType::kInt8) {
      RunRowInt8(input.as<std::int8_t>() + first, ElementWriter<std::int8_t>(output), first, data);
    } else {
      RunRowInt8(input.as<std::int8_t>() + first, ElementWriter<std::int16_t>(output), first, data);
    }
  }
  return Ok();
}

}  // namespace arenaproof::reference
