#include "core/runtime/kernel_interface/operand_view.h"

namespace arenaproof {
namespace {

Status FillOperand(const OperandSource& source, std::int32_t index, Operand* operand) {
  if (index == -1) {
    *operand = Operand();
    return Ok();
  }
  const std::size_t count =
      source.tensors.empty() ? source.model->tensor_count(source.subgraph) : source.tensors.size();
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    return Failure(StatusCode::kRuntimeTensorIndex, std::int64_t{index}, count);
  }
  const auto position = static_cast<std::size_t>(index);
  if (source.model == nullptr) {
    *operand = OperandOf(source.tensors[position], index);
    return Ok();
  }
  const TensorView view = source.model->tensor(source.subgraph, position);
  EvalTensor described;
  if (source.tensors.empty()) {
    ARENAPROOF_RETURN_IF_ERROR(DescribeTensor(view, position, source.constants, &described));
  } else {
    described = source.tensors[position];
  }
  *operand = OperandOf(described, index);
  operand->quantization = view.quantization;
  return Ok();
}

}  // namespace

Operand OperandOf(const EvalTensor& tensor, std::int32_t index) {
  Operand operand;
  operand.data = tensor.data;
  operand.bytes = tensor.bytes;
  operand.type = tensor.type;
  operand.rank = tensor.rank;
  operand.present = true;
  operand.constant = tensor.constant;
  operand.variable = tensor.variable;
  for (std::size_t axis = 0; axis < tensor.rank; ++axis) operand.dims[axis] = tensor.dims[axis];
  operand.tensor_index = index;
  return operand;
}

Status FillOperands(const OperandSource& source, std::size_t operator_index, std::span<const std::int32_t> inputs,
                    std::span<const std::int32_t> outputs, std::span<Operand> operands) {
  if (inputs.size() + outputs.size() > operands.size()) {
    return Failure(StatusCode::kTooManyOperands, source.subgraph, operator_index, inputs.size() + outputs.size(),
                   operands.size());
  }
  Operand* next = operands.data();
  for (const std::int32_t index : inputs) ARENAPROOF_RETURN_IF_ERROR(FillOperand(source, index, next++));
  for (const std::int32_t index : outputs) ARENAPROOF_RETURN_IF_ERROR(FillOperand(source, index, next++));
  return Ok();
}

}  // namespace arenaproof
