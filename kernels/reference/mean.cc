// MEAN and SUM: float32 in the input's order, int8 and int16 by sums of 32 bits in scratch.
#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/reduction.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kMostFloatAxes = 4;  // more overrun a table of the reference

// Sums of int8 or int16 inputs, less the zero point for each of them, that 32 bits hold.
constexpr std::size_t kMostReduced = std::numeric_limits<std::int32_t>::max() / 256;
constexpr std::size_t kMostReducedInt16 = std::numeric_limits<std::int32_t>::max() / 65536;

struct MeanData : Reduction {
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier multiplier;  // of si/so; of a mean: of si/so/reduced_count
};
ARENAPROOF_PIN_BYTES(MeanData, 32, 8, 28, 4);

Status ReadQuantization(PrepareContext& context, MeanData* data) {
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kReducedData, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  const bool wide = context.inputs[kReducedData].type == TensorType::kInt16;
  if (data->reduced_count > (wide ? kMostReducedInt16 : kMostReduced)) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kAccumulatorRange);
  }
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  return ReadMultiplier(static_cast<double>(input.scale) / static_cast<double>(output.scale), &data->multiplier);
}

// The division by the count goes into the multiplier, with as many extra bits as it has room for.
void DivideByCount(MeanData* data) {
  const QuantizedMultiplier ratio = data->multiplier;
  const std::int32_t room = 63 - std::countl_zero(static_cast<std::uint64_t>(data->reduced_count));
  const std::int32_t extra = std::min({room, std::int32_t{32}, 31 + ratio.shift});
  const std::int64_t divided =
      (std::int64_t{ratio.multiplier} << extra) / static_cast<std::int64_t>(data->reduced_count);
  data->multiplier = {static_cast<std::int32_t>(divided), ratio.shift - extra};
}

void SumFloats(const Operand& input, const Operand& output, const MeanData& data) {
  const ElementReader<float> from(input);
  const ElementWriter<float> to(output);
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) to.Store(i, 0.0f);
  ForEachReduced(input, data, [&](std::size_t sum, std::size_t i) { to.Store(sum, to.Load(sum) + from[i]); });
}

template <typename Element>
void RunQuantized(const Operand& input, const Operand& output, std::byte* scratch, const MeanData& data) {
  const ElementReader<Element> from(input);
  const ElementWriter<Element> to(output);
  const ElementWriter<std::int32_t> sums(scratch);
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) sums.Store(i, 0);
  ForEachReduced(input, data, [&](std::size_t sum, std::size_t i) { sums.Store(sum, sums.Load(sum) + from[i]); });
  const std::int32_t zero = data.input_zero_point * static_cast<std::int32_t>(data.reduced_count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t scaled = MultiplyByQuantizedMultiplier(sums.Load(i) - zero, data.multiplier);
    to.Store(i, ClampTo<Element>(WrappingAdd(scaled, data.output_zero_point)));
  }
}

Status Prepare(PrepareContext& context, bool divides) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const Operand& input = context.inputs[kReducedData];
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kReducedData, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kReducedData, 1, kMaxOperandRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kReducedData));
  const std::size_t axis_count = context.inputs[kReducedAxes].element_count();
  if (input.type == TensorType::kFloat32 && axis_count > kMostFloatAxes) {
    return Failure(StatusCode::kKernelElementCount, kReducedAxes, axis_count, kMostFloatAxes);
  }
  MeanData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  ARENAPROOF_RETURN_IF_ERROR(ReadReduction(context, data));
  if (input.type != TensorType::kFloat32) {
    ARENAPROOF_RETURN_IF_ERROR(ReadQuantization(context, data));
    if (divides) DivideByCount(data);
    ARENAPROOF_RETURN_IF_ERROR(RequestNumbers(context, context.outputs[0].element_count()));
  }
  return RequestReductionScratch(context);
}

}  // namespace

Status PrepareMean(PrepareContext& context) { return Prepare(context, true); }
Status PrepareSum(PrepareContext& context) { return Prepare(context, false); }

Status InvokeSum(const InvokeContext& context) {
  const Operand& input = context.inputs[kReducedData];
  const Operand& output = context.outputs[0];
  const MeanData& data = *static_cast<const MeanData*>(context.op_data);
  switch (input.type) {
    case TensorType::kFloat32:
      SumFloats(input, output, data);
      break;
    case TensorType::kInt8:
      RunQuantized<std::int8_t>(input, output, context.scratch[0], data);
      break;
    default:
      RunQuantized<std::int16_t>(input, output, context.scratch[0], data);
      break;
  }
  return Ok();
}

// The multiplier of quantised means divides already.
Status InvokeMean(const InvokeContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(InvokeSum(context));
  const Operand& output = context.outputs[0];
  if (output.type != TensorType::kFloat32) return Ok();
  const auto reduced_count = static_cast<float>(static_cast<const MeanData*>(context.op_data)->reduced_count);
  const ElementWriter<float> to(output);
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) to.Store(i, to.Load(i) / reduced_count);
  return Ok();
}

}  // namespace arenaproof::reference
