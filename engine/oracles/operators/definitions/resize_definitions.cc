// Images of another height and width: the nearest pixel of each place, or four neighbours blended.
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "engine/oracles/operators/definitions/window_definitions.h"

namespace arenaproof::props {
namespace {

struct ResizeWay {
  bool align_corners, half_pixel_centers;
};

// An axis of `in` pixels that becomes one of `out`.
struct ResizedAxis {
  std::int32_t in, out;
  ResizeWay way;
  bool Aligned() const { return way.align_corners && out > 1; }
};

ResizedAxis AxisOf(const OperatorCase& k, std::size_t axis, ResizeWay way) {
  return {k.inputs[0].shape[axis], k.output.shape[axis], way};
}

float FloatStep(const ResizedAxis& axis) {
  if (axis.Aligned()) return static_cast<float>(axis.in - 1) / static_cast<float>(axis.out - 1);
  return static_cast<float>(axis.in) / static_cast<float>(axis.out);
}

std::int32_t NearestPlace(const ResizedAxis& axis, std::int32_t i) {
  const float place = (static_cast<float>(i) + (axis.way.half_pixel_centers ? 0.5f : 0.0f)) * FloatStep(axis);
  return std::min(static_cast<std::int32_t>(axis.way.align_corners ? std::round(place) : std::floor(place)),
                  axis.in - 1);
}

// The neighbours of a place, and how much each counts: in float, or in steps of 1/1024.
template <typename Weight>
struct Blended {
  std::int32_t low, high;
  Weight of_low, of_high;
};

Blended<float> FloatNeighbours(const ResizedAxis& axis, std::int32_t i) {
  const float k = FloatStep(axis), index = static_cast<float>(i);
  const float place = axis.way.half_pixel_centers ? (index + 0.5f) * k - 0.5f : index * k;
  const float low = std::max(std::floor(place), 0.0f);
  const float high = std::min(std::ceil(place), static_cast<float>(axis.in - 1));
  const float share = place - low;
  return {static_cast<std::int32_t>(low), static_cast<std::int32_t>(high), 1.0f - share, share};
}

Blended<std::int64_t> IntegerNeighbours(const ResizedAxis& axis, std::int32_t i) {
  const std::int64_t length = axis.Aligned() ? axis.in - 1 : axis.in, steps = axis.Aligned() ? axis.out - 1 : axis.out;
  const std::int64_t k = (1024 * length + steps / 2) / steps;
  const std::int64_t place = i * k + (axis.way.half_pixel_centers ? k / 2 - 512 : 0);
  const std::int64_t low = std::max<std::int64_t>(place / 1024, 0);
  const std::int64_t high = std::min<std::int64_t>((place + 1023) / 1024, axis.in - 1);
  const std::int64_t share = place - 1024 * low;
  return {static_cast<std::int32_t>(low), static_cast<std::int32_t>(high), 1024 - share, share};
}

// Left to right; each step of floats is rounded.
template <typename Number>
Number BlendOf(const Blended<Number>& y, const Blended<Number>& x, const std::array<Number, 4>& a) {
  Number sum = a[0] * y.of_low * x.of_low;
  sum += a[1] * y.of_high * x.of_low;
  sum += a[2] * y.of_low * x.of_high;
  sum += a[3] * y.of_high * x.of_high;
  return sum + Number{0};
}

// Of whole numbers and 2^20 parts, to the nearest, ties away from zero.
double WholeOf(std::int64_t parts) { return std::round(std::ldexp(static_cast<double>(parts), -20)); }

template <typename Number>
Values BilinearValues(const OperatorCase& k, Blended<Number> (*neighbours)(const ResizedAxis&, std::int32_t)) {
  const auto& options = std::get<ResizeBilinearOptions>(k.options);
  const ResizeWay way{options.align_corners, options.half_pixel_centers};
  const ResizedAxis rows = AxisOf(k, 1, way), columns = AxisOf(k, 2, way);
  const Values image = StoredValues(k.inputs[0]);
  Values values(k.output.count());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto p = PositionOf(k.output.shape, i);
    const Blended<Number> y = neighbours(rows, p[1]), x = neighbours(columns, p[2]);
    const auto pixel = [&](std::int32_t row, std::int32_t column) {
      return static_cast<Number>(image[At(k.inputs[0].shape, {p[0], row, column, p[3]})]);
    };
    const Number blend =
        BlendOf<Number>(y, x, {pixel(y.low, x.low), pixel(y.high, x.low), pixel(y.low, x.high), pixel(y.high, x.high)});
    if constexpr (std::is_integral_v<Number>) {
      values[i] = WholeOf(blend);
    } else {
      values[i] = double{blend};
    }
  }
  return values;
}

}  // namespace

std::vector<Expected> NearestNeighborOf(const OperatorCase& k) {
  const auto& options = std::get<ResizeNearestNeighborOptions>(k.options);
  const ResizeWay way{options.align_corners, options.half_pixel_centers};
  const ResizedAxis rows = AxisOf(k, 1, way), columns = AxisOf(k, 2, way);
  const Values image = StoredValues(k.inputs[0]);
  Expected expected{Values(k.output.count()), 0, true};
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const auto p = PositionOf(k.output.shape, i);
    expected.values[i] =
        image[At(k.inputs[0].shape, {p[0], NearestPlace(rows, p[1]), NearestPlace(columns, p[2]), p[3]})];
  }
  return {expected};
}

std::vector<Expected> BilinearOf(const OperatorCase& k) {
  if (k.output.type == TensorType::kFloat32) return {{BilinearValues<float>(k, FloatNeighbours), 0, true}};
  return {Exactly(BilinearValues<std::int64_t>(k, IntegerNeighbours))};
}

}  // namespace arenaproof::props
