#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/generators/operators/table/shape_draws.h"
#include "engine/generators/operators/table/table_quantization.h"

namespace arenaproof {
namespace {

constexpr std::int32_t kMostRank = 6;

std::size_t Place(std::int32_t axis) { return static_cast<std::size_t>(axis); }

// Ranks above 4 are seldom: they make cases large where an extent is far.
CaseShape DrawDataShape(ShapeDraw& draw, std::int32_t least_rank, std::int32_t limit) {
  return draw.extents.Shape(least_rank, draw.random.OneIn(4) ? kMostRank : 4, 5, limit);
}

// Half of the time counted from the end.
std::int64_t Spelled(ShapeDraw& draw, std::int32_t axis, std::int32_t rank) {
  return draw.random.OneIn(2) ? axis - rank : axis;
}

// One number, as a list of one or as a scalar.
void SetAxis(ShapeDraw& draw, CaseTensor& tensor, std::int64_t axis) {
  SetIntegers(tensor, {axis}, draw.random.OneIn(2) ? CaseShape{} : CaseShape{1});
}

void SetIndices(ShapeDraw& draw, CaseTensor& tensor, CaseShape shape, std::int32_t extent) {
  tensor.shape = std::move(shape);
  std::vector<std::int64_t> values(tensor.count());
  for (std::int64_t& value : values) value = draw.random.Between(0, extent - 1);
  SetIntegers(tensor, values, tensor.shape);
}

// Most lists are short; a list names an axis more than once now and then.
std::vector<std::int64_t> DrawAxes(ShapeDraw& draw, std::int32_t rank, std::int32_t most) {
  std::vector<std::int64_t> axes(Place(draw.random.Between(1, draw.random.OneIn(4) ? most : std::min(most, rank))));
  for (std::int64_t& axis : axes) axis = Spelled(draw, draw.random.Between(0, rank - 1), rank);
  return axes;
}

// Every element at one end of the type: an extreme that starts elsewhere than at the other end then shows.
void FillWithEnd(CaseRandom& random, CaseTensor& tensor) {
  const bool least = random.OneIn(2);
  if (tensor.type == TensorType::kInt8) {
    tensor.bytes.assign(tensor.count(), std::byte{least ? std::uint8_t{0x80} : std::uint8_t{0x7F}});
    return;
  }
  using Limits = std::numeric_limits<float>;
  const float end = random.OneIn(2) ? Limits::max() : Limits::infinity();
  const float value = least ? -end : end;
  tensor.bytes.resize(tensor.count() * sizeof(float));
  for (std::size_t at = 0; at < tensor.bytes.size(); at += sizeof(float)) {
    std::memcpy(&tensor.bytes[at], &value, sizeof(float));
  }
}

// The output's scale leaves 32 bits to every rescaled sum: an eighth of the input's if there is room, up to more than
// all elements of a sum together make of it.
void QuantizeSum(ShapeDraw& draw, OperatorCase& made, std::size_t reduced_count) {
  CaseTensor& input = made.inputs[0];
  DrawQuantization(draw.random, draw.row.inputs[0], made, nullptr, input);
  DrawQuantization(draw.random, draw.row.inputs[0], made, nullptr, made.output);
  const int value_bits = input.type == TensorType::kInt16 ? 16 : 8;
  const int count_bits = static_cast<int>(std::bit_width(reduced_count));
  const int finer = std::min(30 - value_bits - count_bits, 3);
  const float step = std::ldexp(input.scales[0], draw.random.Between(-finer, count_bits + 1));
  made.output.scales = {draw.random.OneIn(2) ? step : draw.random.FloatBetween(step, 2 * step)};
}

}  // namespace

// Now and then the output keeps some of the axes, or has more of 1: that makes no difference to where a value lies.
void DrawReduction(ShapeDraw& draw, OperatorCase& made) {
  // Of int16, with up to five other extents of 2, no sum leaves 32 bits.
  const bool wide = made.inputs[0].type == TensorType::kInt16;
  const CaseShape shape = DrawDataShape(draw, 1, wide ? 1023 : 1 << 18);
  made.inputs[0].shape = shape;
  const std::int32_t rank = RankOf(made.inputs[0]);
  const bool is_sum = made.code == BuiltinOperator::kSum || made.code == BuiltinOperator::kMean;
  const bool float_sum = is_sum && made.inputs[0].type == TensorType::kFloat32;
  const std::vector<std::int64_t> axes = DrawAxes(draw, rank, float_sum ? 4 : rank + 3);
  const bool scalar = axes.size() == 1 && draw.random.OneIn(2);
  SetIntegers(made.inputs[1], axes, scalar ? CaseShape{} : CaseShape{static_cast<std::int32_t>(axes.size())});
  std::vector<bool> reduced(shape.size(), false);
  for (const std::int64_t axis : axes) reduced[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = true;
  const bool keeps = std::get<ReducerOptions>(made.options).keep_dims;
  const bool mixed = draw.random.OneIn(8);
  std::size_t reduced_count = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int32_t left = reduced[axis] ? 1 : shape[axis];
    if (reduced[axis]) reduced_count *= static_cast<std::size_t>(shape[axis]);
    const bool stays = mixed && left == 1 ? draw.random.OneIn(2) : keeps || !reduced[axis];
    if (stays) made.output.shape.push_back(left);
  }
  const bool extreme = made.code == BuiltinOperator::kReduceMax || made.code == BuiltinOperator::kReduceMin;
  if (extreme && draw.random.OneIn(12)) FillWithEnd(draw.random, made.inputs[0]);
  if (made.code == BuiltinOperator::kSum && !float_sum) QuantizeSum(draw, made, reduced_count);
}

void DrawArgMax(ShapeDraw& draw, OperatorCase& made) {
  made.inputs[0].shape = DrawDataShape(draw, 1, 1 << 18);
  const std::int32_t rank = RankOf(made.inputs[0]);
  const std::int32_t axis = draw.random.Between(0, rank - 1);
  SetAxis(draw, made.inputs[1], Spelled(draw, axis, rank));
  made.output.shape = made.inputs[0].shape;
  made.output.shape.erase(made.output.shape.begin() + axis);
}

void DrawCumsum(ShapeDraw& draw, OperatorCase& made) {
  made.inputs[0].shape = made.output.shape = DrawDataShape(draw, 1, 1 << 18);
  const std::int32_t rank = RankOf(made.inputs[0]);
  SetAxis(draw, made.inputs[1], Spelled(draw, draw.random.Between(0, rank - 1), rank));
}

// Half of the cases have batch dimensions, which are those of the data.
void DrawGather(ShapeDraw& draw, OperatorCase& made) {
  auto& options = std::get<GatherOptions>(made.options);
  const CaseShape data = DrawDataShape(draw, 1, 1 << 18);
  made.inputs[0].shape = data;
  const std::int32_t rank = RankOf(made.inputs[0]);
  const std::int32_t axis = draw.random.OneIn(4) ? rank - 1 : draw.random.Between(0, rank - 1);
  const std::int32_t batch_dims = draw.random.OneIn(2) ? draw.random.OneIn(4) ? axis : draw.random.Between(0, axis) : 0;
  CaseShape indices(data.begin(), data.begin() + batch_dims);
  // The output has a dimension for each further one of the indices and for each of the data but the axis.
  const std::int32_t further = draw.random.Between(
      0, std::min({draw.random.OneIn(6) ? kMostRank : 2, kMostRank - rank + 1, kMostRank - batch_dims}));
  for (std::int32_t i = 0; i < further; ++i) indices.push_back(draw.extents.Next(rank > 3 ? 2 : 4));
  SetIndices(draw, made.inputs[1], indices, data[Place(axis)]);
  const auto indices_rank = static_cast<std::int32_t>(indices.size());
  options.axis = static_cast<std::int32_t>(Spelled(draw, axis, rank));
  // Counted back from the indices' rank, none of whose dimensions is behind the last.
  options.batch_dims =
      batch_dims < indices_rank ? static_cast<std::int32_t>(Spelled(draw, batch_dims, indices_rank)) : batch_dims;
  made.output.shape.assign(data.begin(), data.begin() + axis);
  made.output.shape.insert(made.output.shape.end(), indices.begin() + batch_dims, indices.end());
  made.output.shape.insert(made.output.shape.end(), data.begin() + axis + 1, data.end());
}

void DrawGatherNd(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape data = DrawDataShape(draw, 1, 1 << 18);
  made.inputs[0].shape = data;
  const std::int32_t rank = RankOf(made.inputs[0]);
  const std::int32_t fixed = draw.random.Between(1, std::min(rank, 5));
  const std::int32_t outer_rank = draw.random.Between(0, std::min(3, kMostRank - std::max(1, rank - fixed)));
  CaseShape& indices = made.inputs[1].shape;
  for (std::int32_t i = 0; i < outer_rank; ++i) indices.push_back(draw.extents.Next(4));
  made.output.shape = indices;
  made.output.shape.insert(made.output.shape.end(), data.begin() + fixed, data.end());
  indices.push_back(fixed);
  std::vector<std::int64_t> values(made.inputs[1].count());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = draw.random.Between(0, data[i % Place(fixed)] - 1);
  SetIntegers(made.inputs[1], values, indices);
}

void DrawEmbeddingLookup(ShapeDraw& draw, OperatorCase& made) {
  made.inputs[1].shape = DrawDataShape(draw, 2, 1 << 18);
  SetIndices(draw, made.inputs[0], {draw.extents.Next(6)}, made.inputs[1].shape[0]);
  made.output.shape = made.inputs[1].shape;
  made.output.shape[0] = made.inputs[0].shape[0];
}

}  // namespace arenaproof
