// REDUCE_MAX and REDUCE_MIN of float32 or int8 (raw values of one quantisation), REDUCE_ALL of BOOL. The axes may be
// computed.
#include <initializer_list>
#include <limits>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/reduction.h"

namespace arenaproof::reference {
namespace {

Status CheckOperands(const PrepareContext& context, std::initializer_list<TensorType> served) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kReducedData, served));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, context.inputs[kReducedData].type));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kReducedData));
  return CheckReduction(context);
}

// Every output is `first`, then combined with each of its elements.
template <typename Element, typename Combine>
Status Run(const InvokeContext& context, Element first, Combine combine) {
  Reduction reduction;
  ARENAPROOF_RETURN_IF_ERROR(ReadReduction(context, &reduction));
  const ElementReader<Element> from(context.inputs[kReducedData]);
  const ElementWriter<Element> to(context.outputs[0]);
  const std::size_t count = context.outputs[0].element_count();
  for (std::size_t i = 0; i < count; ++i) to.Store(i, first);
  ForEachReduced(context.inputs[kReducedData], reduction,
                 [&](std::size_t result, std::size_t i) { to.Store(result, combine(to.Load(result), from[i])); });
  return Ok();
}

}  // namespace

Status PrepareReduceMax(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperands(context, {TensorType::kFloat32, TensorType::kInt8}));
  if (context.outputs[0].type == TensorType::kInt8) {
    Affine input;
    Affine output;
    ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kReducedData, &input));
    ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
    ARENAPROOF_RETURN_IF_ERROR(CheckSameAffine(kOutput, output, input));
  }
  return RequestReductionScratch(context);
}

Status PrepareReduceAll(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperands(context, {TensorType::kBool}));
  return RequestReductionScratch(context);
}

// A NaN is never taken: only what is strictly better is.
Status InvokeReduceMax(const InvokeContext& context) {
  const auto larger = [](auto current, auto value) { return value > current ? value : current; };
  if (context.outputs[0].type == TensorType::kFloat32) {
    return Run<float>(context, std::numeric_limits<float>::lowest(), larger);
  }
  return Run<std::int8_t>(context, std::numeric_limits<std::int8_t>::min(), larger);
}

Status InvokeReduceMin(const InvokeContext& context) {
  const auto smaller = [](auto current, auto value) { return value < current ? value : current; };
  if (context.outputs[0].type == TensorType::kFloat32) {
    return Run<float>(context, std::numeric_limits<float>::max(), smaller);
  }
  return Run<std::int8_t>(context, std::numeric_limits<std::int8_t>::max(), smaller);
}

// A byte that is neither 0 nor 1 counts as true.
Status InvokeReduceAll(const InvokeContext& context) {
  return Run<std::uint8_t>(context, 1, [](std::uint8_t current, std::uint8_t value) {
    return static_cast<std::uint8_t>(current != 0 && value != 0 ? 1 : 0);
  });
}

}  // namespace arenaproof::reference
