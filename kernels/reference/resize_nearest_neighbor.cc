#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/reference/families.h"
#include "kernels/reference/resize.h"

namespace arenaproof::reference {
namespace {

// Which place of the image place `i` of the output shows, along one axis.
class Nearest {
 public:
  Nearest(std::int32_t from, std::int32_t to, const ResizeData& data)
      : last_(from - 1),
        step_(StepOfResize(from, to, data.align_corners)),
        offset_(data.half_pixel_centers ? 0.5f : 0.0f),
        rounds_(data.align_corners) {}

  std::size_t operator()(std::int32_t i) const {
    const float place = (static_cast<float>(i) + offset_) * step_;
    const auto whole = static_cast<std::int64_t>(rounds_ ? std::round(place) : std::floor(place));
    return static_cast<std::size_t>(std::min(whole, last_));
  }

 private:
  std::int64_t last_;
  float step_;
  float offset_;
  bool rounds_;
};

}  // namespace

Status PrepareResizeNearestNeighbor(PrepareContext& context) {
  const ResizeNearestNeighborOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ResizeData* data = nullptr;
  return PrepareResize(context, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}, options->align_corners,
                       options->half_pixel_centers, &data);
}

Status InvokeResizeNearestNeighbor(const InvokeContext& context) {
  const auto& data = *static_cast<const ResizeData*>(context.op_data);
  const Operand& image = context.inputs[0];
  const Operand& output = context.outputs[0];
  const Nearest row_of(image.dims[1], output.dims[1], data);
  const Nearest column_of(image.dims[2], output.dims[2], data);
  const std::size_t pixel_bytes = static_cast<std::size_t>(image.dims[3]) * ElementBytes(image.type);
  const auto height = static_cast<std::size_t>(image.dims[1]);
  const auto width = static_cast<std::size_t>(image.dims[2]);
  std::byte* to = output.data;
  for (std::int32_t batch = 0; batch < output.dims[0]; ++batch) {
    for (std::int32_t y = 0; y < output.dims[1]; ++y) {
      const std::size_t row = static_cast<std::size_t>(batch) * height + row_of(y);
      for (std::int32_t x = 0; x < output.dims[2]; ++x) {
        std::memcpy(to, image.data + (row * width + column_of(x)) * pixel_bytes, pixel_bytes);
        to += pixel_bytes;
      }
    }
  }
  return Ok();
}

}  // namespace arenaproof::reference
