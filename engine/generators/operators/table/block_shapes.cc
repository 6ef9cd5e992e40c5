// Images whose blocks become depth or batches, and back.
#include "engine/generators/operators/table/movement_draws.h"

namespace arenaproof {
namespace {

void DrawDepth(ShapeDraw& draw, std::int32_t block, CaseTensor& wide, CaseTensor& deep) {
  const std::int32_t limit = FarLimit(draw.extents, 4, static_cast<std::size_t>(block * block));
  const auto next = [&](std::int32_t most) { return draw.extents.Next(most, limit); };
  deep.shape = {next(2), next(3), next(3), 0};
  wide.shape = {deep.shape[0], deep.shape[1] * block, deep.shape[2] * block, next(3)};
  deep.shape[3] = wide.shape[3] * block * block;
}

// The image with its margins is a number of blocks high and wide; margins may be larger than a block.
void DrawBatches(ShapeDraw& draw, OperatorCase& made, CaseTensor& large, CaseTensor& small) {
  const bool has_width = draw.random.OneIn(2);
  constexpr std::size_t kMargins = 4;  // make so much of the other dimensions, unless the case is thin
  const std::int32_t limit = FarLimit(draw.extents, has_width ? 4 : 3, UnlessThin(draw, kMargins));
  const auto next = [&](std::int32_t most) { return draw.extents.Next(most, limit); };
  std::vector<std::int64_t> blocks, margins;
  std::int32_t area = 1;
  large.shape = {next(3)};
  small.shape = {0};
  for (std::int32_t axis = 0; axis < (has_width ? 2 : 1); ++axis) {
    const std::int32_t extent = next(5);
    const bool stays = draw.extents.is_thin() && extent == 1;
    const std::int32_t block = stays ? 1 : draw.random.Between(1, 3);
    const std::int32_t before = stays || draw.random.OneIn(2) ? 0 : draw.random.Between(1, 4);
    std::int32_t after = (block - (before + extent) % block) % block;
    if (!stays && draw.random.OneIn(3)) after += block;
    area *= block;
    blocks.push_back(block);
    margins.insert(margins.end(), {before, after});
    large.shape.push_back(extent);
    small.shape.push_back((before + extent + after) / block);
  }
  small.shape[0] = large.shape[0] * area;
  large.shape.push_back(next(3));
  small.shape.push_back(large.shape.back());
  const auto count = static_cast<std::int32_t>(blocks.size());
  SetIntegers(made.inputs[1], blocks, {count});
  SetIntegers(made.inputs[2], margins, {count, 2});
}

// Half of the thin cases are as large before as behind.
std::int32_t DrawBlock(ShapeDraw& draw) {
  return draw.extents.is_thin() && draw.random.OneIn(2) ? 1 : draw.random.Between(1, 4);
}

}  // namespace

void DrawSpaceToDepth(ShapeDraw& draw, OperatorCase& made) {
  const std::int32_t block = DrawBlock(draw);
  std::get<SpaceToDepthOptions>(made.options).block_size = block;
  DrawDepth(draw, block, made.inputs[0], made.output);
}

void DrawDepthToSpace(ShapeDraw& draw, OperatorCase& made) {
  const std::int32_t block = DrawBlock(draw);
  std::get<DepthToSpaceOptions>(made.options).block_size = block;
  DrawDepth(draw, block, made.output, made.inputs[0]);
}

void DrawSpaceToBatch(ShapeDraw& draw, OperatorCase& made) { DrawBatches(draw, made, made.inputs[0], made.output); }

void DrawBatchToSpace(ShapeDraw& draw, OperatorCase& made) { DrawBatches(draw, made, made.output, made.inputs[0]); }

}  // namespace arenaproof
