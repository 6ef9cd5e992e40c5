#include "kernels/reference/fully_connected.h"

#include <cmath>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kFilter = 1;
constexpr std::size_t kBias = 2;
constexpr WeightOperands kOperands{kInput, kFilter, kBias};

Status ReadShapes(const PrepareContext& context, FullyConnectedData* data) {
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kFilter, 2, 2));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, 1, kMaxOperandRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kFilter));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kOutput));
  const Operand& filter = OperandAt(context, kFilter);
  const Operand& output = OperandAt(context, kOutput);
  const std::size_t last = output.rank - 1u;
  if (output.dims[last] > filter.dims[0]) return CheckExtent(context, kOutput, last, filter.dims[0]);
  data->output_count = static_cast<std::size_t>(output.dims[last]);
  data->batch_count = output.element_count() / data->output_count;
  data->depth = static_cast<std::size_t>(filter.dims[1]);
  const std::size_t input_count = OperandAt(context, kInput).element_count();
  if (input_count % data->depth != 0 || input_count / data->depth != data->batch_count) {
    return Failure(StatusCode::kKernelElementCount, kInput, input_count, data->batch_count * data->depth);
  }
  if (!HasInput(context, kBias)) return Ok();
  return CheckElementCount(context, kBias, static_cast<std::size_t>(filter.dims[0]));
}

// The product of the scales in float, the quotient in double: last bits depend on it.
Status ReadTensorMultiplier(const PrepareContext& context, const Affine& input, const Affine& output,
                            std::int32_t most_shift, QuantizedMultiplier* multiplier) {
  const float filter_scale = OperandAt(context, kFilter).quantization.scale();
  if (HasInput(context, kBias)) {
    const QuantizationView& bias = OperandAt(context, kBias).quantization;
    const double bias_scale = bias.present() ? double{bias.scale()} : 0.0;
    const double product = double{input.scale} * double{filter_scale};
    if (!(std::fabs(product - bias_scale) / double{output.scale} <= 0.02)) {
      return ScaleMismatch(kBias, bias_scale, product);
    }
  }
  return ReadSmallMultiplier(double{input.scale * filter_scale} / double{output.scale}, most_shift, multiplier);
}

Status ReadQuantization(PrepareContext& context, FullyConnectedData* data) {
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kInput, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  const Operand& filter = OperandAt(context, kFilter);
  const auto row_count = static_cast<std::size_t>(filter.dims[0]);
  ARENAPROOF_RETURN_IF_ERROR(CheckFilterQuantization(context, kFilter, row_count, 0));
  ARENAPROOF_RETURN_IF_ERROR(CheckProducts(filter, 0, data->depth, data->sums, input));
  const auto* options = context.options_as<FullyConnectedOptions>();
  const QuantizedRange type_range = TypeRange(OperandAt(context, kOutput).type);
  ARENAPROOF_RETURN_IF_ERROR(ReadActivationRange(options->activation, output, type_range, &data->range));
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  ARENAPROOF_RETURN_IF_ERROR(RequestUnpackedWeights(context, kOperands));
  const std::int32_t most_shift = LargestShift(data->sums);
  if (filter.quantization.scales.size() == 1) {
    return ReadTensorMultiplier(context, input, output, most_shift, &data->multiplier);
  }
  if (filter.type == TensorType::kInt4) {
    return Failure(StatusCode::kKernelScaleCount, kFilter, filter.quantization.scales.size(), 1);
  }
  ARENAPROOF_RETURN_IF_ERROR(AllocateChannelMultipliers(context, row_count, &data->channels));
  return FillChannelMultipliers(context, kFilter, input, output, most_shift, row_count, data->channels);
}

template <typename Element, typename Sum>
void RunQuantized(const InvokeContext& context, const FullyConnectedData& data) {
  const ElementReader<Element> input(context.inputs[kInput]);
  const std::int8_t* filter = WeightsOf(context, kOperands);
  const bool has_bias = HasInput(context, kBias);
  const ElementReader<Sum> bias(has_bias ? context.inputs[kBias].data : nullptr);
  const ElementWriter<Element> output(context.outputs[0]);
  for (std::size_t batch = 0; batch < data.batch_count; ++batch) {
    const ElementReader<Element> vector = input.From(batch * data.depth);
    for (std::size_t row = 0; row < data.output_count; ++row) {
      const std::int8_t* weights = filter + row * data.depth;
      Sum sum = 0;
      for (std::size_t i = 0; i < data.depth; ++i) sum += weights[i] * (vector[i] - data.input_zero_point);
      const Sum start = has_bias ? bias[row] : 0;
      output.Store(batch * data.output_count + row, data.Finish<Element>(sum, start, row));
    }
  }
}

void RunFloat(const InvokeContext& context, const FullyConnectedData& data) {
  const ElementReader<float> input(context.inputs[kInput]);
  const ElementReader<float> filter(context.inputs[kFilter]);
  const bool has_bias = HasInput(context, kBias);
  const ElementReader<float> bias(has_bias ? context.inputs[kBias].data : nullptr);
  const ElementWriter<float> output(context.outputs[0]);
  for (std::size_t batch = 0; batch < data.batch_count; ++batch) {
    for (std::size_t row = 0; row < data.output_count; ++row) {
      float total = 0.0f;
      for (std::size_t i = 0; i < data.depth; ++i) {
        total += input[batch * data.depth + i] * filter[row * data.depth + i];
      }
      total += has_bias ? bias[row] : 0.0f;
      output.Store(batch * data.output_count + row, Clamp(total, data.float_range));
    }
  }
}

}  // namespace

Status PrepareFullyConnected(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 3, 1, kFilter));
  const FullyConnectedOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kWeightsFormat, options->weights_format, 0, 0));
  FullyConnectedData found;
  ARENAPROOF_RETURN_IF_ERROR(
      ReadProductSums(context, kOperands, WideOrNarrowBias(options->quantized_bias_type), &found.sums));
  ARENAPROOF_RETURN_IF_ERROR(ReadShapes(context, &found));
  FullyConnectedData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = found;
  if (found.sums != ProductSums::kFloat) return ReadQuantization(context, data);
  return ReadActivationRange(options->activation, &data->float_range);
}

Status InvokeFullyConnected(const InvokeContext& context) {
  const auto& data = *static_cast<const FullyConnectedData*>(context.op_data);
  switch (data.sums) {
    case ProductSums::kFloat:
      RunFloat(context, data);
      break;
    case ProductSums::kInt8:
      RunQuantized<std::int8_t, std::int32_t>(context, data);
      break;
    case ProductSums::kInt16Narrow:
      RunQuantized<std::int16_t, std::int32_t>(context, data);
      break;
    case ProductSums::kInt16:
      RunQuantized<std::int16_t, std::int64_t>(context, data);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
