// BATCH_TO_SPACE_ND, SPACE_TO_BATCH_ND: a large image with few batches and the small images that it is cut into, place
// by place of a block. An image of three dimensions has no width.
#include <cstring>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kImage = 0;
constexpr std::size_t kBlock = 1;
constexpr std::size_t kMargins = 2;  // crops, paddings: before and after each spatial dimension
constexpr std::int64_t kMostExtent = 0x7FFFFFFF;

struct SpaceToBatchData {
  std::int8_t fill = 0;  // of int8: the output's zero point
};
ARENAPROOF_PIN_BYTES(SpaceToBatchData, 1, 1, 1, 1);

// The spatial dimensions of both sides, 1 for a width that is not there.
struct Grid {
  std::int64_t block[2] = {1, 1};
  std::int64_t before[2] = {0, 0};
  std::int64_t large[2] = {1, 1};
  std::int64_t small[2] = {1, 1};
  std::int64_t large_batches = 0;
  std::int64_t small_batches = 0;
};

Status ReadGrid(std::span<const Operand> inputs, const Operand& large, const Operand& small, Grid* grid) {
  const ElementReader<std::int32_t> block(inputs[kBlock]);
  const ElementReader<std::int32_t> margins(inputs[kMargins]);
  const std::size_t spatial = large.rank - 2u;
  for (std::size_t i = 0; i < spatial; ++i) {
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kBlock, i, block[i], 1, kMostExtent));
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kMargins, 2 * i, margins[2 * i], 0, kMostExtent));
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kMargins, 2 * i + 1, margins[2 * i + 1], 0, kMostExtent));
    grid->block[i] = block[i];
    grid->before[i] = margins[2 * i];
    grid->large[i] = large.dims[1 + i];
    grid->small[i] = small.dims[1 + i];
    const std::int64_t after = grid->small[i] * grid->block[i] - grid->large[i] - grid->before[i];
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kMargins, 2 * i + 1, margins[2 * i + 1], after, after));
  }
  grid->large_batches = large.dims[0];
  grid->small_batches = small.dims[0];
  const std::int64_t area = grid->block[0] * grid->block[1];
  if (area > kMostExtent || grid->large_batches * area != grid->small_batches) {
    return Failure(StatusCode::kKernelIndex, kBlock, spatial - 1, grid->block[spatial - 1],
                   grid->large_batches == 0 ? 0 : grid->small_batches / grid->large_batches);
  }
  return Ok();
}

Status Prepare(const PrepareContext& context, std::size_t large, std::size_t small) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 3, 3, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kImage, {TensorType::kFloat32, TensorType::kInt8}));
  const Operand& image = context.inputs[kImage];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, image.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kImage, 3, 4));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, image.rank, image.rank));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, image.rank - 1u, image.dims[image.rank - 1u]));
  const std::int32_t margins[] = {image.rank - 2, 2};
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kBlock, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kMargins, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckShape(context, kBlock, std::span(margins).first(1)));
  ARENAPROOF_RETURN_IF_ERROR(CheckShape(context, kMargins, margins));
  Grid grid;
  const bool known = context.inputs[kBlock].constant && context.inputs[kMargins].constant;
  return known ? ReadGrid(context.inputs, OperandAt(context, large), OperandAt(context, small), &grid) : Ok();
}

std::size_t PixelBytes(const Operand& image) {
  return static_cast<std::size_t>(image.dims[image.rank - 1u]) * ElementBytes(image.type);
}

// The number of the pixel at a place of the side with these extents.
std::size_t PixelAt(std::int64_t batch, std::int64_t row, std::int64_t column, const std::int64_t (&extents)[2]) {
  return static_cast<std::size_t>((batch * extents[0] + row) * extents[1] + column);
}

void FillPixel(const Operand& output, std::byte* pixel, std::size_t bytes, std::int8_t fill) {
  // All bytes of the float 0.0 are 0.
  std::memset(pixel, output.type == TensorType::kInt8 ? fill : 0, bytes);
}

}  // namespace

Status PrepareBatchToSpaceNd(PrepareContext& context) { return Prepare(context, kOutput, kImage); }

Status PrepareSpaceToBatchNd(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(Prepare(context, kImage, kOutput));
  SpaceToBatchData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  if (context.outputs[0].type != TensorType::kInt8) return Ok();
  Affine affine;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &affine));
  data->fill = static_cast<std::int8_t>(affine.zero_point);
  return Ok();
}

Status InvokeBatchToSpaceNd(const InvokeContext& context) {
  const Operand& small = context.inputs[kImage];
  const Operand& large = context.outputs[0];
  Grid grid;
  ARENAPROOF_RETURN_IF_ERROR(ReadGrid(context.inputs, large, small, &grid));
  const std::size_t pixel_bytes = PixelBytes(large);
  if (large.bytes == 0) return Ok();
  std::byte* to = large.data;
  for (std::int64_t batch = 0; batch < grid.large_batches; ++batch) {
    for (std::int64_t y = grid.before[0]; y < grid.before[0] + grid.large[0]; ++y) {
      for (std::int64_t x = grid.before[1]; x < grid.before[1] + grid.large[1]; ++x) {
        const std::int64_t place = y % grid.block[0] * grid.block[1] + x % grid.block[1];
        const std::size_t pixel =
            PixelAt(place * grid.large_batches + batch, y / grid.block[0], x / grid.block[1], grid.small);
        std::memcpy(to, small.data + pixel * pixel_bytes, pixel_bytes);
        to += pixel_bytes;
      }
    }
  }
  return Ok();
}

Status InvokeSpaceToBatchNd(const InvokeContext& context) {
  const Operand& large = context.inputs[kImage];
  const Operand& small = context.outputs[0];
  const std::int8_t fill = static_cast<const SpaceToBatchData*>(context.op_data)->fill;
  Grid grid;
  ARENAPROOF_RETURN_IF_ERROR(ReadGrid(context.inputs, large, small, &grid));
  const std::size_t pixel_bytes = PixelBytes(small);
  if (small.bytes == 0) return Ok();
  std::byte* to = small.data;
  for (std::int64_t batch = 0; batch < grid.small_batches; ++batch) {
    const std::int64_t place = batch / grid.large_batches;
    for (std::int64_t row = 0; row < grid.small[0]; ++row) {
      const std::int64_t y = row * grid.block[0] + place / grid.block[1] - grid.before[0];
      for (std::int64_t column = 0; column < grid.small[1]; ++column) {
        const std::int64_t x = column * grid.block[1] + place % grid.block[1] - grid.before[1];
        if (y < 0 || y >= grid.large[0] || x < 0 || x >= grid.large[1]) {
          FillPixel(small, to, pixel_bytes, fill);
        } else {
          const std::size_t pixel = PixelAt(batch % grid.large_batches, y, x, grid.large);
          std::memcpy(to, large.data + pixel * pixel_bytes, pixel_bytes);
        }
        to += pixel_bytes;
      }
    }
  }
  return Ok();
}

}  // namespace arenaproof::reference
