// What convolutions share: CONV_2D and DEPTHWISE_CONV_2D with NHWC operands input, filter, optional bias; output. Op
// data and prepare's end are TRANSPOSE_CONV's too, whose windows slide over the output.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/runtime/kernel_interface/kernel.h"
#include "kernels/reference/activation.h"
#include "kernels/reference/channel_multipliers.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/padding.h"
#include "kernels/reference/weights.h"

namespace arenaproof::reference {

inline constexpr std::size_t kConvolutionInput = 0;
inline constexpr std::size_t kConvolutionFilter = 1;
inline constexpr std::size_t kConvolutionBias = 2;
inline constexpr WeightOperands kConvolution{kConvolutionInput, kConvolutionFilter, kConvolutionBias};

struct ConvolutionData {
  WindowAxis height;
  WindowAxis width;
  std::int64_t batch_count = 0;
  std::int64_t input_depth = 0;
  std::int64_t output_depth = 0;
  std::int64_t filter_depth = 0;       // CONV_2D: input channels of one group
  std::int64_t outputs_per_group = 0;  // CONV_2D
  std::int64_t depth_multiplier = 0;   // DEPTHWISE_CONV_2D
  ProductSums sums = ProductSums::kFloat;
  ChannelMultipliers channels;  // allocated for float operators too, as the reference does; not used by them
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedRange range;
  FloatRange float_range;

  template <typename Element, typename Sum>
  Element Finish(Sum sum, Sum bias, std::int64_t channel) const {
    const std::int32_t scaled = RescaledSum(sum, bias, channels.At(static_cast<std::size_t>(channel)));
    return ClampTo<Element>(WrappingAdd(scaled, output_zero_point), range);
  }
};
ARENAPROOF_PIN_BYTES(ConvolutionData, 192, 8, 184, 8);

struct ConvolutionOptions {
  Padding padding;
  std::int32_t stride_h;
  std::int32_t stride_w;
  std::int32_t dilation_h;
  std::int32_t dilation_w;
  Activation activation;
  WideBiasTypes wide_bias;
};

// Types, ranks, emptiness, batches, image axes, bias length, the output's shape; channel counts are the caller's.
Status ReadConvolutionShapes(const PrepareContext& context, const ConvolutionOptions& options,
                             std::int64_t filter_batch, std::int64_t output_depth, ConvolutionData* data);

// The operator as prepare finds it: operand counts, options, shapes. The filter's channels, one per output channel, run
// along `channel_axis`: 0, or 3 when its axis 0 has to be 1.
template <typename Options>
Status ReadConvolution(const PrepareContext& context, std::size_t channel_axis, const Options** options,
                       ConvolutionData* found) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 3, 1, kConvolutionFilter));
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, options));
  // The rank is checked with the shapes; dims of a lower rank read as 0 and are refused.
  const std::int64_t output_depth = OperandAt(context, kConvolutionFilter).dims[channel_axis];
  const Options& read = **options;
  WideBiasTypes wide_bias;
  if constexpr (requires { read.quantized_bias_type; }) wide_bias = WideOrNarrowBias(read.quantized_bias_type);
  return ReadConvolutionShapes(
      context,
      {read.padding, read.stride_h, read.stride_w, read.dilation_h, read.dilation_w, read.activation, wide_bias},
      channel_axis == 0 ? output_depth : 1, output_depth, found);
}

// Moves `found` into op data, takes the channel arrays and reads quantisation (channels along `quantized_dimension` of
// the filter, `products` of them per output element) or the float range.
Status FinishConvolutionPrepare(PrepareContext& context, const WeightOperands& at, const ConvolutionData& found,
                                Activation activation, std::size_t quantized_dimension, std::int64_t products);

// Invoke of both. Walk::Products(data, batch, out_y, out_x, channel, product) calls product(input index, filter index)
// for every tap of one output element that lies inside the image: filter row, filter column, input channel.
template <typename Walk, typename Element, typename Sum>
void RunConvolutionQuantized(const InvokeContext& context, const ConvolutionData& data) {
  const ElementReader<Element> input(context.inputs[kConvolutionInput]);
  const std::int8_t* filter = WeightsOf(context, kConvolution);
  const bool has_bias = HasInput(context, kConvolutionBias);
  const ElementReader<Sum> bias(has_bias ? context.inputs[kConvolutionBias].data : nullptr);
  const std::int32_t zero_point = data.input_zero_point;
  const ElementWriter<Element> output(context.outputs[0]);
  std::size_t index = 0;
  for (std::int64_t batch = 0; batch < data.batch_count; ++batch) {
    for (std::int64_t out_y = 0; out_y < data.height.output; ++out_y) {
      for (std::int64_t out_x = 0; out_x < data.width.output; ++out_x) {
        for (std::int64_t channel = 0; channel < data.output_depth; ++channel) {
          Sum sum = 0;
          Walk::Products(data, batch, out_y, out_x, channel,
                         [&](std::size_t in, std::size_t weight) { sum += filter[weight] * (input[in] - zero_point); });
          const Sum start = has_bias ? bias[static_cast<std::size_t>(channel)] : 0;
          output.Store(index++, data.Finish<Element>(sum, start, channel));
        }
      }
    }
  }
}

template <typename Walk>
void RunConvolutionFloat(const InvokeContext& context, const ConvolutionData& data) {
  const ElementReader<float> input(context.inputs[kConvolutionInput]);
  const ElementReader<float> filter(context.inputs[kConvolutionFilter]);
  const bool has_bias = HasInput(context, kConvolutionBias);
  const ElementReader<float> bias(has_bias ? context.inputs[kConvolutionBias].data : nullptr);
  const ElementWriter<float> output(context.outputs[0]);
  std::size_t index = 0;
  for (std::int64_t batch = 0; batch < data.batch_count; ++batch) {
    for (std::int64_t out_y = 0; out_y < data.height.output; ++out_y) {
      for (std::int64_t out_x = 0; out_x < data.width.output; ++out_x) {
        for (std::int64_t channel = 0; channel < data.output_depth; ++channel) {
          float total = 0.0f;
          Walk::Products(data, batch, out_y, out_x, channel,
                         [&](std::size_t in, std::size_t weight) { total += input[in] * filter[weight]; });
          total += has_bias ? bias[static_cast<std::size_t>(channel)] : 0.0f;
          output.Store(index++, Clamp(total, data.float_range));
        }
      }
    }
  }
}

template <typename Walk>
Status InvokeConvolution(const InvokeContext& context) {
  const auto& data = *static_cast<const ConvolutionData*>(context.op_data);
  switch (data.sums) {
    case ProductSums::kFloat:
      RunConvolutionFloat<Walk>(context, data);
      break;
    case ProductSums::kInt8:
      RunConvolutionQuantized<Walk, std::int8_t, std::int32_t>(context, data);
      break;
    case ProductSums::kInt16Narrow:
      RunConvolutionQuantized<Walk, std::int16_t, std::int32_t>(context, data);
      break;
    case ProductSums::kInt16:
      RunConvolutionQuantized<Walk, std::int16_t, std::int64_t>(context, data);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
