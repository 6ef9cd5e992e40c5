#include <algorithm>
#include <cstring>

#include "kernels/reference/checks.h"
#include "kernels/reference/dims_copy.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kData = 0;
constexpr std::size_t kIndicesOperand = 1;

struct GatherData {
  std::uint32_t axis = 0;
  std::uint32_t batch_dims = 0;
};
ARENAPROOF_PIN_BYTES(GatherData, 8, 4, 8, 4);

std::size_t Product(const Operand& operand, std::size_t first, std::size_t end) {
  std::size_t product = 1;
  for (std::size_t axis = first; axis < end; ++axis) product *= static_cast<std::size_t>(operand.dims[axis]);
  return product;
}

// data[:axis] + indices[batch_dims:] + data[axis + 1:]
Status CheckOutputShape(const PrepareContext& context, const GatherData& gather) {
  const Operand& data = context.inputs[kData];
  const Operand& indices = context.inputs[kIndicesOperand];
  const std::size_t inserted = indices.rank - gather.batch_dims;
  const std::size_t rank = data.rank - 1u + inserted;
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, rank, rank));
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::int32_t expected = 0;
    if (axis < gather.axis) {
      expected = data.dims[axis];
    } else if (axis < gather.axis + inserted) {
      expected = indices.dims[axis - gather.axis + gather.batch_dims];
    } else {
      expected = data.dims[axis - inserted + 1];
    }
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, axis, expected));
  }
  return Ok();
}

}  // namespace

Status PrepareGather(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const GatherOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kData, {TensorType::kFloat32, TensorType::kInt8}));
  const Operand& data = context.inputs[kData];
  const Operand& indices = context.inputs[kIndicesOperand];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, data.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kIndicesOperand, TensorType::kInt32));
  std::size_t axis = 0;
  ARENAPROOF_RETURN_IF_ERROR(ResolveAxis(options->axis, data.rank, &axis));
  // Counts back from the indices' rank when negative.
  const std::int64_t indices_rank = indices.rank;
  const std::int64_t most = std::min(indices_rank, static_cast<std::int64_t>(axis));
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kBatchDimensions, options->batch_dims, -indices_rank, most));
  const std::int64_t batch_dims = options->batch_dims + (options->batch_dims < 0 ? indices_rank : 0);
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kBatchDimensions, batch_dims, 0, most));
  GatherData* gather = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &gather));
  *gather = {static_cast<std::uint32_t>(axis), static_cast<std::uint32_t>(batch_dims)};
  for (std::size_t batch = 0; batch < gather->batch_dims; ++batch) {
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kIndicesOperand, batch, data.dims[batch]));
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckOutputShape(context, *gather));
  if (indices.constant) ARENAPROOF_RETURN_IF_ERROR(CheckIndices(indices, kIndicesOperand, data.dims[axis]));
  return CopyOutputDims(context);
}

Status InvokeGather(const InvokeContext& context) {
  const auto& gather = *static_cast<const GatherData*>(context.op_data);
  const Operand& data = context.inputs[kData];
  const Operand& indices = context.inputs[kIndicesOperand];
  const Operand& output = context.outputs[0];
  const auto extent = static_cast<std::size_t>(data.dims[gather.axis]);
  ARENAPROOF_RETURN_IF_ERROR(CheckIndices(indices, kIndicesOperand, data.dims[gather.axis]));
  if (output.bytes == 0) return Ok();
  const std::size_t batch_count = Product(data, 0, gather.batch_dims);
  const std::size_t outer_count = Product(data, gather.batch_dims, gather.axis);
  const std::size_t index_count = Product(indices, gather.batch_dims, indices.rank);
  const std::size_t slice_bytes = Product(data, gather.axis + 1, data.rank) * ElementBytes(data.type);
  const ElementReader<std::int32_t> index(indices);
  std::byte* to = output.data;
  for (std::size_t batch = 0; batch < batch_count; ++batch) {
    for (std::size_t outer = 0; outer < outer_count; ++outer) {
      const std::byte* const from = data.data + (batch * outer_count + outer) * extent * slice_bytes;
      for (std::size_t i = 0; i < index_count; ++i) {
        const auto place = static_cast<std::size_t>(index[batch * index_count + i]);
        std::memcpy(to, from + place * slice_bytes, slice_bytes);
        to += slice_bytes;
      }
    }
  }
  return Ok();
}

}  // namespace arenaproof::reference
