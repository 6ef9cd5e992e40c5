// CONV_2D: filter [outputs, height, width, inputs of one group]; output channel o reads input group
// o / (outputs / groups). Taps outside the image are skipped.
#include "kernels/reference/checks.h"
#include "kernels/reference/convolution.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct GroupedTaps {
  template <typename Product>
  static void Products(const ConvolutionData& data, std::int64_t batch, std::int64_t out_y, std::int64_t out_x,
                       std::int64_t channel, Product product) {
    const std::int64_t first_channel = channel / data.outputs_per_group * data.filter_depth;
    const Taps rows = data.height.TapsAt(out_y);
    const Taps columns = data.width.TapsAt(out_x);
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
      const std::int64_t in_y = data.height.Origin(out_y) + row * data.height.dilation;
      for (std::int64_t column = columns.begin; column < columns.end; ++column) {
        const std::int64_t in_x = data.width.Origin(out_x) + column * data.width.dilation;
        const std::int64_t pixel = (batch * data.height.input + in_y) * data.width.input + in_x;
        const std::int64_t tap = (channel * data.height.filter + row) * data.width.filter + column;
        const auto input = static_cast<std::size_t>(pixel * data.input_depth + first_channel);
        const auto filter = static_cast<std::size_t>(tap * data.filter_depth);
        const auto depth = static_cast<std::size_t>(data.filter_depth);
        for (std::size_t i = 0; i < depth; ++i) product(input + i, filter + i);
      }
    }
  }
};

}  // namespace

Status PrepareConv2d(PrepareContext& context) {
  const Conv2DOptions* options = nullptr;
  ConvolutionData found;
  ARENAPROOF_RETURN_IF_ERROR(ReadConvolution(context, 0, &options, &found));
  if (found.input_depth % found.filter_depth != 0) {
    return CheckExtent(context, kConvolutionFilter, 3, found.input_depth);
  }
  const std::int64_t group_count = found.input_depth / found.filter_depth;
  if (found.output_depth % group_count != 0) {
    return Failure(StatusCode::kKernelDimension, kConvolutionFilter, 0, found.output_depth,
                   (found.output_depth / group_count + 1) * group_count);
  }
  found.outputs_per_group = found.output_depth / group_count;
  return FinishConvolutionPrepare(
      context, kConvolution, found, options->activation, 0,
      static_cast<std::int64_t>(OperandAt(context, kConvolutionFilter).element_count()) / found.output_depth);
}

Status InvokeConv2d(const InvokeContext& context) { return InvokeConvolution<GroupedTaps>(context); }

}  // namespace arenaproof::reference
