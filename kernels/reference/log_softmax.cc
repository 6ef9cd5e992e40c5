// LOG_SOFTMAX over rows along the last dimension: float32, and int8 with exp and logarithm in fixed point.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/fixed_point_functions.h"
#include "kernels/reference/row_differences.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kLongestInt8Row = 4095;  // a row's sum is Q12.19; each entry adds at most 2^19
constexpr int kSumIntegerBits = 12;
constexpr std::int32_t kMostOutput = 127;  // stands for 0
constexpr int kOutputShift = 22;           // from Q5.26 to sixteenths

struct LogSoftmaxData {
  RowDifferences differences;
  QuantizedMultiplier inverse;  // of the differences' multiplier
};
ARENAPROOF_PIN_BYTES(LogSoftmaxData, 20, 4, 20, 4);

void RunRowFloat(ElementReader<float> from, ElementWriter<float> to, std::size_t first, std::size_t end) {
  float most = std::numeric_limits<float>::lowest();
  for (std::size_t i = first; i < end; ++i) most = std::max(most, from[i]);
  float sum = 0.0f;
  for (std::size_t i = first; i < end; ++i) sum += std::exp(from[i] - most);
  const float logarithm = std::log(sum);
  for (std::size_t i = first; i < end; ++i) to.Store(i, from[i] - most - logarithm);
}

void RunRowInt8(const std::int8_t* from, std::int8_t* to, std::size_t count, const LogSoftmaxData& data) {
  const RowDifferences& differences = data.differences;
  const std::int32_t most = *std::max_element(from, from + count);
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t difference = from[i] - most;
    if (difference < differences.least_difference) continue;
    sum += RoundingDivideByPowerOfTwo(ExpOfNonPositive(differences.Rescaled(difference)), kSumIntegerBits);
  }
  // The maximum itself adds 1, so the logarithm is not below 0.
  const std::int32_t logarithm = Logarithm(sum);
  // A result has left Q5.26 where the difference is not above this.
  const std::int32_t lowest =
      MultiplyByQuantizedMultiplier(WrappingAdd(logarithm, std::numeric_limits<std::int32_t>::min()), data.inverse);
  const std::int32_t limit = std::max(differences.least_difference - 1, lowest);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t difference = from[i] - most;
    if (difference <= limit) {
      to[i] = std::numeric_limits<std::int8_t>::min();
      continue;
    }
    const std::int32_t result = WrappingSubtract(differences.Rescaled(difference), logarithm);
    to[i] = ClampToInt8(RoundingDivideByPowerOfTwo(result, kOutputShift) + kMostOutput, QuantizedRange{});
  }
}

}  // namespace

Status PrepareLogSoftmax(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kInput, 1, kMaxOperandRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kInput));
  const Operand& input = context.inputs[kInput];
  if (input.type == TensorType::kFloat32) return Ok();
  if (static_cast<std::size_t>(input.dims[input.rank - 1u]) > kLongestInt8Row) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kLogSoftmaxRow);
  }
  Affine from;
  Affine to;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kInput, &from));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &to));
  ARENAPROOF_RETURN_IF_ERROR(CheckSameAffine(kOutput, to, {1.0f / 16.0f, kMostOutput}));
  LogSoftmaxData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  ARENAPROOF_RETURN_IF_ERROR(ReadRowDifferences(double{from.scale}, &data->differences));
  const QuantizedMultiplier factor = data->differences.multiplier;
  return ReadMultiplier(std::ldexp(1.0, 31 - factor.shift) / static_cast<double>(factor.multiplier), &data->inverse);
}

Status InvokeLogSoftmax(const InvokeContext& context) {
  const Operand& input = context.inputs[kInput];
  const Operand& output = context.outputs[0];
  const auto row_length = static_cast<std::size_t>(input.dims[input.rank - 1u]);
  const std::size_t count = input.element_count();
  for (std::size_t first = 0; first < count; first += row_length) {
    if (input.type == TensorType::kFloat32) {
      RunRowFloat(ElementReader<float>(input), ElementWriter<float>(output), first, first + row_length);
    } else {
      RunRowInt8(input.as<std::int8_t>() + first, output.mutable_as<std::int8_t>() + first, row_length,
                 *static_cast<const LogSoftmaxData*>(context.op_data));
    }
  }
  return Ok();
}

}  // namespace arenaproof::reference
