// SPACE_TO_DEPTH, DEPTH_TO_SPACE: a block of b x b places of the wide image, with all their channels, is one place of
// the deep one.
#include <algorithm>

#include "kernels/reference/checks.h"
#include "kernels/reference/dims_copy.h"
#include "kernels/reference/families.h"
#include "kernels/reference/strided_copy.h"

namespace arenaproof::reference {
namespace {

constexpr std::int64_t kMostExtent = 0x7FFFFFFF;

// A product of two extents that stays comparable when it has left their range.
std::int64_t Times(std::int64_t extent, std::int64_t factor) { return std::min(extent * factor, kMostExtent + 1); }

// `wide` and `deep` are status numbers of the operands.
Status Check(PrepareContext& context, std::int32_t block, std::size_t wide, std::size_t deep) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kBlockSize, block, 1, kMostExtent));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, 0, {TensorType::kFloat32, TensorType::kInt8}));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, context.inputs[0].type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, 0, 4, 4));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, 4, 4));
  const Operand& image = OperandAt(context, wide);
  const Operand& blocks = OperandAt(context, deep);
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, deep, 0, image.dims[0]));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, wide, 1, Times(blocks.dims[1], block)));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, wide, 2, Times(blocks.dims[2], block)));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, deep, 3, Times(Times(image.dims[3], block), block)));
  return CopyOutputDims(context);
}

}  // namespace

Status PrepareSpaceToDepth(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  const SpaceToDepthOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  return Check(context, options->block_size, 0, kOutput);
}

Status PrepareDepthToSpace(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  const DepthToSpaceOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  return Check(context, options->block_size, kOutput, 0);
}

Status InvokeSpaceToDepth(const InvokeContext& context) {
  const Operand& wide = context.inputs[0];
  const Operand& deep = context.outputs[0];
  if (deep.bytes == 0) return Ok();
  const std::ptrdiff_t block = wide.dims[1] / deep.dims[1];
  const auto strides = ElementStrides(wide);
  StridedSource source;
  for (std::size_t axis = 0; axis < 3; ++axis) source.extents[axis] = static_cast<std::size_t>(deep.dims[axis]);
  source.extents[3] = source.extents[4] = static_cast<std::size_t>(block);
  source.extents[5] = static_cast<std::size_t>(wide.dims[3]);
  source.strides = {strides[0], block * strides[1], block * strides[2], strides[1], strides[2], 1};
  CopyStrided(source, wide, deep);
  return Ok();
}

Status InvokeDepthToSpace(const InvokeContext& context) {
  const Operand& deep = context.inputs[0];
  const Operand& wide = context.outputs[0];
  if (wide.bytes == 0) return Ok();
  const std::ptrdiff_t block = wide.dims[1] / deep.dims[1];
  const std::ptrdiff_t channels = wide.dims[3];
  const auto strides = ElementStrides(deep);
  StridedSource source;
  source.extents[0] = static_cast<std::size_t>(deep.dims[0]);
  source.extents[1] = static_cast<std::size_t>(deep.dims[1]);
  source.extents[3] = static_cast<std::size_t>(deep.dims[2]);
  source.extents[2] = source.extents[4] = static_cast<std::size_t>(block);
  source.extents[5] = static_cast<std::size_t>(channels);
  source.strides = {strides[0], strides[1], block * channels, strides[2], channels, 1};
  CopyStrided(source, deep, wide);
  return Ok();
}

}  // namespace arenaproof::reference
