#include "kernels/reference/logistic_int16.h"

#include <cmath>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"

namespace arenaproof::reference {
namespace {

constexpr double kUnit = 3.0 * 4096.0;  // arguments in one
constexpr std::int32_t kOutputExponent = -15;
constexpr std::int32_t kMostShift = 31;
constexpr double kMostMultiplier = 32767.0;

// (x * multiplier + 2^(shift - 1)) / 2^shift is the argument.
struct SigmoidInt16Data {
  std::int32_t multiplier = 0;  // up to 32767
  std::int32_t shift = 0;       // up to 31
};
ARENAPROOF_PIN_BYTES(SigmoidInt16Data, 8, 4, 8, 4);

// The largest multiplier of 16 bits with its shift, but of scales that are 2^(exponent - 12) for an exponent up to
// `most_exponent` exactly three times that power.
Status ReadArgumentScale(float scale, std::int32_t most_exponent, SigmoidInt16Data* data) {
  std::int32_t exponent = 0;
  const bool is_power = IsPowerOfTwo(scale, &exponent);
  exponent += 12;
  if (is_power && exponent >= 0 && exponent <= most_exponent) {
    *data = {3 << exponent, 0};
    return Ok();
  }
  double multiplier = double{scale} * kUnit;
  while (multiplier <= kMostMultiplier / 2.0 && data->shift < kMostShift) {
    multiplier *= 2.0;
    ++data->shift;
  }
  if (!(multiplier >= 1.0 && multiplier < kMostMultiplier + 1.0)) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kSigmoidScale);
  }
  data->multiplier = static_cast<std::int32_t>(multiplier);
  return Ok();
}

Status Prepare(PrepareContext& context, std::int32_t most_exponent) {
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(0, input.zero_point, 0));
  ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kOutput, output.zero_point, 0));
  std::int32_t exponent = 0;
  if (!IsPowerOfTwo(output.scale, &exponent) || exponent != kOutputExponent) {
    return ScaleMismatch(kOutput, output.scale, std::ldexp(1.0, kOutputExponent));
  }
  SigmoidInt16Data* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  return ReadArgumentScale(input.scale, most_exponent, data);
}

}  // namespace

// In float, as the reference does.
bool IsPowerOfTwo(float scale, std::int32_t* exponent) {
  const float logarithm = std::log(scale) * (1.0f / std::log(2.0f));
  const float rounded = std::round(logarithm);
  *exponent = static_cast<std::int32_t>(rounded);
  return std::fabs(logarithm - rounded) < 1e-3f;
}

Status PrepareLogisticInt16(PrepareContext& context) { return Prepare(context, 0); }
Status PrepareTanhInt16(PrepareContext& context) { return Prepare(context, 1); }

void InvokeInt16(const InvokeContext& context, std::int16_t (*function)(std::int32_t)) {
  const SigmoidInt16Data& data = *static_cast<const SigmoidInt16Data*>(context.op_data);
  const std::int32_t half = data.shift > 0 ? std::int32_t{1} << (data.shift - 1) : 0;
  const ElementReader<std::int16_t> from(context.inputs[0]);
  const ElementWriter<std::int16_t> to(context.outputs[0]);
  const std::size_t count = context.outputs[0].element_count();
  for (std::size_t i = 0; i < count; ++i) to.Store(i, function((from[i] * data.multiplier + half) >> data.shift));
}

}  // namespace arenaproof::reference
