#include "kernels/reference/axis.h"

#include "kernels/reference/elements.h"

namespace arenaproof::reference {

AxisLines LinesAlong(const Operand& operand, std::size_t axis) {
  AxisLines lines;
  for (std::size_t i = 0; i < operand.rank; ++i) {
    const auto extent = static_cast<std::size_t>(operand.dims[i]);
    if (i < axis) lines.outer *= extent;
    if (i == axis) lines.length = extent;
    if (i > axis) lines.inner *= extent;
  }
  return lines;
}

Status CheckAxes(const PrepareContext& context, std::size_t operand, std::size_t rank) {
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, operand, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, operand, 0, 1));
  const Operand& axes = OperandAt(context, operand);
  if (!axes.constant) return Ok();
  ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, operand));
  const ElementReader<std::int32_t> values(axes);
  const std::size_t count = axes.element_count();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t axis = 0;
    ARENAPROOF_RETURN_IF_ERROR(ResolveAxis(values[i], rank, &axis));
  }
  return Ok();
}

Status CheckAxis(const PrepareContext& context, std::size_t operand, std::size_t rank) {
  ARENAPROOF_RETURN_IF_ERROR(CheckElementCount(context, operand, 1));
  return CheckAxes(context, operand, rank);
}

Status ReadAxisAt(const InvokeContext& context, std::size_t operand, std::size_t position, std::size_t rank,
                  std::size_t* axis) {
  const std::int64_t value = ElementReader<std::int32_t>(context.inputs[operand])[position];
  if (!ResolveAxis(value, rank, axis).ok()) {
    return Failure(StatusCode::kKernelIndex, operand, position, value, rank);
  }
  return Ok();
}

}  // namespace arenaproof::reference
