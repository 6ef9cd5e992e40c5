// ADD_N: the sum of two or more operands of one shape and type, float32 or int8 of one quantisation.
#include <algorithm>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/finer_sum.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kMostInt8Inputs = 15;  // more may leave 32 bits

// The inputs agree with the first one.
Status CheckInputs(const PrepareContext& context) {
  const TensorType type = context.inputs[0].type;
  for (std::size_t input = 1; input < context.inputs.size(); ++input) {
    ARENAPROOF_RETURN_IF_ERROR(CheckType(context, input, type));
    ARENAPROOF_RETURN_IF_ERROR(CheckSameShape(context, input, 0));
  }
  if (type == TensorType::kFloat32) return Ok();
  Affine first;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &first));
  for (std::size_t input = 1; input < context.inputs.size(); ++input) {
    Affine other;
    ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, input, &other));
    ARENAPROOF_RETURN_IF_ERROR(CheckSameAffine(input, other, first));
  }
  return Ok();
}

}  // namespace

Status PrepareAddN(PrepareContext& context) {
  const std::size_t input_count = context.inputs.size();
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, std::max<std::size_t>(input_count, 2), input_count, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, 0, {TensorType::kFloat32, TensorType::kInt8}));
  const TensorType type = context.inputs[0].type;
  if (type == TensorType::kInt8 && input_count > kMostInt8Inputs) {
    return Failure(StatusCode::kKernelOperandCount, input_count, kMostInt8Inputs, 1, 1);
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckInputs(context));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckSameShape(context, kOutput, 0));
  if (type == TensorType::kInt8) {
    FinerSum* sum = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &sum));
    ARENAPROOF_RETURN_IF_ERROR(ReadFinerSum(context, 0, sum));
  }
  // The reference lists its inputs' addresses in scratch. Requested as there, so that a plan made here is the device's
  // plan.
  return context.services->RequestScratch(input_count * sizeof(std::byte*));
}

Status InvokeAddN(const InvokeContext& context) {
  const Operand& output = context.outputs[0];
  const std::size_t count = output.element_count();
  if (output.type == TensorType::kFloat32) {
    const ElementWriter<float> to(output);
    for (std::size_t i = 0; i < count; ++i) {
      float total = 0.0f;
      for (const Operand& input : context.inputs) total += ElementReader<float>(input)[i];
      to.Store(i, total);
    }
    return Ok();
  }
  const FinerSum& data = *static_cast<const FinerSum*>(context.op_data);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t total = data.Start();
    for (const Operand& input : context.inputs) total += data.Term(input.as<std::int8_t>()[i]);
    output.mutable_as<std::int8_t>()[i] = data.Finish(total);
  }
  return Ok();
}

}  // namespace arenaproof::reference
