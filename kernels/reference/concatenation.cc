#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"
#include "kernels/reference/parts.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kMostInputs = 10;

// Same rank and extents as the output but along the axis; returns this input's extent there.
Status CheckInput(const PrepareContext& context, std::size_t input, std::size_t axis, std::int64_t* extent) {
  const Operand& output = context.outputs[0];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, input, output.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, input, output.rank, output.rank));
  for (std::size_t other = 0; other < output.rank; ++other) {
    if (other != axis) ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, input, other, output.dims[other]));
  }
  *extent = context.inputs[input].dims[axis];
  return Ok();
}

// The zero point is 0, if there is one.
Status CheckSymmetric(const PrepareContext& context, std::size_t operand) {
  const QuantizationView& quantization = OperandAt(context, operand).quantization;
  return quantization.present() ? CheckZeroPoint(operand, quantization.zero_point(), 0) : Ok();
}

}  // namespace

Status PrepareConcatenation(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, kMostInputs, 1));
  const ConcatenationOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckOption(KernelOption::kActivation, static_cast<std::int64_t>(options->activation), 0, 0));
  const Operand& output = context.outputs[0];
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kOutput,
                                         {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16,
                                          TensorType::kInt32, TensorType::kInt64, TensorType::kBool}));
  PartsData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  ARENAPROOF_RETURN_IF_ERROR(ResolveAxis(options->axis, output.rank, &data->axis));
  Affine affine;
  if (output.type == TensorType::kInt8) ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &affine));
  if (output.type == TensorType::kInt16) ARENAPROOF_RETURN_IF_ERROR(CheckSymmetric(context, kOutput));
  std::int64_t total = 0;
  for (std::size_t input = 0; input < context.inputs.size(); ++input) {
    ARENAPROOF_RETURN_IF_ERROR(CheckSound(context, input));
    std::int64_t extent = 0;
    ARENAPROOF_RETURN_IF_ERROR(CheckInput(context, input, data->axis, &extent));
    total += extent;
    if (output.type == TensorType::kInt16) ARENAPROOF_RETURN_IF_ERROR(CheckSymmetric(context, input));
    if (output.type == TensorType::kInt8) {
      Affine found;
      ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, input, &found));
      ARENAPROOF_RETURN_IF_ERROR(CheckSameAffine(input, found, affine));
    }
  }
  return CheckExtent(context, kOutput, data->axis, total);
}

Status InvokeConcatenation(const InvokeContext& context) {
  JoinParts(context.inputs, context.outputs[0], static_cast<const PartsData*>(context.op_data)->axis);
  return Ok();
}

}  // namespace arenaproof::reference
