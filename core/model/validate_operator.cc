#include "core/model/tensor_bytes.h"
#include "core/model/validation_rules.h"

namespace arenaproof {
namespace {

bool IsTensor(std::int32_t index, std::size_t tensor_count) {
  return index >= 0 && static_cast<std::size_t>(index) < tensor_count;
}

Status CheckOperands(const ModelView& model, const OperatorView& view, std::size_t subgraph, std::size_t index) {
  const std::size_t tensor_count = model.tensor_count(subgraph);
  for (const std::int32_t tensor : view.inputs) {
    if (tensor != -1 && !IsTensor(tensor, tensor_count)) {
      return Failure(StatusCode::kModelOperatorInput, subgraph, index, tensor, tensor_count);
    }
  }
  for (const std::int32_t tensor : view.outputs) {
    if (!IsTensor(tensor, tensor_count)) {
      return Failure(StatusCode::kModelOperatorOutput, subgraph, index, tensor, tensor_count);
    }
  }
  for (const std::int32_t tensor : view.intermediates) {
    if (!IsTensor(tensor, tensor_count)) {
      return Failure(StatusCode::kModelOperatorIntermediate, subgraph, index, tensor, tensor_count);
    }
    std::size_t bytes = 0;
    ARENAPROOF_RETURN_IF_ERROR(TensorArenaBytes(model.tensor(subgraph, static_cast<std::size_t>(tensor)), &bytes));
    if (bytes != 0) return Failure(StatusCode::kModelIntermediateBytes, subgraph, index, tensor, bytes);
  }
  if (view.mutating_input_count != 0 && view.mutating_input_count != view.inputs.size()) {
    return Failure(StatusCode::kModelMutatingInputs, subgraph, index, view.mutating_input_count, view.inputs.size());
  }
  return Ok();
}

void AskSupport(const ModelView& model, const OperatorView& view, std::size_t subgraph, std::size_t index,
                const OperatorSupport* support, ValidationReport* report) {
  if (view.has_large_custom_options) {
    report->AddUnsupported(UnsupportedKind::kFeature,
                           static_cast<std::int32_t>(UnsupportedFeature::kLargeCustomOptions), {}, subgraph, index);
  }
  if (support == nullptr ? IsBuiltinOperator(view.code) : support->Serves(model, subgraph, view)) return;
  const bool custom = view.code == BuiltinOperator::kCustom;
  report->AddUnsupported(custom ? UnsupportedKind::kCustomOperator : UnsupportedKind::kBuiltinOperator,
                         static_cast<std::int32_t>(view.code), custom ? view.custom_name : std::string_view{}, subgraph,
                         index);
}

}  // namespace

Status CheckOperator(const ModelView& model, std::size_t subgraph, std::size_t index, const OperatorSupport* support,
                     ValidationReport* report) {
  const OperatorView view = model.operator_at(subgraph, index);
  if (!view.has_opcode) {
    return Failure(StatusCode::kModelOpcodeIndex, subgraph, index, view.opcode_index, model.operator_code_count());
  }
  const bool custom = view.code == BuiltinOperator::kCustom;
  if (custom && !view.has_custom_name) {
    return Failure(StatusCode::kModelCustomCodeMissing, subgraph, index, view.opcode_index);
  }
  if (!custom && !view.custom_options.empty()) {
    return Failure(StatusCode::kModelCustomOptions, subgraph, index, view.custom_options.size());
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckOperands(model, view, subgraph, index));
  ARENAPROOF_RETURN_IF_ERROR(CheckOptions(view, subgraph, index));
  AskSupport(model, view, subgraph, index, support, report);
  return Ok();
}

}  // namespace arenaproof
