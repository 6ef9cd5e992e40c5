// Parts and wholes, and shapes that grow or lose axes of 1.
#include <algorithm>
#include <numeric>

#include "engine/generators/operators/table/movement_draws.h"

namespace arenaproof {
namespace {

CaseShape With(CaseShape shape, std::size_t axis, std::int32_t extent) {
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), extent);
  return shape;
}

// The axis is an operand: one number, with dimensions of 1 or without.
void SetAxis(ShapeDraw& draw, CaseTensor& operand, std::int32_t name) {
  SetIntegers(operand, {name}, CaseShape(draw.random.Below(3), 1));
}

}  // namespace

// Now and then an input is empty, but not the output.
void DrawConcatenation(ShapeDraw& draw, OperatorCase& made) {
  CaseShape shape = DrawShapeOfRanks(draw, 1, draw.row.outputs[0].most_rank, UnlessThin(draw, 2 * made.inputs.size()));
  const NamedAxis axis = DrawAxis(draw.random, shape.size());
  std::get<ConcatenationOptions>(made.options).axis = axis.name;
  shape[axis.index] = 0;
  made.output.shape = shape;
  for (CaseTensor& input : made.inputs) {
    input.shape = shape;
    const bool is_last = &input == &made.inputs.back();
    input.shape[axis.index] =
        !is_last && draw.random.OneIn(12) ? 0 : draw.extents.Next(5, FarLimit(draw.extents, RankOf(made.output), 1));
    made.output.shape[axis.index] += input.shape[axis.index];
  }
}

void DrawPack(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape shape = DrawShapeOfRanks(draw, 0, draw.row.inputs[0].most_rank, UnlessThin(draw, made.inputs.size()));
  const NamedAxis axis = DrawAxis(draw.random, shape.size() + 1);
  const auto count = static_cast<std::int32_t>(made.inputs.size());
  auto& options = std::get<PackOptions>(made.options);
  options.axis = axis.name;
  options.values_count = count;
  for (CaseTensor& input : made.inputs) input.shape = shape;
  made.output.shape = With(shape, axis.index, count);
}

void DrawUnpack(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape shape =
      DrawShapeOfRanks(draw, 0, draw.row.outputs[0].most_rank, UnlessThin(draw, made.output_count()));
  const NamedAxis axis = DrawAxis(draw.random, shape.size() + 1);
  const auto count = static_cast<std::int32_t>(made.output_count());
  auto& options = std::get<UnpackOptions>(made.options);
  options.axis = axis.name;
  options.num = count;
  made.inputs[0].shape = With(shape, axis.index, count);
  for (std::size_t i = 0; i < made.output_count(); ++i) made.output_at(i).shape = shape;
}

void DrawSplit(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape part = DrawShapeOfRanks(draw, 1, draw.row.inputs[1].most_rank, UnlessThin(draw, made.output_count()));
  const NamedAxis axis = DrawAxis(draw.random, part.size());
  const auto count = static_cast<std::int32_t>(made.output_count());
  std::get<SplitOptions>(made.options).num_splits = count;
  SetAxis(draw, made.inputs[0], axis.name);
  made.inputs[1].shape = part;
  made.inputs[1].shape[axis.index] *= count;
  for (std::size_t i = 0; i < made.output_count(); ++i) made.output_at(i).shape = part;
}

// One of the sizes may be -1: the rest.
void DrawSplitV(ShapeDraw& draw, OperatorCase& made) {
  CaseShape shape = DrawShapeOfRanks(draw, 1, draw.row.inputs[0].most_rank, UnlessThin(draw, 2 * made.output_count()));
  const NamedAxis axis = DrawAxis(draw.random, shape.size());
  const auto count = static_cast<std::int32_t>(made.output_count());
  std::get<SplitOptions>(made.options).num_splits = count;
  std::vector<std::int64_t> sizes;
  shape[axis.index] = 0;
  for (std::size_t i = 0; i < made.output_count(); ++i) {
    CaseShape& part = made.output_at(i).shape;
    part = shape;
    // Outputs are not empty, unless they have one dimension.
    part[axis.index] = shape.size() == 1 && draw.random.OneIn(12)
                           ? 0
                           : draw.extents.Next(5, FarLimit(draw.extents, static_cast<std::int32_t>(shape.size()), 1));
    sizes.push_back(part[axis.index]);
  }
  shape[axis.index] = static_cast<std::int32_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
  made.inputs[0].shape = shape;
  if (draw.random.OneIn(3)) sizes[draw.random.Below(sizes.size())] = -1;
  SetIntegers(made.inputs[1], sizes, {count});
  SetAxis(draw, made.inputs[2], axis.name);
}

