// PRELU: x, or x times alpha where x is negative; input and alpha are broadcast. The alpha of both integer types is
// int8.
#include "kernels/reference/activation.h"
#include "kernels/reference/broadcast.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kAlpha = 1;
constexpr std::size_t kMostFloatRank = 4;

struct PreluData {
  std::int32_t input_zero_point = 0;
  std::int32_t alpha_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier positive;
  QuantizedMultiplier negative;
};
ARENAPROOF_PIN_BYTES(PreluData, 28, 4, 28, 4);

Status ReadQuantization(const PrepareContext& context, PreluData* data) {
  Affine input;
  Affine alpha;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kInput, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kAlpha, &alpha));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  data->input_zero_point = input.zero_point;
  data->alpha_zero_point = alpha.zero_point;
  data->output_zero_point = output.zero_point;
  ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(double{input.scale} / double{output.scale}, &data->positive));
  return ReadMultiplier(double{input.scale} * double{alpha.scale} / double{output.scale}, &data->negative);
}

template <typename Element>
void Run(const InvokeContext& context) {
  const auto& data = *static_cast<const PreluData*>(context.op_data);
  const ElementReader<Element> input(context.inputs[kInput]);
  const std::int8_t* alpha = context.inputs[kAlpha].as<std::int8_t>();
  const ElementWriter<Element> output(context.outputs[0]);
  ForEachBroadcast(context.inputs[kInput], context.inputs[kAlpha], context.outputs[0],
                   [&](std::size_t to, std::size_t i, std::size_t j) {
                     const std::int32_t x = input[i] - data.input_zero_point;
                     const std::int32_t scaled =
                         x >= 0 ? MultiplyByQuantizedMultiplier(x, data.positive)
                                : MultiplyByQuantizedMultiplier(x * (alpha[j] - data.alpha_zero_point), data.negative);
                     output.Store(to, ClampTo<Element>(WrappingAdd(scaled, data.output_zero_point)));
                   });
}

}  // namespace

Status PreparePrelu(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kInput, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  const TensorType type = context.inputs[kInput].type;
  const bool is_float = type == TensorType::kFloat32;
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kAlpha, is_float ? type : TensorType::kInt8));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckBroadcast(context));
  if (is_float) return CheckRank(context, kOutput, 0, kMostFloatRank);
  PreluData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  return ReadQuantization(context, data);
}

Status InvokePrelu(const InvokeContext& context) {
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      MapBroadcast<float>(context, [](float x, float alpha) { return x >= 0.0f ? x : x * alpha; });
      break;
    case TensorType::kInt8:
      Run<std::int8_t>(context);
      break;
    default:
      Run<std::int16_t>(context);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
