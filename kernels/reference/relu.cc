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
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context));
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

// Floats are clamped; `of_int8(value, data)` gives what is clamped of an int8 element.
template <typename OfInt8>
Status InvokeClamp(const InvokeContext& context, OfInt8 of_int8) {
  const Operand& input = context.inputs[0];
  const Operand& output = context.outputs[0];
  const ReluData& data = *static_cast<const ReluData*>(context.op_data);
  if (input.type == TensorType::kFloat32) {
    ClampFloats(input, output, data.float_range);
    return Ok();
  }
  const std::int8_t* from = input.as<std::int8_t>();
  std::int8_t* to = output.mutable_as<std::int8_t>();
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) to[i] = ClampToInt8(of_int8(from[i], data), data.range);
  return Ok();
}

std::int32_t Rescaled(std::int8_t value, const ReluData& data) {
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
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  const float ratio = input.scale / output.scale;  // in float, as the reference does
  ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(static_cast<double>(ratio), &data->multiplier));
  return ReadActivationRange(Activation::kRelu, output, QuantizedRange{}, &data->range);
}

Status InvokeRelu(const InvokeContext& context) { return InvokeClamp(context, Rescaled); }

Status PrepareRelu6(PrepareContext& context) {
  ReluData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(PrepareUnary(context, &data));
  data->float_range = {0.0f, 6.0f};
  if (context.inputs[0].type == TensorType::kFloat32) return Ok();
  Affine input;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  return ReadActivationRange(Activation::kRelu6, input, QuantizedRange{}, &data->range);
}

Status InvokeRelu6(const InvokeContext& context) {
  return InvokeClamp(context, [](std::int8_t value, const ReluData&) { return std::int32_t{value}; });
}

}  // namespace arenaproof::reference
