// IF, WHILE and CALL_ONCE: the runtime copies and runs, these say what and when.
#include <algorithm>

#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"
#include "kernels/reference/subgraph_checks.h"

namespace arenaproof::reference {
namespace {

struct IfData {
  std::int32_t then_subgraph;
  std::int32_t else_subgraph;
};
ARENAPROOF_PIN_BYTES(IfData, 8, 4, 8, 4);

struct WhileData {
  std::int32_t condition_subgraph;
  std::int32_t body_subgraph;
};
ARENAPROOF_PIN_BYTES(WhileData, 8, 4, 8, 4);

struct CallOnceData {
  std::int32_t subgraph;
  bool has_run;
};
ARENAPROOF_PIN_BYTES(CallOnceData, 8, 4, 8, 4);

constexpr TensorList kOwnOutputs{TensorListKind::kOperatorOutputs};

constexpr TensorList InputsOf(std::int32_t subgraph) { return {TensorListKind::kSubgraphInputs, subgraph}; }
constexpr TensorList OutputsOf(std::int32_t subgraph) { return {TensorListKind::kSubgraphOutputs, subgraph}; }

}  // namespace

Status PrepareIf(PrepareContext& context) {
  // Every input is copied, so none may be omitted.
  const std::size_t input_count = std::max<std::size_t>(context.inputs.size(), 1);
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, input_count, input_count, context.outputs.size()));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 0, TensorType::kBool));
  ARENAPROOF_RETURN_IF_ERROR(CheckElementCount(context, 0, 1));
  const IfOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  // Both: which of them runs is known at run time only, and the reference looks at the second one not before.
  for (const std::int32_t branch : {options->then_subgraph_index, options->else_subgraph_index}) {
    ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphInputs(context, branch, context.inputs.subspan(1)));
    ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphOutputs(context, branch, context.outputs));
  }
  IfData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = {options->then_subgraph_index, options->else_subgraph_index};
  return Ok();
}

Status InvokeIf(const InvokeContext& context) {
  const auto& data = *static_cast<const IfData*>(context.op_data);
  const bool condition = *context.inputs[0].as<std::uint8_t>() != 0;
  const std::int32_t branch = condition ? data.then_subgraph : data.else_subgraph;
  constexpr TensorList kBranchInputs{TensorListKind::kOperatorInputs, -1, 1};
  ARENAPROOF_RETURN_IF_ERROR(context.runtime->CopyTensors(kBranchInputs, InputsOf(branch)));
  ARENAPROOF_RETURN_IF_ERROR(context.runtime->InvokeSubgraph(branch));
  return context.runtime->CopyTensors(OutputsOf(branch), kOwnOutputs);
}

Status PrepareWhile(PrepareContext& context) {
  const std::size_t count = context.inputs.size();
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, count, count, count));
  const WhileOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  const std::int32_t condition = options->cond_subgraph_index;
  const std::int32_t body = options->body_subgraph_index;
  ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphInputs(context, condition, context.inputs));
  ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphCondition(context, condition));
  ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphInputs(context, body, context.inputs));
  ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphInputs(context, body, context.outputs));
  ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphOutputs(context, body, context.outputs));
  WhileData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = {condition, body};
  return Ok();
}

// Ends when the condition does, however often that is: whoever has to stop it earlier is asked at every subgraph.
Status InvokeWhile(const InvokeContext& context) {
  const auto& data = *static_cast<const WhileData*>(context.op_data);
  RuntimeServices& runtime = *context.runtime;
  constexpr TensorList kOwnInputs{TensorListKind::kOperatorInputs};
  ARENAPROOF_RETURN_IF_ERROR(runtime.CopyTensors(kOwnInputs, InputsOf(data.condition_subgraph)));
  ARENAPROOF_RETURN_IF_ERROR(runtime.CopyTensors(kOwnInputs, kOwnOutputs));
  while (true) {
    ARENAPROOF_RETURN_IF_ERROR(runtime.InvokeSubgraph(data.condition_subgraph));
    std::byte condition{};
    ARENAPROOF_RETURN_IF_ERROR(runtime.ReadOutput(data.condition_subgraph, 0, {&condition, 1}));
    if (condition == std::byte{0}) return Ok();
    ARENAPROOF_RETURN_IF_ERROR(runtime.CopyTensors(kOwnOutputs, InputsOf(data.body_subgraph)));
    ARENAPROOF_RETURN_IF_ERROR(runtime.InvokeSubgraph(data.body_subgraph));
    ARENAPROOF_RETURN_IF_ERROR(runtime.CopyTensors(OutputsOf(data.body_subgraph), kOwnOutputs));
    ARENAPROOF_RETURN_IF_ERROR(runtime.CopyTensors(kOwnOutputs, InputsOf(data.condition_subgraph)));
  }
}

Status PrepareCallOnce(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 0, 0, 0));
  const CallOnceOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  // Its inputs would never be written.
  ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphInputCount(context, options->init_subgraph_index, 0));
  CallOnceData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = {options->init_subgraph_index, false};
  return Ok();
}

Status InvokeCallOnce(const InvokeContext& context) {
  auto& data = *static_cast<CallOnceData*>(context.op_data);
  if (data.has_run) return Ok();
  ARENAPROOF_RETURN_IF_ERROR(context.runtime->InvokeSubgraph(data.subgraph));
  data.has_run = true;
  return Ok();
}

}  // namespace arenaproof::reference
