// FILL, ZEROS_LIKE: one raw value everywhere.
#include <cstring>

#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kDims = 0;
constexpr std::size_t kValue = 1;

}  // namespace

Status PrepareFill(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kDims, {TensorType::kInt8, TensorType::kInt16, TensorType::kInt32, TensorType::kInt64}));
  ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, kDims));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kDims, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kOutput, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt32}));
  const Operand& output = context.outputs[0];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kValue, output.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kValue, 0, 0));
  ARENAPROOF_RETURN_IF_ERROR(CheckElementCount(context, kDims, output.rank));
  for (std::size_t axis = 0; axis < output.rank; ++axis) {
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, axis, NumberAt(context.inputs[kDims], axis)));
  }
  return Ok();
}

Status InvokeFill(const InvokeContext& context) {
  const Operand& value = context.inputs[kValue];
  const Operand& output = context.outputs[0];
  for (std::size_t at = 0; at < output.bytes; at += value.bytes) {
    std::memcpy(output.data + at, value.data, value.bytes);
  }
  return Ok();
}

Status PrepareZerosLike(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, 0, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt32, TensorType::kInt64}));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, context.inputs[0].type));
  return CheckSameShape(context, kOutput, 0);
}

// Of int8 too: raw zeros, not the zero point.
Status InvokeZerosLike(const InvokeContext& context) {
  const Operand& output = context.outputs[0];
  if (output.bytes > 0) std::memset(output.data, 0, output.bytes);
  return Ok();
}

}  // namespace arenaproof::reference
