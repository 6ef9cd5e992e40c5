#include <tuple>
#include <utility>

#include "engine/generators/operators/table/table_quantization.h"
#include "engine/generators/operators/table/window_draws.h"

namespace arenaproof {
namespace {

struct DrawnImage {
  std::int32_t batches, height, width;
};

DrawnImage DrawImage(ShapeDraw& draw) {
  return {DrawWorkExtent(draw, 3), DrawWorkExtent(draw, 7), DrawWorkExtent(draw, 7)};
}

// The windows of an image's rows and columns, in the options too.
template <typename Options>
std::pair<DrawnWindow, DrawnWindow> DrawWindows(ShapeDraw& draw, std::int32_t height, std::int32_t width,
                                                std::int64_t most_products, Options& options) {
  constexpr bool kDilates = requires { options.dilation_h; };
  options.padding = DrawPadding(draw.random);
  const DrawnWindow rows = DrawWindow(draw, height, options.padding, kDilates, most_products);
  const DrawnWindow columns = DrawWindow(draw, width, options.padding, kDilates, most_products / rows.filter);
  options.stride_h = rows.stride;
  options.stride_w = columns.stride;
  if constexpr (kDilates) {
    options.dilation_h = rows.dilation;
    options.dilation_w = columns.dilation;
  }
  return {rows, columns};
}

}  // namespace

void DrawConvolution(ShapeDraw& draw, OperatorCase& made) {
  auto& options = std::get<Conv2DOptions>(made.options);
  options.quantized_bias_type = DrawBiasTypeOption(draw.random);
  const std::int64_t most = MostWeightedProducts(made, options.quantized_bias_type);
  const auto [batches, height, width] = DrawImage(draw);
  const auto [rows, columns] = DrawWindows(draw, height, width, most, options);
  const std::int32_t per_group = DrawWorkExtent(draw, 3, most / rows.filter / columns.filter);
  const std::int32_t groups = DrawWorkExtent(draw, 3), outputs = groups * DrawWorkExtent(draw, 3);
  made.inputs[0].shape = {batches, height, width, groups * per_group};
  made.inputs[1].shape = {outputs, rows.filter, columns.filter, per_group};
  made.inputs[2].shape = {outputs};
  made.output.shape = {batches, rows.output, columns.output, outputs};
  DrawSums(draw, made, {}, std::int64_t{rows.filter} * columns.filter * per_group);
}

void DrawDepthwise(ShapeDraw& draw, OperatorCase& made) {
  auto& options = std::get<DepthwiseConv2DOptions>(made.options);
  const std::int64_t most = MostWeightedProducts(made);
  const auto [batches, height, width] = DrawImage(draw);
  const auto [rows, columns] = DrawWindows(draw, height, width, most, options);
  const std::int32_t inputs = DrawWorkExtent(draw, 4);
  options.depth_multiplier = DrawWorkExtent(draw, 3);
  const std::int32_t outputs = inputs * options.depth_multiplier;
  made.inputs[0].shape = {batches, height, width, inputs};
  made.inputs[1].shape = {1, rows.filter, columns.filter, outputs};
  made.inputs[2].shape = {outputs};
  made.output.shape = {batches, rows.output, columns.output, outputs};
  DrawSums(draw, made, {}, std::int64_t{rows.filter} * columns.filter);
}

// Windows slide over the output; the input mostly has as many elements as there are windows, but may have others.
void DrawTransposeConvolution(ShapeDraw& draw, OperatorCase& made) {
  auto& options = std::get<TransposeConvOptions>(made.options);
  const std::int64_t most = MostWeightedProducts(made);
  const auto [batches, height, width] = DrawImage(draw);
  const auto [rows, columns] = DrawWindows(draw, height, width, most, options);
  const std::int32_t inputs = DrawWorkExtent(draw, 3, most / rows.filter / columns.filter);
  const std::int32_t outputs = DrawWorkExtent(draw, 3);
  const bool other = draw.random.OneIn(5);
  SetIntegers(made.inputs[0], {batches, height, width, outputs}, {4});
  made.inputs[1].shape = {outputs, rows.filter, columns.filter, inputs};
  made.inputs[2].shape = {batches, other ? draw.random.Between(1, 5) : rows.output,
                          other ? draw.random.Between(1, 5) : columns.output, inputs};
  made.inputs[3].shape = {outputs};
  made.output.shape = {batches, height, width, outputs};
  DrawSums(draw, made, {2, 1, 3}, std::int64_t{rows.filter} * columns.filter * inputs);
}

// Now and then windows so wide that sums of int8 leave 16 bits. The output's scale may be a little off.
void DrawPool(ShapeDraw& draw, OperatorCase& made) {
  CaseRandom& random = draw.random;
  auto& options = std::get<Pool2DOptions>(made.options);
  auto [batches, height, width] = DrawImage(draw);
  const std::int32_t depth = DrawWorkExtent(draw, 4);
  DrawnWindow rows, columns;
  if (draw.extents.far_extent() == 0 && random.OneIn(8)) {
    options.padding = DrawPadding(random);
    batches = 1;
    height = random.Between(16, 20);
    width = random.Between(16, 20);
    rows = DrawWindowOf(random, random.Between(14, 20), height, options.padding, false);
    columns = DrawWindowOf(random, random.Between(14, 20), width, options.padding, false);
    options.stride_h = rows.stride;
    options.stride_w = columns.stride;
    if (random.OneIn(2)) made.inputs[0].values = ValueKind::kHeaped;
  } else {
    std::tie(rows, columns) = DrawWindows(draw, height, width, 1 << 18, options);
  }
  options.filter_height = rows.filter;
  options.filter_width = columns.filter;
  made.inputs[0].shape = {batches, height, width, depth};
  made.output.shape = {batches, rows.output, columns.output, depth};
  if (made.output.type == TensorType::kFloat32) return;
  CaseTensor& input = made.inputs[0];
  input.scales = {PickScale(random, 0.02f, 0.2f)};
  if (made.output.type == TensorType::kInt16 && !random.OneIn(4)) input.scales[0] /= 256.0f;
  input.zero_point = DrawZeroPoint(random, input.type);
  made.output.scales = {input.scales[0] + (random.OneIn(2) ? 0.0f : random.FloatBetween(-9e-7f, 9e-7f))};
  made.output.zero_point = input.zero_point;
}

}  // namespace arenaproof
