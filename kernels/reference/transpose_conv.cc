// TRANSPOSE_CONV: output shape (not read), filter [outputs, height, width, inputs], input, optional bias; output. It is
// a convolution with input and output exchanged: each input element is spread over the window of the output that lies
// at its place, out[y * stride - padding + row, ..] += weight * x, where that is inside. In the shared data windows
// therefore slide over the output, and `output` of an axis, the number of windows, is the input's extent.
#include <cstring>

#include "core/base/byte_size.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/convolution.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

constexpr WeightOperands kOperands{.input = 2, .filter = 1, .bias = 3};

// Scratch of quantised operators: a sum for each output element, and a 16-bit bias as sums.
constexpr std::size_t kSums = 0;
constexpr std::size_t kWideBias = 1;

Status ReadShapes(const PrepareContext& context, const TransposeConvOptions& options, ConvolutionData* found) {
  for (const std::size_t operand : {kOperands.input, kOperands.filter, kOutput}) {
    ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, operand, 4, 4));
    ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, operand));
  }
  const Operand& input = OperandAt(context, kOperands.input);
  const Operand& filter = OperandAt(context, kOperands.filter);
  const Operand& output = OperandAt(context, kOutput);
  ARENAPROOF_RETURN_IF_ERROR(ReadWindowAxis(options.padding, output.dims[1], filter.dims[1], options.stride_h, 1,
                                            kWindowHeight, &found->height));
  ARENAPROOF_RETURN_IF_ERROR(ReadWindowAxis(options.padding, output.dims[2], filter.dims[2], options.stride_w, 1,
                                            kWindowWidth, &found->width));
  found->height.output = input.dims[1];
  found->width.output = input.dims[2];
  found->batch_count = input.dims[0];
  found->input_depth = found->filter_depth = input.dims[3];
  found->output_depth = filter.dims[0];
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOperands.filter, 3, found->input_depth));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 0, found->batch_count));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 3, found->output_depth));
  if (!HasInput(context, kOperands.bias)) return Ok();
  return CheckElementCount(context, kOperands.bias, static_cast<std::size_t>(found->output_depth));
}

Status RequestSums(PrepareContext& context, std::size_t count, std::size_t sum_bytes) {
  std::size_t bytes = 0;
  ARENAPROOF_RETURN_IF_ERROR(ArrayBytes(count, sum_bytes, &bytes));
  return context.services->RequestScratch(bytes);
}

Status RequestScratch(PrepareContext& context, ProductSums sums) {
  if (sums == ProductSums::kFloat) return Ok();
  const std::size_t sum_bytes = sums == ProductSums::kInt8 ? sizeof(std::int32_t) : sizeof(std::int64_t);
  ARENAPROOF_RETURN_IF_ERROR(RequestSums(context, context.outputs[0].element_count(), sum_bytes));
  if (!HasInput(context, kOperands.bias) || context.inputs[kOperands.bias].type != TensorType::kInt16) return Ok();
  return RequestSums(context, context.inputs[kOperands.bias].element_count(), sum_bytes);
}

// add(output index, input index, filter index) for every product: input row, column, channel, filter row, column,
// output channel.
template <typename Add>
void ForEachProduct(const ConvolutionData& data, Add add) {
  std::size_t in = 0;
  for (std::int64_t batch = 0; batch < data.batch_count; ++batch) {
    for (std::int64_t in_y = 0; in_y < data.height.output; ++in_y) {
      const Taps rows = data.height.TapsAt(in_y);
      for (std::int64_t in_x = 0; in_x < data.width.output; ++in_x) {
        const Taps columns = data.width.TapsAt(in_x);
        for (std::int64_t in_channel = 0; in_channel < data.input_depth; ++in_channel, ++in) {
          for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            const std::int64_t out_y = data.height.Origin(in_y) + row;
            for (std::int64_t column = columns.begin; column < columns.end; ++column) {
              const std::int64_t out_x = data.width.Origin(in_x) + column;
              const std::int64_t pixel = (batch * data.height.input + out_y) * data.width.input + out_x;
              for (std::int64_t channel = 0; channel < data.output_depth; ++channel) {
                const std::int64_t tap = (channel * data.height.filter + row) * data.width.filter + column;
                add(static_cast<std::size_t>(pixel * data.output_depth + channel), in,
                    static_cast<std::size_t>(tap * data.filter_depth + in_channel));
              }
            }
          }
        }
      }
    }
  }
}

