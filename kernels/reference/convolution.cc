#include "kernels/reference/convolution.h"

#include "kernels/reference/checks.h"

namespace arenaproof::reference {

Status ReadConvolutionShapes(const PrepareContext& context, const ConvolutionOptions& options,
                             std::int64_t filter_batch, std::int64_t output_depth, ConvolutionData* data) {
  ARENAPROOF_RETURN_IF_ERROR(ReadProductSums(context, kConvolution, options.wide_bias, &data->sums));
  for (const std::size_t operand : {kConvolutionInput, kConvolutionFilter, kOutput}) {
    ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, operand, 4, 4));
    ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, operand));
  }
  const Operand& input = OperandAt(context, kConvolutionInput);
  const Operand& filter = OperandAt(context, kConvolutionFilter);
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kConvolutionFilter, 0, filter_batch));
  ARENAPROOF_RETURN_IF_ERROR(ReadWindowAxis(options.padding, input.dims[1], filter.dims[1], options.stride_h,
                                            options.dilation_h, kWindowHeight, &data->height));
  ARENAPROOF_RETURN_IF_ERROR(ReadWindowAxis(options.padding, input.dims[2], filter.dims[2], options.stride_w,
                                            options.dilation_w, kWindowWidth, &data->width));
  data->batch_count = input.dims[0];
  data->input_depth = input.dims[3];
  data->filter_depth = filter.dims[3];
  data->output_depth = output_depth;
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 0, data->batch_count));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 1, data->height.output));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 2, data->width.output));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 3, output_depth));
  if (!HasInput(context, kConvolutionBias)) return Ok();
  return CheckElementCount(context, kConvolutionBias, static_cast<std::size_t>(output_depth));
}

Status FinishConvolutionPrepare(PrepareContext& context, const WeightOperands& at, const ConvolutionData& found,
                                Activation activation, std::size_t quantized_dimension, std::int64_t products) {
  ConvolutionData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = found;
  const auto channel_count = static_cast<std::size_t>(found.output_depth);
  ARENAPROOF_RETURN_IF_ERROR(AllocateChannelMultipliers(context, channel_count, &data->channels));
  if (found.sums == ProductSums::kFloat) return ReadActivationRange(activation, &data->float_range);
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, at.input, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  if (found.sums != ProductSums::kInt8) {
    // The reference ignores both.
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(at.input, input.zero_point, 0));
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kOutput, output.zero_point, 0));
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckFilterQuantization(context, at.filter, channel_count, quantized_dimension));
  ARENAPROOF_RETURN_IF_ERROR(CheckProducts(OperandAt(context, at.filter), quantized_dimension,
                                           static_cast<std::size_t>(products), found.sums, input));
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  ARENAPROOF_RETURN_IF_ERROR(
      ReadActivationRange(activation, output, TypeRange(OperandAt(context, kOutput).type), &data->range));
  ARENAPROOF_RETURN_IF_ERROR(RequestUnpackedWeights(context, at));
  return FillChannelMultipliers(context, at.filter, input, output, LargestShift(found.sums), channel_count,
                                data->channels);
}

}  // namespace arenaproof::reference
