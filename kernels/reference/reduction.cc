#include "kernels/reference/reduction.h"

#include <limits>

#include "kernels/reference/axis.h"
#include "kernels/reference/elements.h"

namespace arenaproof::reference {
namespace {

void Reduce(const Operand& input, std::size_t axis, Reduction* reduction) {
  if (reduction->reduced[axis]) return;
  reduction->reduced[axis] = true;
  reduction->reduced_count *= static_cast<std::size_t>(input.dims[axis]);
}

Status ReadConstantAxes(const PrepareContext& context, Reduction* reduction) {
  const Operand& input = context.inputs[kReducedData];
  const std::size_t axis_count = context.inputs[kReducedAxes].element_count();
  const ElementReader<std::int32_t> axes(context.inputs[kReducedAxes]);
  for (std::size_t i = 0; i < axis_count; ++i) {
    std::size_t axis = 0;
    ARENAPROOF_RETURN_IF_ERROR(ResolveAxis(axes[i], input.rank, &axis));
    Reduce(input, axis, reduction);
  }
  return Ok();
}

// A dimension of the output that does not fit.
struct ShapeDifference {
  bool present = false;
  std::size_t axis = 0;  // the output's rank: it has a dimension too few
  std::int32_t expected = 1;
};

ShapeDifference FindDifference(const Operand& input, const Operand& output, const Reduction& reduction) {
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    if (reduction.reduced[axis] || input.dims[axis] == 1) continue;
    while (at < output.rank && output.dims[at] == 1) ++at;
    if (at == output.rank || output.dims[at] != input.dims[axis]) return {true, at, input.dims[axis]};
    ++at;
  }
  for (; at < output.rank; ++at) {
    if (output.dims[at] != 1) return {true, at, 1};
  }
  return {};
}

Status CheckOutputShape(const PrepareContext& context, const Reduction& reduction) {
  const Operand& input = context.inputs[kReducedData];
  const ShapeDifference difference = FindDifference(input, context.outputs[0], reduction);
  if (!difference.present) return Ok();
  const std::size_t rank = context.outputs[0].rank;
  if (difference.axis == rank) return Failure(StatusCode::kKernelRank, kOutput, rank, rank + 1, input.rank);
  return CheckExtent(context, kOutput, difference.axis, difference.expected);
}

}  // namespace

Status ReadReduction(const PrepareContext& context, Reduction* reduction) {
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kReducedAxes, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, kReducedAxes));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kReducedAxes, 0, 1));
  ARENAPROOF_RETURN_IF_ERROR(ReadConstantAxes(context, reduction));
  return CheckOutputShape(context, *reduction);
}

Status CheckReduction(const PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckAxes(context, kReducedAxes, context.inputs[kReducedData].rank));
  if (!context.inputs[kReducedAxes].constant) return Ok();
  Reduction reduction;
  return ReadReduction(context, &reduction);
}

Status ReadReduction(const InvokeContext& context, Reduction* reduction) {
  const Operand& input = context.inputs[kReducedData];
  const std::size_t axis_count = context.inputs[kReducedAxes].element_count();
  for (std::size_t i = 0; i < axis_count; ++i) {
    std::size_t axis = 0;
    ARENAPROOF_RETURN_IF_ERROR(ReadAxisAt(context, kReducedAxes, i, input.rank, &axis));
    Reduce(input, axis, reduction);
  }
  const Operand& output = context.outputs[0];
  const ShapeDifference difference = FindDifference(input, output, *reduction);
  if (!difference.present) return Ok();
  const std::int64_t found = difference.axis == output.rank ? 1 : output.dims[difference.axis];
  return Failure(StatusCode::kKernelRunTimeShape, kReducedAxes, difference.axis, found,
                 std::int64_t{difference.expected});
}

Status RequestNumbers(PrepareContext& context, std::size_t count) {
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(std::int32_t)) {
    return Failure(StatusCode::kSizeOverflow, count, sizeof(std::int32_t));
  }
  return context.services->RequestScratch(count * sizeof(std::int32_t));
}

Status RequestReductionScratch(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(RequestNumbers(context, context.inputs[kReducedData].rank));
  return RequestNumbers(context, context.inputs[kReducedAxes].element_count());
}

}  // namespace arenaproof::reference
