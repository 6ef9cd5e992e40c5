#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"
#include "kernels/reference/strided_copy.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kMostRank = 5;
constexpr std::size_t kData = 0;
constexpr std::size_t kBegin = 1;
constexpr std::size_t kSize = 2;
constexpr std::int64_t kToTheEnd = -1;

// The window of the output's extents lies inside the data.
Status CheckWindow(std::span<const Operand> inputs, const Operand& output) {
  for (std::size_t axis = 0; axis < output.rank; ++axis) {
    const std::int64_t extent = output.dims[axis];
    const std::int64_t last = inputs[kData].dims[axis] - extent;
    const std::int64_t size = NumberAt(inputs[kSize], axis);
    if (size != kToTheEnd) ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kSize, axis, size, extent, extent));
    const std::int64_t least = size == kToTheEnd ? last : 0;
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kBegin, axis, NumberAt(inputs[kBegin], axis), least, last));
  }
  return Ok();
}

}  // namespace

Status PrepareSlice(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 3, 3, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(
      context, kData,
      {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16, TensorType::kInt32, TensorType::kBool}));
  const Operand& input = context.inputs[kData];
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kData, 0, kMostRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, input.rank, input.rank));
  ARENAPROOF_RETURN_IF_ERROR(CheckNumberList(context, kBegin, input.rank));
  // The reference reads both as the type of the first.
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kSize, context.inputs[kBegin].type));
  ARENAPROOF_RETURN_IF_ERROR(CheckNumberList(context, kSize, input.rank));
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    const std::int32_t extent = context.outputs[0].dims[axis];
    if (extent > input.dims[axis]) ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, axis, input.dims[axis]));
  }
  const bool known = context.inputs[kBegin].constant && context.inputs[kSize].constant;
  return known ? CheckWindow(context.inputs, context.outputs[0]) : Ok();
}

Status InvokeSlice(const InvokeContext& context) {
  const Operand& input = context.inputs[kData];
  const Operand& output = context.outputs[0];
  ARENAPROOF_RETURN_IF_ERROR(CheckWindow(context.inputs, output));
  if (output.bytes == 0) return Ok();
  StridedSource source;
  source.strides = ElementStrides(input);
  for (std::size_t axis = 0; axis < output.rank; ++axis) {
    source.extents[axis] = static_cast<std::size_t>(output.dims[axis]);
    source.first += static_cast<std::ptrdiff_t>(NumberAt(context.inputs[kBegin], axis)) * source.strides[axis];
  }
  CopyStrided(source, input, output);
  return Ok();
}

}  // namespace arenaproof::reference
