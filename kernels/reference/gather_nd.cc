#include <algorithm>
#include <cstring>

#include "kernels/reference/checks.h"
#include "kernels/reference/dims_copy.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kMostCoordinates = 5;
constexpr std::size_t kData = 0;
constexpr std::size_t kIndicesOperand = 1;

// The last dimension of the indices: how many of the data's dimensions each of them fixes.
std::size_t CoordinateCount(const Operand& indices) {
  return static_cast<std::size_t>(indices.dims[indices.rank - 1u]);
}

// Each coordinate against its own dimension; the reference looks at the place alone that they make together.
Status CheckCoordinates(const Operand& data, const Operand& indices) {
  const ElementReader<std::int32_t> index(indices);
  const std::size_t count = CoordinateCount(indices);
  const std::size_t total = indices.element_count();
  for (std::size_t i = 0; i < total; ++i) {
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kIndicesOperand, i, index[i], 0, data.dims[i % count] - 1));
  }
  return Ok();
}

}  // namespace

Status PrepareGatherNd(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kData, {TensorType::kFloat32, TensorType::kInt8}));
  const Operand& data = context.inputs[kData];
  const Operand& indices = context.inputs[kIndicesOperand];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, data.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kIndicesOperand, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kData, 1, kMaxOperandRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kIndicesOperand, 1, kMaxOperandRank));
  const std::size_t most = std::min<std::size_t>(data.rank, kMostCoordinates);
  const std::size_t count = CoordinateCount(indices);
  const std::size_t outer_rank = indices.rank - 1u;
  if (count > most) {
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kIndicesOperand, outer_rank, static_cast<std::int64_t>(most)));
  }
  const std::size_t rank = outer_rank + data.rank - count;
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, rank, rank));
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int32_t expected = axis < outer_rank ? indices.dims[axis] : data.dims[axis - outer_rank + count];
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, axis, expected));
  }
  if (indices.constant) ARENAPROOF_RETURN_IF_ERROR(CheckCoordinates(data, indices));
  return CopyOutputDims(context);
}

Status InvokeGatherNd(const InvokeContext& context) {
  const Operand& data = context.inputs[kData];
  const Operand& indices = context.inputs[kIndicesOperand];
  const Operand& output = context.outputs[0];
  ARENAPROOF_RETURN_IF_ERROR(CheckCoordinates(data, indices));
  if (output.bytes == 0) return Ok();
  const std::size_t count = CoordinateCount(indices);
  std::size_t slice_bytes = ElementBytes(data.type);
  for (std::size_t axis = count; axis < data.rank; ++axis) slice_bytes *= static_cast<std::size_t>(data.dims[axis]);
  const std::size_t slice_count = output.bytes / slice_bytes;
  const ElementReader<std::int32_t> index(indices);
  for (std::size_t slice = 0; slice < slice_count; ++slice) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < count; ++axis) {
      place = place * static_cast<std::size_t>(data.dims[axis]) + static_cast<std::size_t>(index[slice * count + axis]);
    }
    std::memcpy(output.data + slice * slice_bytes, data.data + place * slice_bytes, slice_bytes);
  }
  return Ok();
}

}  // namespace arenaproof::reference
