#include "kernels/reference/convolution.h"

#include "kernels/reference/checks.h"

namespace arenaproof::reference {
namespace {

Status CheckTypes(const PrepareContext& context) {
  const TensorType type = OperandAt(context, kConvolutionInput).type;
  if (type != TensorType::kFloat32 && type != TensorType::kInt8) return UnsupportedType(context, kConvolutionInput);
  if (OperandAt(context, kConvolutionFilter).type == TensorType::kInt4) {
    return UnsupportedType(context, kConvolutionFilter);
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kConvolutionFilter, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, type));
  if (!HasInput(context, kConvolutionBias)) return Ok();
  ARENAPROOF_RETURN_IF_ERROR(CheckSound(context, kConvolutionBias));
  return CheckType(context, kConvolutionBias, type == TensorType::kInt8 ? TensorType::kInt32 : TensorType::kFloat32);
}

}  // namespace

Status ReadConvolutionShapes(const PrepareContext& context, const ConvolutionOptions& options,
                             std::int64_t filter_batch, std::int64_t output_depth, ConvolutionData* data) {
  ARENAPROOF_RETURN_IF_ERROR(CheckTypes(context));
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

Status FinishConvolutionPrepare(PrepareContext& context, const ConvolutionData& found, Activation activation,
                                std::size_t quantized_dimension, std::int64_t products) {
  ConvolutionData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = found;
  const auto channel_count = static_cast<std::size_t>(found.output_depth);
  ARENAPROOF_RETURN_IF_ERROR(AllocateChannelMultipliers(context, channel_count, &data->channels));
  if (OperandAt(context, kConvolutionInput).type == TensorType::kFloat32) {
    return ReadActivationRange(activation, &data->float_range);
  }
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kConvolutionInput, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  ARENAPROOF_RETURN_IF_ERROR(CheckFilterQuantization(context, kConvolutionFilter, channel_count, quantized_dimension));
  if (products > static_cast<std::int64_t>(kMostInt8Products)) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kAccumulatorRange);
  }
  data->quantized = true;
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  ARENAPROOF_RETURN_IF_ERROR(ReadActivationRange(activation, output, QuantizedRange{}, &data->range));
  return FillChannelMultipliers(context, kConvolutionFilter, input, output, channel_count, data->channels);
}

}  // namespace arenaproof::reference
