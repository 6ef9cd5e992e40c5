#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "engine/generators/operators/table/movement_draws.h"

namespace arenaproof {
namespace {

struct AxisDraw {
  std::int32_t begin, end, stride;
};

bool Has(std::int32_t mask, std::size_t axis) { return (mask >> axis) % 2 != 0; }

std::int32_t DrawMask(CaseRandom& random) { return random.OneIn(2) ? 0 : random.Between(0, 15); }

// Inside the axis, from either end, or beyond it.
std::int32_t DrawPlace(CaseRandom& random, std::int32_t extent) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (random.OneIn(16)) return random.OneIn(2) ? Limits::max() : Limits::min();
  return random.OneIn(3) ? random.Between(-extent - 2, extent + 2) : random.Between(-extent, extent);
}

std::int32_t DrawStride(CaseRandom& random) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (random.OneIn(24)) return random.OneIn(2) ? Limits::max() : Limits::min();
  const std::int32_t length = random.OneIn(2) ? 1 : random.Between(2, 4);
  return random.OneIn(2) ? length : -length;
}

// As many elements as are met from begin to end, counted one by one.
std::int32_t CountOf(const StridedSliceOptions& options, std::size_t axis, std::int32_t extent, const AxisDraw& drawn) {
  const bool forward = drawn.stride > 0;
  const auto place = [&](std::int32_t named) {
    const std::int64_t from_start = named < 0 ? std::int64_t{named} + extent : named;
    return std::clamp<std::int64_t>(from_start, forward ? 0 : -1, forward ? extent : extent - 1);
  };
  const std::int64_t begin = Has(options.begin_mask, axis) ? (forward ? 0 : extent - 1) : place(drawn.begin);
  const std::int64_t end = Has(options.end_mask, axis) ? (forward ? extent : -1) : place(drawn.end);
  std::int32_t count = 0;
  for (std::int64_t at = begin; forward ? at < end : at > end; at += drawn.stride) ++count;
  return count;
}

// A shrunk axis goes forwards from one of its elements.
AxisDraw DrawStridedAxis(ShapeDraw& draw, const StridedSliceOptions& options, std::size_t axis, std::int32_t extent,
                         bool may_be_empty) {
  AxisDraw drawn{};
  do {
    drawn = {DrawPlace(draw.random, extent), DrawPlace(draw.random, extent), DrawStride(draw.random)};
    if (!Has(options.shrink_axis_mask, axis)) continue;
    drawn.stride = drawn.stride > 0 ? drawn.stride : 1;
    if (drawn.begin >= extent) drawn.begin = extent - 1;
  } while (!may_be_empty && !Has(options.shrink_axis_mask, axis) && CountOf(options, axis, extent, drawn) == 0);
  return drawn;
}

std::int32_t NumberAt(const CaseTensor& list, std::size_t axis) {
  std::int32_t number = 0;
  std::memcpy(&number, &list.bytes[axis * sizeof number], sizeof number);
  return number;
}

}  // namespace

CaseShape StridedSliceShape(const OperatorCase& made) {
  const auto& options = std::get<StridedSliceOptions>(made.options);
  const CaseShape& shape = made.inputs[0].shape;
  CaseShape left;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (Has(options.shrink_axis_mask, axis)) continue;
    const AxisDraw drawn{NumberAt(made.inputs[1], axis), NumberAt(made.inputs[2], axis),
                         NumberAt(made.inputs[3], axis)};
    left.push_back(CountOf(options, axis, shape[axis], drawn));
  }
  return left;
}

// A window of one dimension may be empty; with more no output may be.
void DrawStridedSlice(ShapeDraw& draw, OperatorCase& made) {
  auto& options = std::get<StridedSliceOptions>(made.options);
  options.begin_mask = DrawMask(draw.random);
  options.end_mask = DrawMask(draw.random);
  options.shrink_axis_mask = DrawMask(draw.random);
  CaseShape& shape = made.inputs[0].shape;
  shape = DrawShapeOfRanks(draw, 1, draw.row.inputs[0].most_rank);
  const bool may_be_empty = shape.size() == 1 && draw.random.OneIn(8);
  std::vector<std::int64_t> numbers[3];
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const AxisDraw drawn = DrawStridedAxis(draw, options, axis, shape[axis], may_be_empty);
    numbers[0].push_back(drawn.begin);
    numbers[1].push_back(drawn.end);
    numbers[2].push_back(drawn.stride);
    if (Has(options.shrink_axis_mask, axis)) continue;
    made.output.shape.push_back(CountOf(options, axis, shape[axis], drawn));
  }
  for (std::size_t i = 0; i < 3; ++i)
    SetIntegers(made.inputs[1 + i], numbers[i], {static_cast<std::int32_t>(shape.size())});
}

}  // namespace arenaproof
