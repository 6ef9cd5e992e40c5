#include "kernels/reference/activation.h"

#include <cmath>
#include <limits>

namespace arenaproof::reference {
namespace {

Status Unserved(Activation activation) {
  return CheckOption(KernelOption::kActivation, static_cast<std::int64_t>(activation),
                     static_cast<std::int64_t>(Activation::kNone), static_cast<std::int64_t>(Activation::kRelu6));
}

Status Quantized(float bound, const Affine& output, std::int32_t* quantized) {
  const float rounded = std::round(bound / output.scale);
  const Status overflow = Failure(StatusCode::kKernelUnsupported, KernelFeature::kActivationRange);
  if (!(rounded >= -2147483648.0f && rounded < 2147483648.0f)) return overflow;
  const std::int64_t value = std::int64_t{output.zero_point} + static_cast<std::int64_t>(rounded);
  if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max()) {
    return overflow;
  }
  *quantized = static_cast<std::int32_t>(value);
  return Ok();
}

}  // namespace

QuantizedRange TypeRange(TensorType type) {
  switch (type) {
    case TensorType::kInt8:
      return kRangeOf<std::int8_t>;
    case TensorType::kUInt8:
      return kRangeOf<std::uint8_t>;
    case TensorType::kInt16:
      return kRangeOf<std::int16_t>;
    default:
      return kRangeOf<std::int32_t>;
  }
}

Status ReadActivationRange(Activation activation, const Affine& output, QuantizedRange type_range,
                           QuantizedRange* range) {
  *range = type_range;
  std::int32_t bound = 0;
  switch (activation) {
    case Activation::kNone:
      return Ok();
    case Activation::kRelu:
      ARENAPROOF_RETURN_IF_ERROR(Quantized(0.0f, output, &bound));
      range->least = std::max(range->least, bound);
      return Ok();
    case Activation::kReluN1To1:
      ARENAPROOF_RETURN_IF_ERROR(Quantized(-1.0f, output, &bound));
      range->least = std::max(range->least, bound);
      ARENAPROOF_RETURN_IF_ERROR(Quantized(1.0f, output, &bound));
      range->most = std::min(range->most, bound);
      return Ok();
    case Activation::kRelu6:
      ARENAPROOF_RETURN_IF_ERROR(Quantized(0.0f, output, &bound));
      range->least = std::max(range->least, bound);
      ARENAPROOF_RETURN_IF_ERROR(Quantized(6.0f, output, &bound));
      range->most = std::min(range->most, bound);
      return Ok();
    default:
      return Unserved(activation);
  }
}

Status ReadActivationRange(Activation activation, FloatRange* range) {
  constexpr float kMost = std::numeric_limits<float>::max();
  switch (activation) {
    case Activation::kNone:
      *range = {-kMost, kMost};
      return Ok();
    case Activation::kRelu:
      *range = {0.0f, kMost};
      return Ok();
    case Activation::kReluN1To1:
      *range = {-1.0f, 1.0f};
      return Ok();
    case Activation::kRelu6:
      *range = {0.0f, 6.0f};
      return Ok();
    default:
      return Unserved(activation);
  }
}

Status ReadActivationRange(Activation activation, QuantizedRange* range) {
  return ReadActivationRange(activation, Affine{1.0f, 0}, kRangeOf<std::int32_t>, range);
}

}  // namespace arenaproof::reference
