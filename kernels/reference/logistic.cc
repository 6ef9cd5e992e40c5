// LOGISTIC and TANH: float32 by the C library, int8 by fixed-point functions on inputs scaled to Q4.27; int16 is
// logistic_int16.h's.
#include "kernels/reference/logistic.h"

#include <algorithm>
#include <cmath>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/families.h"
#include "kernels/reference/fixed_point_functions.h"
#include "kernels/reference/logistic_int16.h"

namespace arenaproof::reference {
namespace {

constexpr std::initializer_list<TensorType> kServed = {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16};
constexpr int kFractionBits = 27;     // of the fixed-point input, Q4.27
constexpr double kLargestInput = 15;  // from here on both functions have reached their limits

struct SigmoidData {
  std::int32_t zero_point = 0;
  std::int32_t radius = 0;  // inputs this far from the zero point give the least or the largest value
  QuantizedMultiplier multiplier;
};
ARENAPROOF_PIN_BYTES(SigmoidData, 16, 4, 16, 4);

Status PrepareUnary(PrepareContext& context, SigmoidData** data) {
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, data));
  if (context.inputs[0].type == TensorType::kFloat32) return Ok();
  Affine input;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  (*data)->zero_point = input.zero_point;
  (*data)->multiplier = QuantizeMultiplier(std::ldexp(static_cast<double>(input.scale), kFractionBits));
  const double radius = std::floor(std::ldexp(kLargestInput, kFractionBits - (*data)->multiplier.shift));
  // No int8 input is 1024 away from its zero point: beyond that the exact radius does not matter.
  (*data)->radius = static_cast<std::int32_t>(std::min(radius, 1024.0));
  return Ok();
}

// `function` maps Q4.27 to Q0.31; its result is divided by 2^(31 - result_bits) and moved by `offset`.
template <typename Function>
void InvokeInt8(const InvokeContext& context, Function function, int result_shift, std::int32_t offset) {
  const SigmoidData& data = *static_cast<const SigmoidData*>(context.op_data);
  const std::int8_t* from = context.inputs[0].as<std::int8_t>();
  std::int8_t* to = context.outputs[0].mutable_as<std::int8_t>();
  const std::size_t count = context.outputs[0].element_count();
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t centered = from[i] - data.zero_point;
    if (centered <= -data.radius) {
      to[i] = -128;
    } else if (centered >= data.radius) {
      to[i] = 127;
    } else {
      const std::int32_t value = function(MultiplyByQuantizedMultiplier(centered, data.multiplier));
      to[i] = ClampToInt8(RoundingDivideByPowerOfTwo(value, result_shift) + offset, QuantizedRange{});
    }
  }
}

}  // namespace

float LogisticOfFloat(float x) {
  constexpr float kReachesOne = 16.619047164916992f;
  constexpr float kIsExponential = -9.0f;
  if (x > kReachesOne) return 1.0f;
  if (x < kIsExponential) return std::exp(x);
  return 1.0f / (1.0f + std::exp(-x));
}

Status PrepareLogistic(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context, kServed));
  if (context.inputs[0].type == TensorType::kInt16) return PrepareLogisticInt16(context);
  SigmoidData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(PrepareUnary(context, &data));
  if (context.outputs[0].type == TensorType::kFloat32) return Ok();
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  return CheckZeroPoint(kOutput, output.zero_point, -128);
}

Status InvokeLogistic(const InvokeContext& context) {
  if (context.outputs[0].type == TensorType::kFloat32) {
    MapElements<float>(context, LogisticOfFloat);
  } else if (context.outputs[0].type == TensorType::kInt16) {
    InvokeInt16(context, LogisticOfTable);
  } else {
    InvokeInt8(context, Logistic, 23, -128);
  }
  return Ok();
}

Status PrepareTanh(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context, kServed));
  if (context.inputs[0].type == TensorType::kInt16) return PrepareTanhInt16(context);
  SigmoidData* data = nullptr;
  return PrepareUnary(context, &data);
}

Status InvokeTanh(const InvokeContext& context) {
  if (context.outputs[0].type == TensorType::kFloat32) {
    MapElements<float>(context, [](float x) { return std::tanh(x); });
  } else if (context.outputs[0].type == TensorType::kInt16) {
    InvokeInt16(context, TanhOfTable);
  } else {
    InvokeInt8(context, Tanh, 24, 0);
  }
  return Ok();
}

}  // namespace arenaproof::reference
