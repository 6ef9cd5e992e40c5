#include <algorithm>

#include "engine/generators/operators/table/arithmetic_operands.h"
#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {
namespace {

std::int32_t MostRank(const ShapeDraw& draw) { return draw.row.outputs[0].most_rank; }

// One of the extents, so that some hundreds of elements meet: there are roundings that few of them take.
void Lengthen(CaseRandom& random, CaseShape& shape) {
  constexpr std::int32_t kMostElements = 1000;
  std::int32_t count = 1;
  for (const std::int32_t extent : shape) count *= extent;
  if (!shape.empty()) shape[random.Below(shape.size())] *= random.Between(1, std::max(1, kMostElements / count));
}

}  // namespace

void DrawSame(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape shape = draw.extents.Shape(draw.row.outputs[0].least_rank, MostRank(draw));
  for (CaseTensor& input : made.inputs) input.shape = shape;
  made.output.shape = shape;
}

// Each input has the output's extent or 1, and may leave out leading dimensions in which it has 1. Floats of PRELU have
// no more than 4; the single values of SELECT_V2 have any number of them.
void DrawBroadcast(ShapeDraw& draw, OperatorCase& made) {
  CaseRandom& random = draw.random;
  const bool alike = random.OneIn(3);
  const bool float_prelu = made.code == BuiltinOperator::kPrelu && made.output.type == TensorType::kFloat32;
  const std::int32_t most_rank = float_prelu ? 4 : MostRank(draw);
  CaseShape shape = draw.extents.Shape(draw.row.outputs[0].least_rank, most_rank);
  if (draw.extents.far_extent() == 0 && random.OneIn(3)) Lengthen(random, shape);
  std::size_t rank = 0;
  for (CaseTensor& input : made.inputs) {
    input.shape = shape;
    if (alike) continue;
    for (std::int32_t& extent : input.shape) extent = random.OneIn(3) ? 1 : extent;
    while (!input.shape.empty() && input.shape.front() == 1 && random.OneIn(2)) {
      input.shape.erase(input.shape.begin());
    }
  }
  for (const CaseTensor& input : made.inputs) rank = std::max(rank, input.shape.size());
  made.output.shape.assign(rank, 1);
  for (const CaseTensor& input : made.inputs) {
    for (std::size_t i = 0; i < input.shape.size(); ++i) {
      std::int32_t& extent = made.output.shape[rank - input.shape.size() + i];
      extent = std::max(extent, input.shape[i]);
    }
  }
  if (made.code == BuiltinOperator::kSelectV2 && draw.extents.far_extent() == 0 && random.OneIn(16)) {
    const auto any_rank = [&] { return CaseShape(static_cast<std::size_t>(random.Between(0, most_rank)), 1); };
    for (CaseTensor& input : made.inputs) input.shape = any_rank();
    made.output.shape = any_rank();
  }
  DrawArithmeticOperands(draw, made);
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
  const CaseShape shape =
      draw.extents.Shape(std::max<std::int32_t>(1, draw.row.outputs[0].least_rank), MostRank(draw), 9);
  for (CaseTensor& input : made.inputs) input.shape = shape;
  made.output.shape = shape;
}

}  // namespace arenaproof
