#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {

// The input's data is not read.
Status PrepareShape(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, 1, 1));
  return CheckElementCount(context, kOutput, context.inputs[0].rank);
}

Status InvokeShape(const InvokeContext& context) {
  const Operand& input = context.inputs[0];
  const ElementWriter<std::int32_t> to(context.outputs[0]);
  for (std::size_t axis = 0; axis < input.rank; ++axis) to.Store(axis, input.dims[axis]);
  return Ok();
}

}  // namespace arenaproof::reference
