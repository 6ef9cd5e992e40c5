#include <algorithm>
#include <cmath>

#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/resize.h"

namespace arenaproof::reference {
namespace {

// Two neighbours along one axis and how much the second one counts.
template <typename Weight>
struct Neighbours {
  std::int64_t low;
  std::int64_t high;
  Weight low_weight;
  Weight high_weight;
};

// Along one axis of floats.
class FloatAxis {
 public:
  FloatAxis(std::int32_t from, std::int32_t to, const ResizeData& data)
      : last_(from - 1), step_(StepOfResize(from, to, data.align_corners)), centered_(data.half_pixel_centers) {}

  Neighbours<float> operator()(std::int32_t i) const {
    const auto index = static_cast<float>(i);
    const float place = centered_ ? (index + 0.5f) * step_ - 0.5f : index * step_;
    const std::int64_t low = std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(place)), 0);
    const std::int64_t high = std::min(static_cast<std::int64_t>(std::ceil(place)), last_);
    const float weight = place - static_cast<float>(low);
    return {low, high, 1.0f - weight, weight};
  }

 private:
  std::int64_t last_;
  float step_;
  bool centered_;
};

// Along one axis of int8: places in steps of 1/1024.
class FixedPointAxis {
 public:
  FixedPointAxis(std::int32_t from, std::int32_t to, const ResizeData& data)
      : last_(std::int64_t{from} - 1), centered_(data.half_pixel_centers) {
    const bool aligned = data.align_corners && to > 1;
    const std::int64_t length = aligned ? last_ : from;
    const std::int64_t count = aligned ? std::int64_t{to} - 1 : to;
    step_ = (kOne * length + count / 2) / count;
  }

  Neighbours<std::int64_t> operator()(std::int32_t i) const {
    const std::int64_t place = i * step_ + (centered_ ? step_ / 2 - kOne / 2 : 0);
    const std::int64_t low = std::max<std::int64_t>(place / kOne, 0);
    const std::int64_t high = std::min((place + kOne - 1) / kOne, last_);
    const std::int64_t weight = place - kOne * low;
    return {low, high, kOne - weight, weight};
  }

 private:
  static constexpr std::int64_t kOne = 1024;
  std::int64_t last_;
  std::int64_t step_ = 0;
  bool centered_;
};

// Steps are rounded, so the last place may lie behind the image, where the reference reads all the same.
template <typename Axis>
Status CheckInside(const PrepareContext& context, const ResizeData& data) {
  for (const std::size_t axis : {std::size_t{1}, std::size_t{2}}) {
    const std::int32_t from = context.inputs[0].dims[axis];
    const std::int32_t to = context.outputs[0].dims[axis];
    if (Axis(from, to, data)(to - 1).low > from - 1) {
      return Failure(StatusCode::kKernelUnsupported, KernelFeature::kResizeOverread);
    }
  }
  return Ok();
}

float Blend(const Neighbours<float>& y, const Neighbours<float>& x, float low_low, float high_low, float low_high,
            float high_high) {
  return low_low * y.low_weight * x.low_weight + high_low * y.high_weight * x.low_weight +
         low_high * y.low_weight * x.high_weight + high_high * y.high_weight * x.high_weight + 0.0f;
}

std::int8_t Blend(const Neighbours<std::int64_t>& y, const Neighbours<std::int64_t>& x, std::int64_t low_low,
                  std::int64_t high_low, std::int64_t low_high, std::int64_t high_high) {
  const std::int64_t sum = low_low * y.low_weight * x.low_weight + high_low * y.high_weight * x.low_weight +
                           low_high * y.low_weight * x.high_weight + high_high * y.high_weight * x.high_weight;
  constexpr std::int64_t kHalf = std::int64_t{1} << 19;
  return static_cast<std::int8_t>((sum + (sum > 0 ? kHalf : -kHalf)) / (2 * kHalf));
}

template <typename Axis, typename Element>
void Resize(const InvokeContext& context, const ResizeData& data) {
  const Operand& image = context.inputs[0];
  const Operand& output = context.outputs[0];
  const Axis rows(image.dims[1], output.dims[1], data);
  const Axis columns(image.dims[2], output.dims[2], data);
  const auto height = static_cast<std::size_t>(image.dims[1]);
  const auto width = static_cast<std::size_t>(image.dims[2]);
  const auto channels = static_cast<std::size_t>(image.dims[3]);
  const ElementReader<Element> from(image);
  const ElementWriter<Element> to(output);
  std::size_t index = 0;
  for (std::int32_t batch = 0; batch < output.dims[0]; ++batch) {
    const ElementReader<Element> plane = from.From(static_cast<std::size_t>(batch) * height * width * channels);
    for (std::int32_t row = 0; row < output.dims[1]; ++row) {
      const auto y = rows(row);
      for (std::int32_t column = 0; column < output.dims[2]; ++column) {
        const auto x = columns(column);
        const auto pixel = [&](std::int64_t at_row, std::int64_t at_column) {
          return plane.From((static_cast<std::size_t>(at_row) * width + static_cast<std::size_t>(at_column)) *
                            channels);
        };
        const ElementReader<Element> low_low = pixel(y.low, x.low);
        const ElementReader<Element> high_low = pixel(y.high, x.low);
        const ElementReader<Element> low_high = pixel(y.low, x.high);
        const ElementReader<Element> high_high = pixel(y.high, x.high);
        for (std::size_t channel = 0; channel < channels; ++channel) {
          to.Store(index++, Blend(y, x, low_low[channel], high_low[channel], low_high[channel], high_high[channel]));
        }
      }
    }
  }
}

}  // namespace

Status PrepareResizeBilinear(PrepareContext& context) {
  const ResizeBilinearOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kHalfPixelCenters, options->half_pixel_centers ? 1 : 0, 0,
                                         options->align_corners ? 0 : 1));
  ResizeData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(PrepareResize(context, {TensorType::kFloat32, TensorType::kInt8}, options->align_corners,
                                           options->half_pixel_centers, &data));
  return context.inputs[0].type == TensorType::kFloat32 ? CheckInside<FloatAxis>(context, *data)
                                                        : CheckInside<FixedPointAxis>(context, *data);
}

Status InvokeResizeBilinear(const InvokeContext& context) {
  const auto& data = *static_cast<const ResizeData*>(context.op_data);
  if (context.inputs[0].type == TensorType::kFloat32) {
    Resize<FloatAxis, float>(context, data);
  } else {
    Resize<FixedPointAxis, std::int8_t>(context, data);
  }
  return Ok();
}

}  // namespace arenaproof::reference
