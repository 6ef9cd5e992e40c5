// RESHAPE, EXPAND_DIMS, SQUEEZE: a copy. The output tensor's shape counts; the second operand and the options are not
// read.
#include <cstring>

#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

Status CheckSameElements(const PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, OperandAt(context, 0).type));
  return CheckElementCount(context, kOutput, OperandAt(context, 0).element_count());
}

}  // namespace

Status PrepareReshape(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 2, 1));
  return CheckSameElements(context);
}

Status PrepareExpandDims(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  return CheckSameElements(context);
}

Status PrepareSqueeze(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  return CheckSameElements(context);
}

Status InvokeReshape(const InvokeContext& context) {
  const Operand& input = context.inputs[0];
  const Operand& output = context.outputs[0];
  if (output.data != input.data && input.bytes > 0) std::memcpy(output.data, input.data, input.bytes);
  return Ok();
}

}  // namespace arenaproof::reference
