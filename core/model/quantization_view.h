// Affine quantisation of a tensor as the model file holds it: real = scale * (q - zero_point). The lists stay in the
// file; zero points are read byte-wise because a file may place them on four bytes only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace arenaproof {

struct QuantizationView {
  std::span<const float> scales;
  const std::byte* zero_point_bytes = nullptr;  // little-endian int64 each
  std::size_t zero_point_count = 0;
  std::int32_t dimension = 0;  // axis of per-channel scales

  // Quantisation counts as present only when both lists have entries.
  bool present() const { return !scales.empty() && zero_point_count > 0; }

  // A single zero point or scale serves every channel.
  std::int64_t zero_point(std::size_t channel = 0) const {
    std::int64_t value = 0;
    const std::size_t index = zero_point_count == 1 ? 0 : channel;
    std::memcpy(&value, zero_point_bytes + index * sizeof value, sizeof value);
    return value;
  }
  float scale(std::size_t channel = 0) const { return scales[scales.size() == 1 ? 0 : channel]; }
};

}  // namespace arenaproof