// Where the output has no room for one more dimension it is a copy: the axis is not read.
void DrawExpandDims(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape shape = DrawShapeOfRanks(draw, 0, draw.row.inputs[0].most_rank);
  const NamedAxis axis = DrawAxis(draw.random, shape.size() + 1);
  made.inputs[0].shape = shape;
  SetAxis(draw, made.inputs[1], axis.name);
  made.output.shape = shape.size() < draw.row.outputs[0].most_rank ? With(shape, axis.index, 1) : shape;
}

// Without a list every axis of 1 goes, else the neighbours that are listed.
void DrawSqueeze(ShapeDraw& draw, OperatorCase& made) {
  static constexpr std::int32_t kIndices[] = {0, 1, 2, 3, 4, 5}, kFromEnd[] = {-6, -5, -4, -3, -2, -1};
  CaseShape shape = DrawShapeOfRanks(draw, 0, draw.row.inputs[0].most_rank);
  for (std::int32_t& extent : shape) extent = draw.random.OneIn(3) ? 1 : extent;
  made.inputs[0].shape = made.output.shape = shape;
  CaseShape& left = made.output.shape;
  if (shape.empty() || draw.random.OneIn(2)) {
    std::erase(left, 1);
    return;
  }
  const std::size_t first = draw.random.Below(shape.size());
  const std::size_t count = 1 + draw.random.Below(shape.size() - first);
  std::fill_n(made.inputs[0].shape.begin() + static_cast<std::ptrdiff_t>(first), count, 1);
  left.erase(left.begin() + static_cast<std::ptrdiff_t>(first),
             left.begin() + static_cast<std::ptrdiff_t>(first + count));
  const std::span names = draw.random.OneIn(2) ? std::span(kIndices).subspan(first, count)
                                               : std::span(kFromEnd).last(shape.size()).subspan(first, count);
  std::get<SqueezeOptions>(made.options).squeeze_dims = names;
}

void DrawShape(ShapeDraw& draw, OperatorCase& made) {
  made.inputs[0].shape = DrawShapeOfRanks(draw, 0, draw.row.inputs[0].most_rank);
  made.output.shape = {static_cast<std::int32_t>(made.inputs[0].shape.size())};
}

// The dims' type has to hold them. There is one at least: the file's empty tensor is no constant.
void DrawFill(ShapeDraw& draw, OperatorCase& made) {
  const TensorType type = made.inputs[0].type;
  const std::int32_t most = type == TensorType::kInt8 ? 127 : type == TensorType::kInt16 ? 32767 : 1 << 18;
  CaseShape& shape = made.output.shape;
  const std::int32_t rank = draw.extents.Rank(1, draw.row.outputs[0].most_rank);
  for (std::int32_t axis = 0; axis < rank; ++axis)
    shape.push_back(draw.extents.Next(MostExtent(rank), std::min(most, FarLimit(draw.extents, rank, 1))));
  SetIntegers(made.inputs[0], {shape.begin(), shape.end()}, {static_cast<std::int32_t>(shape.size())});
  made.inputs[1].shape = {};
}

// One dimension at least, as for FILL.
void DrawBroadcastTo(ShapeDraw& draw, OperatorCase& made) {
  CaseShape& shape = made.output.shape;
  shape = DrawShapeOfRanks(draw, 1, draw.row.outputs[0].most_rank);
  CaseShape& from = made.inputs[0].shape;
  from.assign(
      shape.begin() + static_cast<std::ptrdiff_t>(draw.random.OneIn(2) ? 0 : draw.random.Below(shape.size() + 1)),
      shape.end());
  for (std::int32_t& extent : from) extent = draw.random.OneIn(2) ? 1 : extent;
  SetIntegers(made.inputs[1], {shape.begin(), shape.end()}, {static_cast<std::int32_t>(shape.size())});
}

// Extents of a shape that nobody makes: 0, as large as 32 bits hold, of int64 also with more bits than those, which do
// not count.
void DrawBroadcastArgs(ShapeDraw& draw, OperatorCase& made) {
  std::vector<std::int64_t> broadcast(draw.random.Below(8));
  for (std::int64_t& extent : broadcast) {
    extent = draw.random.OneIn(2) ? draw.random.Between(0, 5) : draw.random.Between(0, 0x7FFFFFFF);
  }
  const std::size_t longer = draw.random.Below(2);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t missing = i == longer || draw.random.OneIn(2) ? 0 : draw.random.Below(broadcast.size() + 1);
    std::vector<std::int64_t> shape(broadcast.begin() + static_cast<std::ptrdiff_t>(missing), broadcast.end());
    for (std::int64_t& extent : shape) {
      extent = draw.random.OneIn(3) ? 1 : extent;
      if (draw.random.OneIn(8)) extent += std::int64_t{draw.random.Between(-3, 3)} * (std::int64_t{1} << 32);
    }
    SetIntegers(made.inputs[i], shape, {static_cast<std::int32_t>(shape.size())});
  }
  made.output.shape = {static_cast<std::int32_t>(broadcast.size())};
}

}  // namespace arenaproof
