// Output multipliers of convolutions and FULLY_CONNECTED: one per output channel, as two persistent arrays.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/status.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/fixed_point.h"

namespace arenaproof::reference {

// Non-owning; both arrays are null in operators that are not quantised per channel.
struct ChannelMultipliers {
  std::int32_t* multipliers = nullptr;
  std::int32_t* shifts = nullptr;

  QuantizedMultiplier At(std::size_t channel) const { return {multipliers[channel], shifts[channel]}; }
};

// The filter has one scale, or one per channel along `dimension`; every scale is finite and positive, every zero point
// 0, and there are as many zero points as scales, or one.
Status CheckFilterQuantization(const PrepareContext& context, std::size_t filter, std::size_t channel_count,
                               std::size_t dimension);

// Takes the two arrays of 4 bytes per channel.
Status AllocateChannelMultipliers(PrepareContext& context, std::size_t channel_count, ChannelMultipliers* channels);

// double(input) * double(filter[c]) / double(output) for every channel, with shifts of at most `most_shift`.
// Precondition: CheckFilterQuantization was ok.
Status FillChannelMultipliers(const PrepareContext& context, std::size_t filter, const Affine& input,
                              const Affine& output, std::int32_t most_shift, std::size_t channel_count,
                              const ChannelMultipliers& channels);

}  // namespace arenaproof::reference
