// ABS: float32, int8, int16 with a quantisation (zero points 0) or without.
#include <cmath>
#include <cstdlib>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct AbsData {
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  bool plain = false;     // int16 without quantisation
  bool rescaled = false;  // the scales differ
  QuantizedMultiplier multiplier;
};
ARENAPROOF_PIN_BYTES(AbsData, 20, 4, 20, 4);

Status ReadQuantization(const PrepareContext& context, AbsData* data) {
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  if (context.outputs[0].type == TensorType::kInt16) {
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(0, input.zero_point, 0));
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kOutput, output.zero_point, 0));
  }
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  data->rescaled = input.scale != output.scale;
  return ReadMultiplier(double{input.scale / output.scale}, &data->multiplier);  // in float, as the reference does
}

template <typename Element>
void Run(const InvokeContext& context, const AbsData& data) {
  MapElements<Element>(context, [&](Element value) {
    const std::int32_t magnitude = std::abs(value - data.input_zero_point);
    const std::int32_t scaled = data.rescaled ? MultiplyByQuantizedMultiplier(magnitude, data.multiplier) : magnitude;
    return ClampTo<Element>(WrappingAdd(scaled, data.output_zero_point));
  });
}

}  // namespace

Status PrepareAbs(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  const TensorType type = context.outputs[0].type;
  if (type == TensorType::kFloat32) return Ok();
  AbsData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  data->plain = type == TensorType::kInt16 && !context.inputs[0].quantization.present();
  return data->plain ? Ok() : ReadQuantization(context, data);
}

Status InvokeAbs(const InvokeContext& context) {
  if (context.outputs[0].type == TensorType::kFloat32) {
    MapElements<float>(context, [](float x) { return std::fabs(x); });
    return Ok();
  }
  const auto& data = *static_cast<const AbsData*>(context.op_data);
  if (data.plain) {
    // -32768 stays as it is.
    MapElements<std::int16_t>(context, [](std::int16_t x) { return static_cast<std::int16_t>(std::abs(x)); });
  } else if (context.outputs[0].type == TensorType::kInt8) {
    Run<std::int8_t>(context, data);
  } else {
    Run<std::int16_t>(context, data);
  }
  return Ok();
}

}  // namespace arenaproof::reference
