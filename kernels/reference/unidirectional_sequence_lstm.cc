// UNIDIRECTIONAL_SEQUENCE_LSTM of float32, of int8 and of int16; lstm.h has the operands and the arithmetic.
#include <array>

#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"
#include "kernels/reference/lstm.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kInputCount = 24;

struct LstmTypes {
  TensorType weights;
  TensorType bias;
  TensorType cell;
};

LstmTypes TypesWith(TensorType input) {
  switch (input) {
    case TensorType::kFloat32:
      return {input, input, input};
    case TensorType::kInt8:
      return {TensorType::kInt8, TensorType::kInt32, TensorType::kInt16};
    default:
      return {TensorType::kInt8, TensorType::kInt64, TensorType::kInt16};
  }
}

Status CheckPresence(const PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, kLstmHiddenWeights + kLstmGateCount, kInputCount, 1));
  if (context.inputs.size() != kInputCount) {
    return Failure(StatusCode::kKernelOperandCount, context.inputs.size(), kInputCount, 1, 1);
  }
  for (std::size_t input = kLstmHiddenWeights + kLstmGateCount; input < kInputCount; ++input) {
    const bool served =
        (input >= kLstmBiases && input < kLstmBiases + kLstmGateCount) || input == kLstmHidden || input == kLstmCell;
    if (served) {
      ARENAPROOF_RETURN_IF_ERROR(CheckSound(context, input));
    } else if (HasInput(context, input)) {
      return Failure(StatusCode::kKernelUnsupported, KernelFeature::kLstmVariant);
    }
  }
  for (const std::size_t state : {kLstmHidden, kLstmCell}) {
    if (!context.inputs[state].variable) return Failure(StatusCode::kKernelNotVariable, state);
  }
  return Ok();
}

Status CheckTypes(const PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kLstmInput, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  const TensorType type = context.inputs[kLstmInput].type;
  const LstmTypes types = TypesWith(type);
  for (std::size_t gate = 0; gate < kLstmGateCount; ++gate) {
    ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kLstmInputWeights + gate, types.weights));
    ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kLstmHiddenWeights + gate, types.weights));
    ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kLstmBiases + gate, types.bias));
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kLstmHidden, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kLstmCell, types.cell));
  return CheckType(context, kOutput, type);
}

Status ReadShapes(const PrepareContext& context, LstmData* data) {
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kLstmInput, 3, 3));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kLstmHidden, 2, 2));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kLstmInput));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kLstmHidden));
  const Operand& input = context.inputs[kLstmInput];
  const std::int32_t batches = input.dims[data->time_major ? 1 : 0];
  const std::int32_t inputs = input.dims[2];
  const std::int32_t units = context.inputs[kLstmHidden].dims[1];
  for (std::size_t gate = 0; gate < kLstmGateCount; ++gate) {
    ARENAPROOF_RETURN_IF_ERROR(CheckShape(context, kLstmInputWeights + gate, std::array{units, inputs}));
    ARENAPROOF_RETURN_IF_ERROR(CheckShape(context, kLstmHiddenWeights + gate, std::array{units, units}));
    ARENAPROOF_RETURN_IF_ERROR(CheckElementCount(context, kLstmBiases + gate, static_cast<std::size_t>(units)));
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckShape(context, kLstmHidden, std::array{batches, units}));
  ARENAPROOF_RETURN_IF_ERROR(CheckShape(context, kLstmCell, std::array{batches, units}));
  ARENAPROOF_RETURN_IF_ERROR(CheckShape(context, kOutput, std::array{input.dims[0], input.dims[1], units}));
  data->batch_count = static_cast<std::size_t>(batches);
  data->step_count = static_cast<std::size_t>(input.dims[data->time_major ? 0 : 1]);
  data->input_count = static_cast<std::size_t>(inputs);
  data->unit_count = static_cast<std::size_t>(units);
  return Ok();
}

}  // namespace

Status PrepareUnidirectionalSequenceLstm(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckPresence(context));
  const UnidirectionalSequenceLstmOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  constexpr auto kServed = static_cast<std::int64_t>(Activation::kTanh);
  ARENAPROOF_RETURN_IF_ERROR(
      CheckOption(KernelOption::kActivation, static_cast<std::int64_t>(options->activation), kServed, kServed));
  ARENAPROOF_RETURN_IF_ERROR(CheckTypes(context));
  LstmData found;
  found.time_major = options->time_major;
  found.cell_clip = options->cell_clip;
  ARENAPROOF_RETURN_IF_ERROR(ReadShapes(context, &found));
  LstmData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = found;
  if (context.outputs[0].type != TensorType::kFloat32) {
    ARENAPROOF_RETURN_IF_ERROR(ReadLstmQuantization(context, data));
  }
  for (std::size_t gate = 0; gate < kLstmGateCount; ++gate) {
    ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(context.inputs[kLstmCell].bytes));
  }
  return Ok();
}

Status InvokeUnidirectionalSequenceLstm(const InvokeContext& context) {
  RunLstm(context, *static_cast<const LstmData*>(context.op_data));
  return Ok();
}

}  // namespace arenaproof::reference
