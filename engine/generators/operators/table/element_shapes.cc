#include <algorithm>

#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {
namespace {

std::int32_t MostRank(const ShapeDraw& draw) { return draw.row.outputs[0].most_rank; }

}  // namespace

void DrawSame(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape shape = draw.extents.Shape(draw.row.outputs[0].least_rank, MostRank(draw));
  for (CaseTensor& input : made.inputs) input.shape = shape;
  made.output.shape = shape;
}

// Each input has the output's extent or 1, and may leave out leading dimensions in which it has 1.
void DrawBroadcast(ShapeDraw& draw, OperatorCase& made) {
  const bool alike = draw.random.OneIn(2);
  const CaseShape shape = draw.extents.Shape(draw.row.outputs[0].least_rank, MostRank(draw));
  made.output.shape = CaseShape(shape.size(), 1);
  for (CaseTensor& input : made.inputs) {
    input.shape = shape;
    if (alike) continue;
    for (std::int32_t& extent : input.shape) extent = draw.random.OneIn(3) ? 1 : extent;
    while (!input.shape.empty() && input.shape.front() == 1 && draw.random.OneIn(2)) {
      input.shape.erase(input.shape.begin());
    }
  }
  std::size_t rank = 0;
  for (const CaseTensor& input : made.inputs) rank = std::max(rank, input.shape.size());
  made.output.shape.assign(rank, 1);
  for (const CaseTensor& input : made.inputs) {
    for (std::size_t i = 0; i < input.shape.size(); ++i) {
      std::int32_t& extent = made.output.shape[rank - input.shape.size() + i];
      extent = std::max(extent, input.shape[i]);
    }
  }
}

// The output's shape is the input's in another arrangement.
void DrawSameCount(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape shape = draw.extents.Shape(0, MostRank(draw));
  made.inputs[0].shape = shape;
  made.output.shape = shape;
  if (draw.random.OneIn(2)) {
    made.output.shape = {static_cast<std::int32_t>(made.inputs[0].count())};
  } else if (shape.size() < static_cast<std::size_t>(MostRank(draw)) && draw.random.OneIn(2)) {
    made.output.shape.insert(made.output.shape.begin(), 1);
  }
}

void DrawLastAxis(ShapeDraw& draw, OperatorCase& made) {
  const std::int32_t most_rank = MostRank(draw) - 1;
  const std::int32_t least_rank = std::max(0, draw.row.outputs[0].least_rank - 1);
  CaseShape shape = draw.extents.Shape(least_rank, most_rank);
  std::int32_t longest = 1 << 18;
  for (const LongestRow& limit : draw.row.longest_rows) {
    if (limit.type == made.inputs[0].type) longest = limit.most;
  }
  shape.push_back(draw.extents.Next(9, longest));
  for (CaseTensor& input : made.inputs) input.shape = shape;
  made.output.shape = shape;
}

}  // namespace arenaproof
