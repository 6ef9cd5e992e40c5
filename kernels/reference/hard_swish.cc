// HARD_SWISH: x * min(6, max(0, x + 3)) / 6 in float32; int8 in 16-bit fixed point, where a second rescaling of the
// input saturates to what stands for (x + 3) / 6.
#include <algorithm>
#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

constexpr std::int32_t kFinerInput = 128;  // steps of the 16-bit input per step of the int8 input
constexpr float kFinerInputStep = 1.0f / 128.0f;
constexpr float kRampScale = 3.0f / 32768.0f;

struct Multiplier16 {
  std::int32_t multiplier = 0;  // in 16 bits
  std::int32_t shift = 0;
};

struct HardSwishData {
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  Multiplier16 output;  // shift <= 0
  Multiplier16 ramp;
};
ARENAPROOF_PIN_BYTES(HardSwishData, 24, 4, 24, 4);

Multiplier16 Narrowed(QuantizedMultiplier factor) {
  constexpr std::int32_t kRoundsUpBeyond = std::numeric_limits<std::int32_t>::max() - (1 << 15);
  if (factor.multiplier >= kRoundsUpBeyond) return {std::numeric_limits<std::int16_t>::max(), factor.shift};
  return {(factor.multiplier + (1 << 15)) >> 16, factor.shift};
}

std::int32_t Saturated16(std::int64_t value) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int16_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int16_t>::max();
  return static_cast<std::int32_t>(std::min(std::max(value, kLeast), kMost));
}

// SRDHM on 16 bits. b is not -2^15, so nothing saturates.
std::int32_t HighMultiply16(std::int32_t a, std::int32_t b) {
  const std::int32_t product = a * b;
  return (product + (product >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15);
}

// (x + 3) / 6, cut to [0, 1], in 15 fraction bits.
std::int32_t RampOf(std::int32_t x, Multiplier16 factor) {
  std::int32_t ramp = x;
  // Further than 16 bits to the left every value but 0 has saturated.
  if (factor.shift > 0)
    ramp = Saturated16(std::int64_t{ramp} * (std::int64_t{1} << std::min<std::int32_t>(factor.shift - 1, 16)));
  ramp = HighMultiply16(ramp, factor.multiplier);
  if (factor.shift > 0) ramp = Saturated16(std::int64_t{2} * ramp);
  if (factor.shift < 0) ramp = RoundingDivideByPowerOfTwo(ramp, -factor.shift);
  return (ramp + (1 << 15)) >> 1;
}

Status ReadQuantization(const PrepareContext& context, HardSwishData* data) {
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  const float finer_scale = kFinerInputStep * input.scale;
  QuantizedMultiplier factor;
  ARENAPROOF_RETURN_IF_ERROR(ReadSmallMultiplier(double{finer_scale / output.scale}, 0, &factor));
  data->output = Narrowed(factor);
  ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(double{finer_scale / kRampScale}, &factor));
  data->ramp = Narrowed(factor);
  return Ok();
}

std::int8_t HardSwishOfInt8(std::int8_t value, const HardSwishData& data) {
  const std::int32_t x = (value - data.input_zero_point) * kFinerInput;
  const std::int32_t product = RampOf(x, data.ramp) * HighMultiply16(x, data.output.multiplier) / (1 << 15);
  const std::int32_t scaled = RoundingDivideByPowerOfTwo(product, -data.output.shift);
  return ClampToInt8(scaled + data.output_zero_point, QuantizedRange{});
}

}  // namespace

Status PrepareHardSwish(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context));
  HardSwishData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  return context.outputs[0].type == TensorType::kFloat32 ? Ok() : ReadQuantization(context, data);
}

Status InvokeHardSwish(const InvokeContext& context) {
  if (context.outputs[0].type == TensorType::kFloat32) {
    MapElements<float>(context, [](float x) { return x * std::min(6.0f, std::max(0.0f, x + 3.0f)) / 6.0f; });
    return Ok();
  }
  const auto& data = *static_cast<const HardSwishData*>(context.op_data);
  MapElements<std::int8_t>(context, [&](std::int8_t value) { return HardSwishOfInt8(value, data); });
  return Ok();
}

}  // namespace arenaproof::reference
