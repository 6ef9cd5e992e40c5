#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct ReluData {
  FloatRange float_range;
  QuantizedRange range;
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier multiplier;
};
ARENAPROOF_PIN_BYTES(ReluData, 32, 4, 32, 4);

Status PrepareUnary(PrepareContext& context, ReluData** data) {
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  return AllocateOpData(context, data);
}

void ClampFloats(const Operand& input, const Operand& output, FloatRange range) {
  const ElementReader<float> from(input);
  const ElementWriter<float> to(output);
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) {
    const float value = from[i];
    to.Store(i, value > range.most ? range.most : (value < range.least ? range.least : value));
  }
}

template <typename Element, typename OfQuantized>
void ClampQuantized(const Operand& input, const Operand& output, const ReluData& data, OfQuantized of_quantized) {
  const ElementReader<Element> from(input);
  const ElementWriter<Element> to(output);
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) to.Store(i, ClampTo<Element>(of_quantized(from[i], data), data.range));
}

// Floats are clamped; `of_quantized(value, data)` gives what is clamped of an int8 or int16 element.
template <typename OfQuantized>
Status InvokeClamp(const InvokeContext& context, OfQuantized of_quantized) {
  const Operand& input = context.inputs[0];
  const Operand& output = context.outputs[0];
  const ReluData& data = *static_cast<const ReluData*>(context.op_data);
  switch (input.type) {
    case TensorType::kFloat32:
      ClampFloats(input, output, data.float_range);
      break;
    case TensorType::kInt8:
      ClampQuantized<std::int8_t>(input, output, data, of_quantized);
      break;
    default:
      ClampQuantized<std::int16_t>(input, output, data, of_quantized);
      break;
  }
  return Ok();
}

std::int32_t Rescaled(std::int32_t value, const ReluData& data) {
  const std::int32_t scaled = MultiplyByQuantizedMultiplier(value - data.input_zero_point, data.multiplier);
  return WrappingAdd(scaled, data.output_zero_point);
}

}  // namespace

Status PrepareRelu(PrepareContext& context) {
  ReluData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(PrepareUnary(context, &data));
  data->float_range = {0.0f, std::numeric_limits<float>::infinity()};
  if (context.inputs[0].type == TensorType::kFloat32) return Ok();
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  if (context.inputs[0].type == TensorType::kInt16) {
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(0, input.zero_point, 0));
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kOutput, output.zero_point, 0));
  }
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  const float ratio = input.scale / output.scale;  // in float, as the reference does
  ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(static_cast<double>(ratio), &data->multiplier));
  return ReadActivationRange(Activation::kRelu, output, TypeRange(context.outputs[0].type), &data->range);
}

Status InvokeRelu(const InvokeContext& context) { return InvokeClamp(context, Rescaled); }

Status PrepareRelu6(PrepareContext& context) {
  ReluData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(PrepareUnary(context, &data));
  data->float_range = {0.0f, 6.0f};
  if (context.inputs[0].type == TensorType::kFloat32) return Ok();
  Affine input;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  return ReadActivationRange(Activation::kRelu6, input, TypeRange(context.inputs[0].type), &data->range);
}

Status InvokeRelu6(const InvokeContext& context) {
  return InvokeClamp(context, [](std::int32_t value, const ReluData&) { return value; });
}

}  // namespace arenaproof::reference
