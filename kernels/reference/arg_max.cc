// ARG_MAX and ARG_MIN: along one axis, the index of the first largest or smallest raw value, as int32. Only a strictly
// better value is taken, so a NaN in front stays and a later one never wins.
#include <functional>

#include "kernels/reference/axis.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kAxis = 1;

// The first dimension of the output that is not the input's without `axis`; the output's rank when there is none.
// Precondition: the output has one dimension less.
std::size_t FirstDifference(const Operand& input, const Operand& output, std::size_t axis) {
  std::size_t at = 0;
  while (at < output.rank && output.dims[at] == input.dims[at < axis ? at : at + 1]) ++at;
  return at;
}

template <typename Element, typename Better>
void Run(const Operand& input, const Operand& output, const AxisLines& lines, Better better) {
  const ElementReader<Element> values(input);
  const ElementWriter<std::int32_t> indices(output);
  for (std::size_t outer = 0; outer < lines.outer; ++outer) {
    for (std::size_t inner = 0; inner < lines.inner; ++inner) {
      const std::size_t first = outer * lines.length * lines.inner + inner;
      std::size_t best = 0;
      for (std::size_t i = 1; i < lines.length; ++i) {
        if (better(values[first + i * lines.inner], values[first + best * lines.inner])) best = i;
      }
      indices.Store(outer * lines.inner + inner, static_cast<std::int32_t>(best));
    }
  }
}

template <typename Better>
Status Invoke(const InvokeContext& context, Better better) {
  const Operand& input = context.inputs[kInput];
  const Operand& output = context.outputs[0];
  std::size_t axis = 0;
  ARENAPROOF_RETURN_IF_ERROR(ReadAxisAt(context, kAxis, 0, input.rank, &axis));
  if (const std::size_t at = FirstDifference(input, output, axis); at < output.rank) {
    return Failure(StatusCode::kKernelRunTimeShape, kAxis, at, std::int64_t{output.dims[at]},
                   std::int64_t{input.dims[at < axis ? at : at + 1]});
  }
  const AxisLines lines = LinesAlong(input, axis);
  if (input.type == TensorType::kFloat32) {
    Run<float>(input, output, lines, better);
  } else {
    Run<std::int8_t>(input, output, lines, better);
  }
  return Ok();
}

}  // namespace

Status PrepareArgMax(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kInput, {TensorType::kFloat32, TensorType::kInt8}));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kInput, 1, kMaxOperandRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kInput));
  const Operand& input = context.inputs[kInput];
  ARENAPROOF_RETURN_IF_ERROR(CheckAxis(context, kAxis, input.rank));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, input.rank - 1u, input.rank - 1u));
  if (!context.inputs[kAxis].constant) return Ok();
  std::size_t axis = 0;
  ARENAPROOF_RETURN_IF_ERROR(ResolveAxis(ElementReader<std::int32_t>(context.inputs[kAxis])[0], input.rank, &axis));
  const std::size_t at = FirstDifference(input, context.outputs[0], axis);
  return at == context.outputs[0].rank ? Ok() : CheckExtent(context, kOutput, at, input.dims[at < axis ? at : at + 1]);
}

Status InvokeArgMax(const InvokeContext& context) { return Invoke(context, std::greater<>()); }
Status InvokeArgMin(const InvokeContext& context) { return Invoke(context, std::less<>()); }

}  // namespace arenaproof::reference
