#include <algorithm>

#include "engine/generators/operators/table/arithmetic_operands.h"
#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {
namespace {

std::int32_t MostRank(const ShapeDraw& draw) { return draw.row.outputs[0].most_rank; }

// The same extents, or in another order; then neighbours made one, and extents of 1 put in.
CaseShape Rearranged(CaseRandom& random, CaseShape shape, std::size_t most_rank) {
  if (random.OneIn(4)) return shape;
  if (random.OneIn(2)) random.Shuffle(shape);
  while (shape.size() > 1 && random.OneIn(2)) {
    const auto at = static_cast<std::ptrdiff_t>(random.Below(shape.size() - 1));
    shape[static_cast<std::size_t>(at)] *= shape[static_cast<std::size_t>(at) + 1];
    shape.erase(shape.begin() + at + 1);
  }
  while (shape.size() < most_rank && random.OneIn(2)) {
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(random.Below(shape.size() + 1)), 1);
  }
  return shape;
}

// One of the extents, so that some hundreds of elements meet: there are roundings that few of them take.
void Lengthen(CaseRandom& random, CaseShape& shape) {
  constexpr std::int32_t kMostElements = 1000;
  std::int32_t count = 1;
  for (const std::int32_t extent : shape) count *= extent;
  if (!shape.empty()) shape[random.Below(shape.size())] *= random.Between(1, std::max(1, kMostElements / count));
}

// An input whose elements are wider than the output's, repeated until the output has as many bytes: whoever compares
// bytes alone takes them for operands of one shape. False, with nothing changed, where there is no such input.
bool RepeatToAsManyBytes(ShapeDraw& draw, const CaseShape& shape, OperatorCase& made) {
  const std::size_t wide = ElementBytes(made.inputs[0].type) / ElementBytes(made.output.type);
  if (wide < 2 || made.inputs.size() != 2 || shape.size() >= static_cast<std::size_t>(MostRank(draw))) return false;
  const std::size_t repeated = draw.random.Below(2);
  const auto at = static_cast<std::ptrdiff_t>(draw.random.Below(shape.size() + 1));
  for (CaseTensor* tensor : {&made.inputs[repeated], &made.inputs[1 - repeated], &made.output}) {
    tensor->shape = shape;
    tensor->shape.insert(tensor->shape.begin() + at,
                         tensor == &made.inputs[repeated] ? 1 : static_cast<std::int32_t>(wide));
  }
  return true;
}

}  // namespace

void DrawSame(ShapeDraw& draw, OperatorCase& made) {
  CaseShape shape = draw.extents.Shape(draw.row.outputs[0].least_rank, MostRank(draw));
  draw.extents.MakeEmptySometimes(shape);
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
  if (alike) draw.extents.MakeEmptySometimes(shape);
  const bool wider = ElementBytes(made.inputs[0].type) > ElementBytes(made.output.type);
  if (wider && draw.extents.far_extent() == 0 && random.OneIn(4) && RepeatToAsManyBytes(draw, shape, made)) {
    return DrawArithmeticOperands(draw, made);
  }
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
      if (input.shape[i] != 1) extent = input.shape[i];
    }
  }
  if (made.code == BuiltinOperator::kSelectV2 && draw.extents.far_extent() == 0 && random.OneIn(16)) {
    const auto any_rank = [&] { return CaseShape(static_cast<std::size_t>(random.Between(0, most_rank)), 1); };
    for (CaseTensor& input : made.inputs) input.shape = any_rank();
    made.output.shape = any_rank();
  }
  DrawArithmeticOperands(draw, made);
}

// The output's shape is the input's in another arrangement. A second operand that gives it is not read: half of the
// time it says something else.
void DrawSameCount(ShapeDraw& draw, OperatorCase& made) {
  const CaseShape shape = draw.extents.Shape(0, MostRank(draw));
  made.inputs[0].shape = shape;
  made.output.shape = Rearranged(draw.random, shape, static_cast<std::size_t>(MostRank(draw)));
  if (made.inputs.size() < 2 || !made.inputs[1].present) return;
  std::vector<std::int64_t> extents(made.output.shape.begin(), made.output.shape.end());
  if (extents.empty()) extents.push_back(1);
  if (draw.random.OneIn(2)) extents[draw.random.Below(extents.size())] = draw.random.Between(-2, 3);
  const auto count = static_cast<std::int32_t>(extents.size());
  SetIntegers(made.inputs[1], extents, {count});
}

// Without a far extent up to 243 rows of up to 9, which fit an arena.
void DrawLastAxis(ShapeDraw& draw, OperatorCase& made) {
  const std::int32_t most_rank = MostRank(draw) - 1;
  const std::int32_t least_rank = std::max(0, draw.row.outputs[0].least_rank - 1);
  CaseShape shape = draw.extents.Shape(least_rank, most_rank, 3);
  std::int32_t longest = 1 << 18;
  for (const LongestRow& limit : draw.row.longest_rows) {
    if (limit.type == made.inputs[0].type) longest = limit.most;
  }
  shape.push_back(draw.extents.Next(9, longest));
  for (CaseTensor& input : made.inputs) input.shape = shape;
  made.output.shape = shape;
}

}  // namespace arenaproof
