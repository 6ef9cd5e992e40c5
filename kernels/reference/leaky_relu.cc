// LEAKY_RELU: x, or x times alpha where x is negative; float32, int8 and int16.
#include <cmath>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct LeakyReluData {
  float alpha = 0.0f;
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier positive;
  QuantizedMultiplier negative;  // of the ratio's magnitude: the sign of alpha is applied behind the multiplication
};
ARENAPROOF_PIN_BYTES(LeakyReluData, 28, 4, 28, 4);

Status ReadQuantization(const PrepareContext& context, LeakyReluData* data) {
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  // Both ratios in float, as the reference does.
  ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(double{input.scale / output.scale}, &data->positive));
  const float ratio = input.scale * data->alpha / output.scale;
  if (ratio == 0.0f) return Ok();
  return ReadMultiplier(std::fabs(double{ratio}), &data->negative);
}

template <typename Element>
void Run(const InvokeContext& context, const LeakyReluData& data) {
  MapElements<Element>(context, [&](Element value) {
    const std::int32_t x = value - data.input_zero_point;
    std::int32_t scaled = MultiplyByQuantizedMultiplier(x, x >= 0 ? data.positive : data.negative);
    if (x < 0 && data.alpha < 0.0f) scaled = WrappingSubtract(0, scaled);
    return ClampTo<Element>(WrappingAdd(scaled, data.output_zero_point));
  });
}

}  // namespace

Status PrepareLeakyRelu(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  const LeakyReluOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  LeakyReluData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  data->alpha = options->alpha;
  if (context.outputs[0].type == TensorType::kFloat32) return Ok();
  return ReadQuantization(context, data);
}

Status InvokeLeakyRelu(const InvokeContext& context) {
  const auto& data = *static_cast<const LeakyReluData*>(context.op_data);
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      MapElements<float>(context, [&](float x) { return x > 0.0f ? x : x * data.alpha; });
      break;
    case TensorType::kInt8:
      Run<std::int8_t>(context, data);
      break;
    default:
      Run<std::int16_t>(context, data);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
