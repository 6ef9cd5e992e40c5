// QUANTIZE (float32 to int8 and int16, and between integers of another scale) and DEQUANTIZE (int8, uint8, int16 to
// float32).
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct QuantizeData {
  float output_scale = 1.0f;
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier multiplier;
};
ARENAPROOF_PIN_BYTES(QuantizeData, 20, 4, 20, 4);

struct DequantizeData {
  double scale = 1.0;
  std::int32_t zero_point = 0;
};
ARENAPROOF_PIN_BYTES(DequantizeData, 16, 8, 16, 8);

// Saturates where the reference's conversion to an integer is undefined; a value that is no number becomes the least.
template <typename Element>
Element QuantizeFloat(float value, const QuantizeData& data) {
  const float rounded = std::round(value / data.output_scale);
  // Two zero points further out than any result: saturating here changes no result.
  constexpr float kBound = 4.0f * (std::numeric_limits<Element>::max() + 1);
  const float bounded = rounded >= -kBound ? std::min(rounded, kBound) : -kBound;
  return ClampTo<Element>(static_cast<std::int32_t>(bounded) + data.output_zero_point);
}

template <typename Element>
void QuantizeFloats(const Operand& input, const Operand& output, const QuantizeData& data) {
  const ElementReader<float> from(input);
  const ElementWriter<Element> to(output);
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) to.Store(i, QuantizeFloat<Element>(from[i], data));
}

template <typename From, typename To>
void Requantize(const Operand& input, const Operand& output, const QuantizeData& data) {
  const ElementReader<From> from(input);
  const ElementWriter<To> to(output);
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t centered = WrappingSubtract(from[i], data.input_zero_point);
    const std::int32_t scaled = MultiplyByQuantizedMultiplier(centered, data.multiplier);
    to.Store(i, ClampTo<To>(WrappingAdd(scaled, data.output_zero_point)));
  }
}

struct QuantizeKernel {
  TensorType from;
  TensorType to;
  void (*run)(const Operand& input, const Operand& output, const QuantizeData& data);
};

constexpr QuantizeKernel kQuantizeKernels[] = {
    {TensorType::kFloat32, TensorType::kInt8, QuantizeFloats<std::int8_t>},
    {TensorType::kFloat32, TensorType::kInt16, QuantizeFloats<std::int16_t>},
    {TensorType::kInt8, TensorType::kInt8, Requantize<std::int8_t, std::int8_t>},
    {TensorType::kInt8, TensorType::kUInt8, Requantize<std::int8_t, std::uint8_t>},
    {TensorType::kInt8, TensorType::kInt16, Requantize<std::int8_t, std::int16_t>},
    {TensorType::kInt8, TensorType::kInt32, Requantize<std::int8_t, std::int32_t>},
    {TensorType::kUInt8, TensorType::kInt8, Requantize<std::uint8_t, std::int8_t>},
    {TensorType::kInt16, TensorType::kInt8, Requantize<std::int16_t, std::int8_t>},
    {TensorType::kInt16, TensorType::kInt16, Requantize<std::int16_t, std::int16_t>},
    {TensorType::kInt16, TensorType::kInt32, Requantize<std::int16_t, std::int32_t>},
    {TensorType::kInt32, TensorType::kInt8, Requantize<std::int32_t, std::int8_t>},
    {TensorType::kInt32, TensorType::kInt16, Requantize<std::int32_t, std::int16_t>},
};

// Null when there is none; `from_served`: another output type would do.
const QuantizeKernel* FindQuantizeKernel(TensorType from, TensorType to, bool* from_served = nullptr) {
  for (const QuantizeKernel& kernel : kQuantizeKernels) {
    if (kernel.from != from) continue;
    if (kernel.to == to) return &kernel;
    if (from_served != nullptr) *from_served = true;
  }
  return nullptr;
}

template <typename Element>
void Dequantize(const Operand& input, const Operand& output, const DequantizeData& data) {
  const ElementReader<Element> from(input);
  const ElementWriter<float> to(output);
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) {
    to.Store(i, static_cast<float>(data.scale * (static_cast<std::int32_t>(from[i]) - data.zero_point)));
  }
}

}  // namespace

Status PrepareQuantize(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckSameShape(context, kOutput, 0));
  const TensorType from = context.inputs[0].type;
  bool from_served = false;
  if (FindQuantizeKernel(from, context.outputs[0].type, &from_served) == nullptr) {
    return UnsupportedType(context, from_served ? kOutput : 0);
  }
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  QuantizeData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  data->output_scale = output.scale;
  data->output_zero_point = output.zero_point;
  if (from == TensorType::kFloat32) return Ok();
  Affine input;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  data->input_zero_point = input.zero_point;
  return ReadMultiplier(static_cast<double>(input.scale) / static_cast<double>(output.scale), &data->multiplier);
}

Status InvokeQuantize(const InvokeContext& context) {
  const Operand& input = context.inputs[0];
  const Operand& output = context.outputs[0];
  const QuantizeData& data = *static_cast<const QuantizeData*>(context.op_data);
  FindQuantizeKernel(input.type, output.type)->run(input, output, data);
  return Ok();
}

Status PrepareDequantize(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckSameShape(context, kOutput, 0));
  const TensorType from = context.inputs[0].type;
  if (from != TensorType::kInt8 && from != TensorType::kUInt8 && from != TensorType::kInt16) {
    return UnsupportedType(context, 0);
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, TensorType::kFloat32));
  Affine input;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  DequantizeData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  data->scale = static_cast<double>(input.scale);
  data->zero_point = input.zero_point;
  return Ok();
}

Status InvokeDequantize(const InvokeContext& context) {
  const Operand& input = context.inputs[0];
  const Operand& output = context.outputs[0];
  const DequantizeData& data = *static_cast<const DequantizeData*>(context.op_data);
  switch (input.type) {
    case TensorType::kInt8:
      Dequantize<std::int8_t>(input, output, data);
      break;
    case TensorType::kUInt8:
      Dequantize<std::uint8_t>(input, output, data);
      break;
    default:
      Dequantize<std::int16_t>(input, output, data);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
