#include "kernels/reference/resize.h"

#include "kernels/reference/elements.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kImage = 0;
constexpr std::size_t kSize = 1;

}  // namespace

Status PrepareResize(PrepareContext& context, std::initializer_list<TensorType> types, bool align_corners,
                     bool half_pixel_centers, ResizeData** data) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kImage, types));
  const Operand& image = context.inputs[kImage];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, image.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kImage, 4, 4));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kImage));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kSize, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, kSize));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kSize, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckElementCount(context, kSize, 2));
  const ElementReader<std::int32_t> size(context.inputs[kSize]);
  const std::int32_t expected[] = {image.dims[0], size[0], size[1], image.dims[3]};
  ARENAPROOF_RETURN_IF_ERROR(CheckShape(context, kOutput, expected));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kOutput));
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, data));
  **data = {align_corners, half_pixel_centers};
  return Ok();
}

float StepOfResize(std::int32_t from, std::int32_t to, bool align_corners) {
  if (align_corners && to > 1) return static_cast<float>(from - 1) / static_cast<float>(to - 1);
  return static_cast<float>(from) / static_cast<float>(to);
}

}  // namespace arenaproof::reference
