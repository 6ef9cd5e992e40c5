// PACK, UNPACK: equal tensors side by side along an axis that they do not have themselves.
#include <algorithm>

#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"
#include "kernels/reference/parts.h"

namespace arenaproof::reference {
namespace {

// `part` has the shape of `whole` without the axis.
Status CheckPart(const PrepareContext& context, std::size_t part, const Operand& whole, std::size_t axis) {
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, part, whole.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, part, whole.rank - 1u, whole.rank - 1u));
  for (std::size_t i = 0; i + 1 < whole.rank; ++i) {
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, part, i, whole.dims[i < axis ? i : i + 1]));
  }
  return Ok();
}

// The parts are the operands from `first_part` on.
Status Prepare(PrepareContext& context, std::size_t whole, std::int64_t axis, std::size_t first_part,
               std::int64_t count_in_options, std::size_t part_count) {
  const auto count = static_cast<std::int64_t>(part_count);
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kValuesCount, count_in_options, count, count));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, whole, 1, kMaxOperandRank));
  const Operand& subject = OperandAt(context, whole);
  PartsData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  ARENAPROOF_RETURN_IF_ERROR(ResolveAxis(axis, subject.rank, &data->axis));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, whole, data->axis, count));
  for (std::size_t part = 0; part < part_count; ++part) {
    ARENAPROOF_RETURN_IF_ERROR(CheckPart(context, first_part + part, subject, data->axis));
  }
  return Ok();
}

}  // namespace

Status PreparePack(PrepareContext& context) {
  const std::size_t count = context.inputs.size();
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, std::max<std::size_t>(count, 1), count, 1));
  const PackOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(
      context, kOutput,
      {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16, TensorType::kInt32, TensorType::kInt64}));
  return Prepare(context, kOutput, options->axis, 0, options->values_count, count);
}

Status InvokePack(const InvokeContext& context) {
  JoinParts(context.inputs, context.outputs[0], static_cast<const PartsData*>(context.op_data)->axis);
  return Ok();
}

Status PrepareUnpack(PrepareContext& context) {
  const std::size_t count = context.outputs.size();
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, std::max<std::size_t>(count, 1)));
  const UnpackOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, 0, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16, TensorType::kInt32}));
  return Prepare(context, 0, options->axis, kOutput, options->num, count);
}

Status InvokeUnpack(const InvokeContext& context) {
  CutIntoParts(context.inputs[0], static_cast<const PartsData*>(context.op_data)->axis, context.outputs);
  return Ok();
}

}  // namespace arenaproof::reference
