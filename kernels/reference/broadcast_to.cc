#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"
#include "kernels/reference/strided_copy.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kMostRank = 5;
constexpr std::size_t kData = 0;
constexpr std::size_t kShape = 1;

}  // namespace

Status PrepareBroadcastTo(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const Operand& input = context.inputs[kData];
  const Operand& output = context.outputs[0];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, 0, kMostRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kData, 0, output.rank));
  ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, kShape));
  ARENAPROOF_RETURN_IF_ERROR(CheckNumberList(context, kShape, output.rank));
  for (std::size_t axis = 0; axis < output.rank; ++axis) {
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, axis, NumberAt(context.inputs[kShape], axis)));
  }
  const std::size_t missing = static_cast<std::size_t>(output.rank - input.rank);
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    if (input.dims[axis] == 1) continue;
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kData, axis, output.dims[missing + axis]));
  }
  return Ok();
}

Status InvokeBroadcastTo(const InvokeContext& context) {
  const Operand& input = context.inputs[kData];
  const Operand& output = context.outputs[0];
  if (output.bytes == 0) return Ok();
  const auto strides = ElementStrides(input);
  const std::size_t missing = static_cast<std::size_t>(output.rank - input.rank);
  StridedSource source;
  for (std::size_t axis = 0; axis < output.rank; ++axis) {
    source.extents[axis] = static_cast<std::size_t>(output.dims[axis]);
    if (axis >= missing && input.dims[axis - missing] != 1) source.strides[axis] = strides[axis - missing];
  }
  CopyStrided(source, input, output);
  return Ok();
}

}  // namespace arenaproof::reference
