#include "kernels/reference/softmax_int16.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"

namespace arenaproof::reference {
namespace {

constexpr int kSteps = 512;
constexpr std::size_t kTableBytes = (kSteps + 1) * sizeof(std::int16_t);
// exp's table reaches from -10 to 0 in 65535 steps.
constexpr float kReach = 10.0f;
// Entries of up to 32767 in a sum of 32 bits.
constexpr std::size_t kLongestRow = 65538;
// A difference of two elements, up to 65535, that goes this far to the left stays within 32 bits.
constexpr std::int32_t kMostShift = 15;

struct SoftmaxInt16Data {
  std::int16_t* exp = nullptr;         // of [-10, 0]
  std::int16_t* reciprocal = nullptr;  // 1 / (1 + x) of [0, 1]
  std::size_t row_count = 0;
  std::size_t row_length = 0;
  QuantizedMultiplier multiplier;  // of a difference, to the table's steps
};
ARENAPROOF_PIN_BYTES(SoftmaxInt16Data, 40, 8, 24, 4);

// A table of `function` over an input range of 65536 steps. Each entry gives up half of what a straight line to the
// next one is wrong by in the middle. All in float, as in the reference: last bits depend on it.
template <typename Function>
void FillTable(Function function, float input_scale, std::int32_t input_zero_point, std::int16_t* table) {
  constexpr std::int32_t kLeast = std::numeric_limits<std::int16_t>::min();
  constexpr std::int32_t kMost = std::numeric_limits<std::int16_t>::max();
  const float least_input = input_scale * static_cast<float>(kLeast - input_zero_point);
  const float most_input = input_scale * static_cast<float>(kMost - input_zero_point);
  constexpr float kOutputScale = 2.0f / 65535.0f;
  constexpr float kInverse =
      65536.0f / (kOutputScale * static_cast<float>(kMost) - kOutputScale * static_cast<float>(kLeast));
  const float step = (most_input - least_input) / static_cast<float>(kSteps);
  const float half_step = step / 2.0f;
  const auto clamped = [](float value) {
    return static_cast<std::int16_t>(std::min(std::max(value, static_cast<float>(kLeast)), static_cast<float>(kMost)));
  };
  for (int i = 0; i < kSteps; ++i) {
    const float value = function(least_input + static_cast<float>(i) * step);
    const float middle = function(least_input + static_cast<float>(i) * step + half_step);
    const float next = function(least_input + static_cast<float>(i + 1) * step);
    const float entry = std::round(value * kInverse);
    const float straight = std::round((next * kInverse + std::round(value * kInverse)) / 2.0f);
    const float error = straight - std::round(middle * kInverse);
    table[i] = clamped(entry - std::round(error / 2.0f));
  }
  table[kSteps] = clamped(std::round(function(most_input) * kInverse));
}

std::int16_t LookUp(const std::int16_t* table, std::int32_t value) {
  const std::int32_t index = 256 + (value >> 7);
  const std::int32_t slope = table[index + 1] - table[index];
  return static_cast<std::int16_t>(table[index] + ((slope * (value & 127) + 64) >> 7));
}

Status AllocateTable(PrepareContext& context, std::int16_t** table) {
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(kTableBytes, &block));
  *table = reinterpret_cast<std::int16_t*>(block);
  return Ok();
}

void RunRow(ElementReader<std::int16_t> input, ElementWriter<std::int16_t> output, std::size_t first,
            const SoftmaxInt16Data& data) {
  const std::size_t end = first + data.row_length;
  std::int32_t most = std::numeric_limits<std::int16_t>::min();
  for (std::size_t i = first; i < end; ++i) most = std::max(most, std::int32_t{input[i]});
  std::int32_t sum = 0;
  for (std::size_t i = first; i < end; ++i) {
    const std::int32_t scaled = MultiplyByQuantizedMultiplier(input[i] - most, data.multiplier);
    const std::int16_t power = LookUp(data.exp, ClampTo<std::int16_t>(scaled + 32767));
    output.Store(i, power);
    sum += power;
  }
  // The maximum's own power is nearly 32767, so the sum is not 0. The reciprocal's table takes it as 1 + x, less the 1.
  const int headroom = CountLeadingZeros(static_cast<std::uint32_t>(sum));
  const std::int64_t unit = ((std::int64_t{sum} << (headroom - 1)) + (1 << 13)) >> 14;
  const std::int64_t reciprocal =
      LookUp(data.reciprocal, ClampTo<std::int16_t>(static_cast<std::int32_t>(unit) - 98304));
  const int shift = 31 - headroom;
  for (std::size_t i = first; i < end; ++i) {
    const std::int64_t product = output.Load(i) * reciprocal + (std::int64_t{1} << (shift - 1));
    output.Store(i, ClampTo<std::int16_t>(static_cast<std::int32_t>(product >> shift), {0, 32767}));
  }
}

}  // namespace

Status PrepareSoftmaxInt16(PrepareContext& context, float beta) {
  const Operand& operand = OperandAt(context, 0);
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kOutput, output.zero_point, 0));
  constexpr float kUnit = 1.0f / 32768.0f;
  if (!(std::fabs(output.scale - kUnit) <= 0.001f * kUnit)) return ScaleMismatch(kOutput, output.scale, kUnit);
  SoftmaxInt16Data found;
  found.row_length = static_cast<std::size_t>(operand.dims[operand.rank - 1u]);
  found.row_count = operand.element_count() / found.row_length;
  if (found.row_length > kLongestRow) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kWideSoftmaxRow);
  }
  ARENAPROOF_RETURN_IF_ERROR(
      ReadMultiplier(double{input.scale} * double{beta} / (double{kReach} / 65535.0), &found.multiplier));
  if (found.multiplier.shift > kMostShift) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kWideSoftmaxScale);
  }
  SoftmaxInt16Data* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  ARENAPROOF_RETURN_IF_ERROR(AllocateTable(context, &found.exp));
  ARENAPROOF_RETURN_IF_ERROR(AllocateTable(context, &found.reciprocal));
  FillTable([](float x) { return std::exp(x); }, kReach / 65535.0f, 32767, found.exp);
  FillTable([](float x) { return 1.0f / (1.0f + x); }, 1.0f / 65535.0f, -32768, found.reciprocal);
  *data = found;
  return Ok();
}

Status InvokeSoftmaxInt16(const InvokeContext& context) {
  const auto& data = *static_cast<const SoftmaxInt16Data*>(context.op_data);
  for (std::size_t row = 0; row < data.row_count; ++row) {
    RunRow(ElementReader<std::int16_t>(context.inputs[0]), ElementWriter<std::int16_t>(context.outputs[0]),
           row * data.row_length, data);
  }
  return Ok();
}

}  // namespace arenaproof::reference
