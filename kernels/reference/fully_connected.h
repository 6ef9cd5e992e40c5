// FULLY_CONNECTED: what its prepare leaves for every variant's invoke.
//
// Operands: input (elements = batches * depth), filter [rows, depth], optional bias [rows]; output
// [.., outputs], outputs <= rows, batches = all its other dimensions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/runtime/kernel_interface/kernel.h"
#include "kernels/reference/activation.h"
#include "kernels/reference/channel_multipliers.h"
#include "kernels/reference/weights.h"

namespace arenaproof::reference {

struct FullyConnectedData {
  std::size_t batch_count = 0;
  std::size_t output_count = 0;  // rows of the filter that are used
  std::size_t depth = 0;         // columns of the filter
  ProductSums sums = ProductSums::kFloat;
  // quantised only
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier multiplier;  // per tensor
  ChannelMultipliers channels;     // per channel, else null
  QuantizedRange range;
  // float only
  FloatRange float_range;

  QuantizedMultiplier MultiplierOf(std::size_t row) const {
    return channels.multipliers == nullptr ? multiplier : channels.At(row);
  }
  // What becomes of a finished sum of products, bias not yet added.
  template <typename Element = std::int8_t, typename Sum>
  Element Finish(Sum sum, Sum bias, std::size_t row) const {
    const std::int32_t scaled = RescaledSum(sum, bias, MultiplierOf(row));
    return ClampTo<Element>(WrappingAdd(scaled, output_zero_point), range);
  }
};
ARENAPROOF_PIN_BYTES(FullyConnectedData, 80, 8, 56, 4);

Status PrepareFullyConnected(PrepareContext& context);
Status InvokeFullyConnected(const InvokeContext& context);

}  // namespace arenaproof::reference
