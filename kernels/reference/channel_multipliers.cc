#include "kernels/reference/channel_multipliers.h"

#include <cmath>

namespace arenaproof::reference {

Status CheckFilterQuantization(const PrepareContext& context, std::size_t filter, std::size_t channel_count,
                               std::size_t dimension) {
  const QuantizationView& quantization = OperandAt(context, filter).quantization;
  if (!quantization.present()) return Failure(StatusCode::kKernelQuantizationMissing, filter);
  const std::size_t scale_count = quantization.scales.size();
  if (scale_count != 1) {
    if (scale_count != channel_count) {
      return Failure(StatusCode::kKernelScaleCount, filter, scale_count, channel_count);
    }
    const auto expected = static_cast<std::int64_t>(dimension);
    ARENAPROOF_RETURN_IF_ERROR(
        CheckOption(KernelOption::kQuantizedDimension, quantization.dimension, expected, expected));
  }
  if (quantization.zero_point_count != 1 && quantization.zero_point_count != scale_count) {
    return Failure(StatusCode::kKernelScaleCount, filter, quantization.zero_point_count, scale_count);
  }
  for (std::size_t channel = 0; channel < scale_count; ++channel) {
    const float scale = quantization.scale(channel);
    if (!std::isfinite(scale) || scale <= 0.0f) return ScaleMismatch(filter, scale, 1.0);
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(filter, quantization.zero_point(channel), 0));
  }
  return Ok();
}

Status AllocateChannelMultipliers(PrepareContext& context, std::size_t channel_count, ChannelMultipliers* channels) {
  std::byte* multipliers = nullptr;
  std::byte* shifts = nullptr;
  const std::size_t bytes = channel_count * sizeof(std::int32_t);
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(bytes, &multipliers));
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(bytes, &shifts));
  *channels = {reinterpret_cast<std::int32_t*>(multipliers), reinterpret_cast<std::int32_t*>(shifts)};
  return Ok();
}

Status FillChannelMultipliers(const PrepareContext& context, std::size_t filter, const Affine& input,
                              const Affine& output, std::int32_t most_shift, std::size_t channel_count,
                              const ChannelMultipliers& channels) {
  const QuantizationView& quantization = OperandAt(context, filter).quantization;
  for (std::size_t channel = 0; channel < channel_count; ++channel) {
    const double ratio = double{input.scale} * double{quantization.scale(channel)} / double{output.scale};
    QuantizedMultiplier multiplier;
    ARENAPROOF_RETURN_IF_ERROR(ReadSmallMultiplier(ratio, most_shift, &multiplier));
    channels.multipliers[channel] = multiplier.multiplier;
    channels.shifts[channel] = multiplier.shift;
  }
  return Ok();
}

}  // namespace arenaproof::reference
