#include "engine/oracles/operators/definitions/wide_softmax_definition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "engine/oracles/operators/fixed_point_definition.h"

namespace arenaproof::props {
namespace {

constexpr std::size_t kIntervals = 512;
using Table = std::array<std::int64_t, kIntervals + 1>;

std::int64_t Within16(double value) { return static_cast<std::int64_t>(std::clamp(value, -32768.0, 32767.0)); }

// The function over `scale` times -32768 - zero_point to 32767 - zero_point, -1 to 1 as 16 bits. Half of what a
// straight line is wrong by in the middle of an interval comes off its first point. Float is rounded to after every
// operation.
template <typename Function>
Table TableOf(Function function, float scale, float zero_point) {
  const float least = scale * (-32768.0f - zero_point), most = scale * (32767.0f - zero_point);
  const float step = (most - least) / 512.0f, output_scale = 2.0f / 65535.0f;
  const float inverse = 65536.0f / (output_scale * 32767.0f - output_scale * -32768.0f);
  Table table{};
  for (std::size_t i = 0; i < kIntervals; ++i) {
    const float start = least + static_cast<float>(i) * step;
    const float end = least + static_cast<float>(i + 1) * step;
    const float at_start = std::round(function(start) * inverse), at_end = function(end) * inverse;
    const float in_middle = std::round(function(start + step / 2.0f) * inverse);
    const float wrong_by = std::round((at_end + at_start) / 2.0f) - in_middle;
    table[i] = Within16(double{at_start - std::round(wrong_by / 2.0f)});
  }
  table[kIntervals] = Within16(double{std::round(function(most) * inverse)});
  return table;
}

// 128 steps from point to point, the middle one at 0.
std::int64_t LookedUp(const Table& table, std::int64_t value) {
  const auto point = static_cast<std::size_t>((value + 32768) / 128);
  const std::int64_t way = (value + 32768) % 128;
  return table[point] + (((table[point + 1] - table[point]) * way + 64) >> 7);
}

}  // namespace

Values WideSoftmax(Values row, double scale) {
  static const Table exponential = TableOf([](float x) { return std::exp(x); }, 10.0f / 65535.0f, 32767.0f);
  static const Table reciprocal = TableOf([](float x) { return 1.0f / (1.0f + x); }, 1.0f / 65535.0f, -32768.0f);
  const Ratio ratio = RatioOf(scale / (10.0 / 65535.0));
  const double most = *std::max_element(row.begin(), row.end());
  std::int64_t sum = 0;
  for (double& value : row) {
    const std::int64_t steps = Rescaled(static_cast<std::int64_t>(value - most), ratio) + 32767;
    const std::int64_t power = LookedUp(exponential, Within16(static_cast<double>(steps)));
    sum += power;
    value = static_cast<double>(power);
  }
  int headroom = 0;  // of the sum in 32 bits
  while (sum << headroom < std::int64_t{1} << 31) ++headroom;
  const std::int64_t excess = (((sum << (headroom - 1)) + (1 << 13)) >> 14) - 98304;
  const std::int64_t factor = LookedUp(reciprocal, Within16(static_cast<double>(excess)));
  for (double& value : row) {
    const std::int64_t share =
        (static_cast<std::int64_t>(value) * factor + (std::int64_t{1} << (30 - headroom))) >> (31 - headroom);
    value = std::clamp(static_cast<double>(share), 0.0, 32767.0);
  }
  return row;
}

}  // namespace arenaproof::props
