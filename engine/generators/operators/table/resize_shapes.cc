#include "engine/generators/operators/table/window_draws.h"

namespace arenaproof {
namespace {

// Steps of 1/1024 are rounded: the last place of the output may then lie behind the image, which is refused.
bool LeavesTheImage(std::int64_t in, std::int64_t out, const ResizeBilinearOptions& options) {
  const bool aligned = options.align_corners && out > 1;
  const std::int64_t length = aligned ? in - 1 : in, steps = aligned ? out - 1 : out;
  const std::int64_t step = (1024 * length + steps / 2) / steps;
  const std::int64_t last = (out - 1) * step + (options.half_pixel_centers ? step / 2 - 512 : 0);
  return last / 1024 > in - 1;
}

// So long that the rounding of a step decides where places lie that are whole numbers of pixels, which extents, or
// extents less one, with a common factor have.
void DrawLongAxis(CaseRandom& random, std::int32_t& in, std::int32_t& out) {
  const std::int32_t factor = random.Between(1, 12), more = random.Between(0, 1);
  in = factor * random.Between(1, 9) + more;
  out = factor * random.Between(1, 9) + more;
}

}  // namespace

void DrawResize(ShapeDraw& draw, OperatorCase& made) {
  const std::int32_t batches = DrawWorkExtent(draw, 3);
  std::int32_t height = DrawWorkExtent(draw, 7), width = DrawWorkExtent(draw, 7);
  std::int32_t rows = DrawWorkExtent(draw, 11), columns = DrawWorkExtent(draw, 11);
  const std::int32_t channels = DrawWorkExtent(draw, 3);
  if (draw.extents.far_extent() == 0 && draw.random.OneIn(3)) {
    const bool of_height = draw.random.OneIn(2);
    DrawLongAxis(draw.random, of_height ? height : width, of_height ? rows : columns);
  }
  if (auto* options = std::get_if<ResizeBilinearOptions>(&made.options)) {
    options->half_pixel_centers = !options->align_corners && draw.random.OneIn(2);
    if (made.output.type == TensorType::kInt8) {
      while (LeavesTheImage(height, rows, *options)) --rows;
      while (LeavesTheImage(width, columns, *options)) --columns;
    }
  }
  SetIntegers(made.inputs[1], {rows, columns}, {2});
  made.inputs[0].shape = {batches, height, width, channels};
  made.output.shape = {batches, rows, columns, channels};
}

}  // namespace arenaproof
