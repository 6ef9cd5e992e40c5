// DEPTHWISE_CONV_2D: filter [1, height, width, outputs], outputs = inputs * multiplier; output channel
// i * multiplier + m reads input channel i. Taps outside the image are skipped.
#include "kernels/reference/checks.h"
#include "kernels/reference/convolution.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct DepthwiseTaps {
  template <typename Product>
  static void Products(const ConvolutionData& data, std::int64_t batch, std::int64_t out_y, std::int64_t out_x,
                       std::int64_t channel, Product product) {
    const std::int64_t in_channel = channel / data.depth_multiplier;
    const Taps rows = data.height.TapsAt(out_y);
    const Taps columns = data.width.TapsAt(out_x);
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
      const std::int64_t in_y = data.height.Origin(out_y) + row * data.height.dilation;
      for (std::int64_t column = columns.begin; column < columns.end; ++column) {
        const std::int64_t in_x = data.width.Origin(out_x) + column * data.width.dilation;
        const std::int64_t pixel = (batch * data.height.input + in_y) * data.width.input + in_x;
        const std::int64_t tap = row * data.width.filter + column;
        product(static_cast<std::size_t>(pixel * data.input_depth + in_channel),
                static_cast<std::size_t>(tap * data.output_depth + channel));
      }
    }
  }
};

}  // namespace

Status PrepareDepthwiseConv2d(PrepareContext& context) {
  const DepthwiseConv2DOptions* options = nullptr;
  ConvolutionData found;
  ARENAPROOF_RETURN_IF_ERROR(ReadConvolution(context, 3, &options, &found));
  const Operand& filter = OperandAt(context, kConvolutionFilter);
  if (found.output_depth % found.input_depth != 0) {
    return Failure(StatusCode::kKernelDimension, kConvolutionFilter, 3, found.output_depth,
                   (found.output_depth / found.input_depth + 1) * found.input_depth);
  }
  found.depth_multiplier = found.output_depth / found.input_depth;
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kDepthMultiplier, options->depth_multiplier,
                                         found.depth_multiplier, found.depth_multiplier));
  if (found.sums != ProductSums::kFloat) {
    const QuantizationView& quantization = filter.quantization;
    if (quantization.scales.size() != quantization.zero_point_count) {
      return Failure(StatusCode::kKernelScaleCount, kConvolutionFilter, quantization.zero_point_count,
                     quantization.scales.size());
    }
  }
  return FinishConvolutionPrepare(context, kConvolution, found, options->activation, 3,
                                  std::int64_t{filter.dims[1]} * filter.dims[2]);
}

Status InvokeDepthwiseConv2d(const InvokeContext& context) { return InvokeConvolution<DepthwiseTaps>(context); }

}  // namespace arenaproof::reference
