// RSQRT: 1 / sqrt(x); float32, int8, int16 (zero points 0). A quantised value below its zero point is a failure of
// invoke, the zero point itself gives the largest value.
#include <cmath>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/families.h"
#include "kernels/reference/fixed_point_functions.h"

namespace arenaproof::reference {
namespace {

constexpr std::int32_t kFractionBits = 20;  // of 1 / sqrt of the raw value

struct RsqrtData {
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier multiplier;  // shift <= kFractionBits
};
ARENAPROOF_PIN_BYTES(RsqrtData, 16, 4, 16, 4);

template <typename Element>
Status Run(const InvokeContext& context) {
  const auto& data = *static_cast<const RsqrtData*>(context.op_data);
  const ElementReader<Element> from(context.inputs[0]);
  const ElementWriter<Element> to(context.outputs[0]);
  const std::size_t count = context.outputs[0].element_count();
  const QuantizedMultiplier ratio{data.multiplier.multiplier, data.multiplier.shift - kFractionBits};
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t x = from[i] - data.input_zero_point;
    if (x < 0) return Failure(StatusCode::kKernelDomain, 0, i);
    if (x == 0) {
      to.Store(i, std::numeric_limits<Element>::max());
      continue;
    }
    const QuantizedMultiplier root = InverseSquareRoot(x);
    const std::int32_t inverse = MultiplyByQuantizedMultiplier(1, {root.multiplier, root.shift + kFractionBits});
    const std::int32_t scaled = MultiplyByQuantizedMultiplier(inverse, ratio);
    to.Store(i, ClampTo<Element>(WrappingAdd(scaled, data.output_zero_point)));
  }
  return Ok();
}

}  // namespace

Status PrepareRsqrt(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  const TensorType type = context.outputs[0].type;
  if (type == TensorType::kFloat32) return Ok();
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  if (type == TensorType::kInt16) {
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(0, input.zero_point, 0));
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kOutput, output.zero_point, 0));
  }
  RsqrtData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  const float divisor = std::sqrt(input.scale) * output.scale;  // in float, as the reference does
  return ReadSmallMultiplier(1.0 / double{divisor}, kFractionBits, &data->multiplier);
}

Status InvokeRsqrt(const InvokeContext& context) {
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      MapElements<float>(context, [](float x) { return 1.0f / std::sqrt(x); });
      return Ok();
    case TensorType::kInt8:
      return Run<std::int8_t>(context);
    default:
      return Run<std::int16_t>(context);
  }
}

}  // namespace arenaproof::reference
