#include <algorithm>

#include "engine/generators/operators/table/window_draws.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostRank = 6;

}  // namespace

// Rows of any number of dimensions, which the output need not keep; now and then fewer outputs than the filter has
// rows, or more than the 64 rows that vector kernels take at once.
void DrawFullyConnected(ShapeDraw& draw, OperatorCase& made) {
  CaseRandom& random = draw.random;
  auto& options = std::get<FullyConnectedOptions>(made.options);
  options.quantized_bias_type = DrawBiasTypeOption(random);
  options.keep_num_dims = random.OneIn(2);
  CaseShape batches(random.Below(random.OneIn(4) ? kMostRank : 4));
  for (std::int32_t& extent : batches) extent = DrawWorkExtent(draw, batches.size() < 4 ? 3 : 2);
  const bool is_scalar = draw.extents.far_extent() == 0 && batches.empty() && random.OneIn(8);
  const std::int32_t depth = is_scalar ? 1
                                       : DrawWorkExtent(draw, random.OneIn(2) ? 6 : 40,
                                                        MostWeightedProducts(made, options.quantized_bias_type));
  std::int32_t rows = DrawWorkExtent(draw, 20);
  if (draw.extents.far_extent() == 0 && random.OneIn(4)) rows = random.Between(60, 140);
  const std::int32_t outputs = random.OneIn(4) ? random.Between(1, rows) : rows;
  CaseShape input = batches, output = batches;
  if (random.OneIn(4)) {
    std::int32_t count = 1;
    for (const std::int32_t extent : batches) count *= extent;
    (random.OneIn(2) ? input : output) = {count};
  }
  if (is_scalar) {
    input.clear();
  } else {
    input.push_back(depth);
  }
  if (depth % 2 == 0 && input.size() < kMostRank && random.OneIn(4)) {
    input.back() = depth / 2;
    input.push_back(2);
  }
  output.push_back(outputs);
  made.inputs[0].shape = input;
  made.inputs[1].shape = {rows, depth};
  made.inputs[2].shape = {rows};
  made.output.shape = output;
  DrawSums(draw, made, {}, depth);
}

// Matrices beside each other along up to three leading dimensions; each operand has the output's extent there, or 1, or
// not so many dimensions.
void DrawBatchMatMul(ShapeDraw& draw, OperatorCase& made) {
  CaseRandom& random = draw.random;
  const auto& options = std::get<BatchMatMulOptions>(made.options);
  const std::int64_t most_products = made.output.type == TensorType::kInt8    ? 33025
                                     : made.output.type == TensorType::kInt16 ? (1 << 17) - 1
                                                                              : 1 << 18;
  const std::int32_t rows = DrawWorkExtent(draw, 5), depth = DrawWorkExtent(draw, 9, most_products),
                     columns = DrawWorkExtent(draw, 5);
  CaseShape leading(random.Below(4));
  for (std::int32_t& extent : leading) extent = DrawWorkExtent(draw, 3);
  const bool alike = random.OneIn(2);
  for (CaseTensor& input : made.inputs) {
    input.shape = leading;
    if (alike) continue;
    for (std::int32_t& extent : input.shape) extent = random.OneIn(3) ? 1 : extent;
    const auto left_out = static_cast<std::ptrdiff_t>(random.OneIn(2) ? random.Below(leading.size() + 1) : 0);
    input.shape.erase(input.shape.begin(), input.shape.begin() + left_out);
  }
  CaseShape &first = made.inputs[0].shape, &second = made.inputs[1].shape, &output = made.output.shape;
  output.assign(std::max(first.size(), second.size()), 1);
  for (const CaseShape& shape : {first, second}) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      std::int32_t& extent = output[output.size() - shape.size() + i];
      extent = std::max(extent, shape[i]);
    }
  }
  const auto matrix = [](CaseShape& shape, std::int32_t height, std::int32_t width, bool turned) {
    shape.insert(shape.end(), {turned ? width : height, turned ? height : width});
  };
  matrix(first, rows, depth, options.adj_x);
  matrix(second, depth, columns, options.adj_y);
  matrix(output, rows, columns, false);
  DrawSums(draw, made, {0, 1, kNoBias}, depth);
}

}  // namespace arenaproof