void RunFloat(const InvokeContext& context, const ConvolutionData& data) {
  const ElementReader<float> input(context.inputs[kOperands.input]);
  const ElementReader<float> filter(context.inputs[kOperands.filter]);
  const bool has_bias = HasInput(context, kOperands.bias);
  const ElementReader<float> bias(has_bias ? context.inputs[kOperands.bias].data : nullptr);
  const ElementWriter<float> output(context.outputs[0]);
  const std::size_t count = context.outputs[0].element_count();
  for (std::size_t i = 0; i < count; ++i) output.Store(i, 0.0f);
  ForEachProduct(data, [&](std::size_t to, std::size_t in, std::size_t weight) {
    output.Store(to, output.Load(to) + input[in] * filter[weight]);
  });
  const auto depth = static_cast<std::size_t>(data.output_depth);
  for (std::size_t i = 0; i < count; ++i) {
    const float total = has_bias ? output.Load(i) + bias[i % depth] : output.Load(i);
    output.Store(i, Clamp(total, data.float_range));
  }
}

// A bias of 16 bits becomes sums in scratch, as in the reference.
template <typename Sum>
ElementReader<Sum> BiasOf(const InvokeContext& context) {
  if (!HasInput(context, kOperands.bias)) return {};
  const Operand& bias = context.inputs[kOperands.bias];
  if (bias.type != TensorType::kInt16) return ElementReader<Sum>(bias);
  const ElementReader<std::int16_t> narrow(bias);
  const ElementWriter<Sum> wide(context.scratch[kWideBias]);
  const std::size_t count = bias.element_count();
  for (std::size_t i = 0; i < count; ++i) wide.Store(i, narrow[i]);
  return ElementReader<Sum>(context.scratch[kWideBias]);
}

template <typename Element, typename Sum>
void RunQuantized(const InvokeContext& context, const ConvolutionData& data) {
  const ElementReader<Element> input(context.inputs[kOperands.input]);
  const std::int8_t* filter = context.inputs[kOperands.filter].as<std::int8_t>();
  const bool has_bias = HasInput(context, kOperands.bias);
  const ElementReader<Sum> bias = BiasOf<Sum>(context);
  const ElementWriter<Sum> sums(context.scratch[kSums]);
  const ElementWriter<Element> output(context.outputs[0]);
  const std::size_t count = context.outputs[0].element_count();
  std::memset(context.scratch[kSums], 0, count * sizeof(Sum));
  ForEachProduct(data, [&](std::size_t to, std::size_t in, std::size_t weight) {
    sums.Store(to, sums.Load(to) + filter[weight] * (input[in] - data.input_zero_point));
  });
  const auto depth = static_cast<std::size_t>(data.output_depth);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t channel = i % depth;
    const Sum start = has_bias ? bias[channel] : 0;
    output.Store(i, data.Finish<Element>(sums.Load(i), start, static_cast<std::int64_t>(channel)));
  }
}

}  // namespace

Status PrepareTransposeConv(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 3, 4, 1));
  const TransposeConvOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  if (OperandAt(context, kOperands.filter).type == TensorType::kInt4) return UnsupportedType(context, kOperands.filter);
  ConvolutionData found;
  ARENAPROOF_RETURN_IF_ERROR(ReadProductSums(context, kOperands, {.other = TensorType::kInt16}, &found.sums));
  ARENAPROOF_RETURN_IF_ERROR(ReadShapes(context, *options, &found));
  // One sum takes at most the products of one output channel's weights.
  ARENAPROOF_RETURN_IF_ERROR(FinishConvolutionPrepare(
      context, kOperands, found, options->activation, 0,
      static_cast<std::int64_t>(OperandAt(context, kOperands.filter).element_count()) / found.output_depth));
  return RequestScratch(context, found.sums);
}

Status InvokeTransposeConv(const InvokeContext& context) {
  const auto& data = *static_cast<const ConvolutionData*>(context.op_data);
  switch (data.sums) {
    case ProductSums::kFloat:
      RunFloat(context, data);
      break;
    case ProductSums::kInt8:
      RunQuantized<std::int8_t, std::int32_t>(context, data);
      break;
    default:
      RunQuantized<std::int16_t, std::int64_t>(context, data);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
