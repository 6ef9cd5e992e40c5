// SPLIT, SPLIT_V: parts of a tensor along an axis that is a constant operand. How long each part is, the outputs'
// shapes say; the operand with the sizes and the option num_splits are not read.
#include <algorithm>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/parts.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kSplitAxis = 0;
constexpr std::size_t kSplitData = 1;
constexpr std::size_t kSplitVData = 0;
constexpr std::size_t kSplitVAxis = 2;

// All outputs together are the data, cut along the axis.
Status Prepare(PrepareContext& context, std::size_t input, std::size_t axis_operand, PartsData** made) {
  const std::size_t count = context.outputs.size();
  const std::size_t input_count = std::max(input, axis_operand) + 1;
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, input_count, input_count, std::max<std::size_t>(count, 1)));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, input, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16, TensorType::kInt32}));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, axis_operand, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, axis_operand));
  ARENAPROOF_RETURN_IF_ERROR(CheckElementCount(context, axis_operand, 1));
  const Operand& data = context.inputs[input];
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, made));
  const std::int32_t axis = ElementReader<std::int32_t>(context.inputs[axis_operand])[0];
  ARENAPROOF_RETURN_IF_ERROR(ResolveAxis(axis, data.rank, &(*made)->axis));
  std::int64_t total = 0;
  for (std::size_t part = 0; part < count; ++part) {
    const std::size_t output = kOutput + part;
    ARENAPROOF_RETURN_IF_ERROR(CheckType(context, output, data.type));
    ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, output, data.rank, data.rank));
    for (std::size_t other = 0; other < data.rank; ++other) {
      if (other != (*made)->axis) ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, output, other, data.dims[other]));
    }
    total += context.outputs[part].dims[(*made)->axis];
  }
  return CheckExtent(context, input, (*made)->axis, total);
}

}  // namespace

Status PrepareSplit(PrepareContext& context) {
  PartsData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(Prepare(context, kSplitData, kSplitAxis, &data));
  const std::int64_t first = context.outputs[0].dims[data->axis];
  for (std::size_t part = 1; part < context.outputs.size(); ++part) {
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput + part, data->axis, first));
  }
  return Ok();
}

Status PrepareSplitV(PrepareContext& context) {
  PartsData* data = nullptr;
  return Prepare(context, kSplitVData, kSplitVAxis, &data);
}

Status InvokeSplit(const InvokeContext& context) {
  CutIntoParts(context.inputs[kSplitData], static_cast<const PartsData*>(context.op_data)->axis, context.outputs);
  return Ok();
}

Status InvokeSplitV(const InvokeContext& context) {
  CutIntoParts(context.inputs[kSplitVData], static_cast<const PartsData*>(context.op_data)->axis, context.outputs);
  return Ok();
}

}  // namespace arenaproof::reference
