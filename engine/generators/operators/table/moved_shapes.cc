// Axes in another order, windows and margins.
#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/generators/operators/table/movement_draws.h"

namespace arenaproof {
namespace {

// Of the first input. A constant list of an entry for each dimension has one at least: the file's empty tensor is no
// constant.
CaseShape& DrawData(ShapeDraw& draw, OperatorCase& made, std::int32_t least_rank, std::size_t times = 1) {
  const OperandRow& row = draw.row.inputs[0];
  made.inputs[0].shape =
      DrawShapeOfRanks(draw, std::max<std::int32_t>(least_rank, row.least_rank), row.most_rank, times);
  return made.inputs[0].shape;
}

// Paddings on both sides make so much of the other dimensions, unless the case is thin.
constexpr std::size_t kPadded = 16;

// Of one side of an axis: two of them triple an extent at most, which is too much for many dimensions.
// The other axes of a thin case stay as they are.
std::int32_t MostPadding(const ShapeDraw& draw, const CaseShape& shape, std::int32_t extent) {
  if (draw.extents.is_thin() && extent == 1 && shape.size() > 1) return 0;
  return shape.size() < 4 ? 5 : shape.size() == 4 ? 2 : 1;
}

// A number of the type, as likely far out as near.
std::int64_t Anywhere(CaseRandom& random, TensorType type, std::int32_t reach) {
  if (!random.OneIn(4)) return random.Between(-reach, reach);
  using Narrow = std::numeric_limits<std::int32_t>;
  if (type == TensorType::kInt32 || random.OneIn(3)) return random.OneIn(2) ? Narrow::max() : Narrow::min();
  const std::int64_t far = std::int64_t{1} << random.Between(32, 52);
  return random.OneIn(2) ? far : -far;
}

}  // namespace

void DrawTranspose(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape& shape = DrawData(draw, made, 1);
  std::vector<std::int64_t> order(shape.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  draw.random.Shuffle(order);
  for (const std::int64_t axis : order) made.output.shape.push_back(shape[static_cast<std::size_t>(axis)]);
  SetIntegers(made.inputs[1], order, {RankOf(made.inputs[0])});
}

// A window of one dimension may be empty; with more no output may be.
void DrawSlice(ShapeDraw& draw, OperatorCase& made) {
  std::vector<std::int64_t> begins, sizes;
  const CaseShape& shape = DrawData(draw, made, 0);
  const std::int32_t least = shape.size() == 1 && draw.random.OneIn(8) ? 0 : 1;
  for (const std::int32_t extent : shape) {
    const std::int32_t begin = draw.random.Between(0, extent - least);
    const bool to_the_end = draw.random.OneIn(2);
    const std::int32_t size = to_the_end ? extent - begin : draw.random.Between(least, extent - begin);
    begins.push_back(begin);
    sizes.push_back(to_the_end && draw.random.OneIn(2) ? -1 : size);
    made.output.shape.push_back(size);
  }
  SetIntegers(made.inputs[1], begins, {RankOf(made.inputs[0])});
  SetIntegers(made.inputs[2], sizes, {RankOf(made.inputs[0])});
}

// PAD has its value only sometimes; then the list may end before it. What pads int8 is of the output's quantisation.
void DrawPad(ShapeDraw& draw, OperatorCase& made) {
  std::vector<std::int64_t> paddings;
  CaseShape& shape = DrawData(draw, made, 1, UnlessThin(draw, kPadded));
  for (std::int32_t& extent : shape) {
    const std::int32_t most = MostPadding(draw, shape, extent);
    const bool is_empty = most > 0 && draw.random.OneIn(48);  // nothing but padding
    if (is_empty) extent = 0;
    std::int32_t padded = extent;
    for (int side = 0; side < 2; ++side) {
      const bool is_needed = is_empty && side == 1 && padded == 0;
      const std::int32_t padding = most == 0 || (!is_needed && draw.random.OneIn(2)) ? 0 : draw.random.Between(1, most);
      paddings.push_back(padding);
      padded += padding;
    }
    made.output.shape.push_back(padded);
  }
  SetIntegers(made.inputs[1], paddings, {RankOf(made.inputs[0]), 2});
  CaseTensor& value = made.inputs[2];
  value.shape = CaseShape(draw.random.Below(3), 1);
  if (made.output.type == TensorType::kInt8) {
    made.output.scales = {PickScale(draw.random, 0.02f, 0.2f)};
    made.output.zero_point = draw.random.OneIn(8) ? 0 : draw.random.Between(-128, 127);
    value.scales = made.output.scales;
    value.zero_point = made.output.zero_point;
  }
  if (!value.present && draw.random.OneIn(2)) made.inputs.pop_back();
}

void DrawMirrorPad(ShapeDraw& draw, OperatorCase& made) {
  const bool repeats = std::get<MirrorPadOptions>(made.options).mode == MirrorPadMode::kSymmetric;
  std::vector<std::int64_t> paddings;
  const CaseShape& shape = DrawData(draw, made, 1, UnlessThin(draw, kPadded));
  for (const std::int32_t extent : shape) {
    std::int32_t padded = extent;
    for (int side = 0; side < 2; ++side) {
      const std::int32_t most = std::min(extent - (repeats ? 0 : 1), MostPadding(draw, shape, extent));
      const std::int32_t padding = draw.random.OneIn(4) ? most : draw.random.Between(0, most);
      paddings.push_back(padding);
      padded += padding;
    }
    made.output.shape.push_back(padded);
  }
  SetIntegers(made.inputs[1], paddings, {RankOf(made.inputs[0]), 2});
}

void DrawReverse(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape& shape = DrawData(draw, made, 1);
  made.output.shape = shape;
  const std::size_t first = draw.random.Below(shape.size());
  std::vector<std::int64_t> axes(1 + draw.random.Below(shape.size() - first));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i] = static_cast<std::int64_t>(first + i);
    if (draw.random.OneIn(2)) axes[i] -= RankOf(made.inputs[0]);
  }
  draw.random.Shuffle(axes);
  SetIntegers(made.inputs[1], axes, {static_cast<std::int32_t>(axes.size())});
}

// Starts may lie anywhere; an update may be as large as the operand, or empty.
void DrawDynamicUpdateSlice(ShapeDraw& draw, OperatorCase& made) {
  std::vector<std::int64_t> starts;
  const bool is_empty = draw.random.OneIn(32);
  for (const std::int32_t extent : DrawData(draw, made, 1)) {
    const bool is_whole = draw.random.OneIn(4);
    made.inputs[1].shape.push_back(is_whole ? extent : draw.random.Between(is_empty ? 0 : 1, extent));
    starts.push_back(draw.random.OneIn(2) ? draw.random.Between(0, extent)
                                          : Anywhere(draw.random, made.inputs[2].type, extent + 2));
  }
  made.output.shape = made.inputs[0].shape;
  SetIntegers(made.inputs[2], starts, {RankOf(made.inputs[0])});
}

}  // namespace arenaproof
