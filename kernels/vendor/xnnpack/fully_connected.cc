// XNNPACK has one scale for each row of weights in its convolutions alone, so a product is a convolution of one pixel.
#include <vector>

#include "kernels/vendor/xnnpack/xnnpack_kernels.h"

namespace xnnpack_kernels {
namespace {

std::int32_t ActivationOf(const ArenaproofSetUp& context) {
  for (std::size_t i = 0; i < context.option_count; ++i) {
    if (context.options[i].key == ARENAPROOF_OPTION_ACTIVATION) return context.options[i].integer;
  }
  return 0;
}

// Empty when they are neither one for all rows nor one for each.
std::vector<float> ScalesOfRows(const ArenaproofOperand& weights) {
  const ArenaproofQuantization& given = weights.quantization;
  const auto row_count = static_cast<std::size_t>(weights.dims[0]);
  if (given.scale_count == 1) return std::vector<float>(row_count, given.scales[0]);
  if (given.scale_count != row_count) return {};
  return {given.scales, given.scales + row_count};
}

}  // namespace

std::int32_t ServesProduct(const ArenaproofOperand* inputs, std::size_t input_count, const ArenaproofOperand* outputs,
                           std::size_t output_count) {
  if (input_count < 2 || output_count != 1) return 0;
  const ArenaproofOperand& weights = inputs[1];
  return IsInt8(inputs[0]) && IsInt8(weights) && IsInt8(outputs[0]) && weights.constant != 0 && weights.rank == 2;
}

std::int32_t PrepareProduct(ArenaproofSetUp* context) {
  const ArenaproofOperand &input = context->inputs[0], &weights = context->inputs[1], &output = context->outputs[0];
  const bool has_bias = context->input_count > 2 && context->inputs[2].absent == 0;
  const void* bias = has_bias ? context->inputs[2].data : nullptr;
  const std::vector<float> scales = ScalesOfRows(weights);
  if (!HasOneScale(input) || !HasOneScale(output) || scales.empty()) return kQuantization;
  if (ZeroPointOf(weights) != 0) return kQuantization;
  const std::int32_t activation = ActivationOf(*context);
  if (activation != 0 && activation != 1) return kActivation;
  const Range range = activation == 1 ? FromZeroOn(output) : Range{-128, 127};
  const auto row_bytes = static_cast<std::size_t>(weights.dims[1]);
  if (ElementCount(input) % row_bytes != 0) return kShape;
  xnn_operator_t made = nullptr;
  // No padding; kernel, steps and dilation of one pixel; one group.
  const xnn_status status = xnn_create_convolution2d_nhwc_qc8(
      0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, row_bytes, scales.size(), row_bytes, scales.size(), ZeroPointOf(input),
      ScaleOf(input), scales.data(), static_cast<const std::int8_t*>(weights.data),
      static_cast<const std::int32_t*>(bias), ZeroPointOf(output), ScaleOf(output), range.least, range.most, 0, &made);
  if (status != xnn_status_success) return kRefused;
  return Keep(*context, made, ElementCount(input) / row_bytes);
}

std::int32_t InvokeProduct(const ArenaproofInvoke* context) {
  const KeptOperator& kept = KeptOf(*context);
  return Run(kept, xnn_setup_convolution2d_nhwc_qc8(kept.xnnpack, kept.batch_count, 1, 1, InputOf(*context),
                                                    OutputOf(*context), nullptr));
}

}  // namespace xnnpack_kernels
