#include "kernels/reference/checks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/reference/activation.h"

namespace arenaproof::reference {

const Operand& OperandAt(const PrepareContext& context, std::size_t operand) {
  return operand >= kFirstOutputOperand ? context.outputs[operand - kFirstOutputOperand] : context.inputs[operand];
}

bool HasInput(const PrepareContext& context, std::size_t input) {
  return input < context.inputs.size() && context.inputs[input].present;
}

bool HasInput(const InvokeContext& context, std::size_t input) {
  return input < context.inputs.size() && context.inputs[input].present;
}

Status CheckOperandCounts(const PrepareContext& context, std::size_t least_inputs, std::size_t most_inputs,
                          std::size_t output_count, std::size_t packed_input) {
  const std::size_t input_count = context.inputs.size();
  if (input_count < least_inputs || input_count > most_inputs || context.outputs.size() != output_count) {
    return Failure(StatusCode::kKernelOperandCount, input_count,
                   input_count < least_inputs ? least_inputs : most_inputs, context.outputs.size(), output_count);
  }
  for (std::size_t input = 0; input < least_inputs; ++input) {
    ARENAPROOF_RETURN_IF_ERROR(CheckSound(context, input, input == packed_input));
  }
  for (std::size_t output = 0; output < output_count; ++output) {
    ARENAPROOF_RETURN_IF_ERROR(CheckSound(context, kFirstOutputOperand + output));
  }
  return Ok();
}

Status CheckSound(const PrepareContext& context, std::size_t operand, bool may_be_packed) {
  const Operand& subject = OperandAt(context, operand);
  if (!subject.present) return Failure(StatusCode::kKernelOperandMissing, operand);
  if (subject.rank > kMaxOperandRank) {
    return Failure(StatusCode::kKernelRank, operand, std::size_t{subject.rank}, 0, kMaxOperandRank);
  }
  const std::size_t element_bytes = ElementBytes(subject.type);
  // A file packs two int4 to a byte, which only a kernel reads that asks for it.
  const bool packed = subject.constant && subject.type == TensorType::kInt4;
  if (element_bytes == 0 || (packed && !may_be_packed)) return UnsupportedType(context, operand);
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < subject.rank; ++axis) {
    const std::int32_t extent = subject.dims[axis];
    if (extent < 0) return Failure(StatusCode::kKernelDimension, operand, axis, std::int64_t{extent}, 0);
    const auto factor = static_cast<std::size_t>(extent);
    if (factor != 0 && count > std::numeric_limits<std::size_t>::max() / factor) {
      return Failure(StatusCode::kSizeOverflow, count, factor);
    }
    count *= factor;
  }
  if (packed) {
    if (subject.bytes == count / 2 + count % 2) return Ok();
    return Failure(StatusCode::kKernelElementCount, operand, 2 * subject.bytes, count);
  }
  const std::size_t found = subject.bytes / element_bytes;
  if (found != count || subject.bytes % element_bytes != 0) {
    return Failure(StatusCode::kKernelElementCount, operand, found, count);
  }
  return Ok();
}

Status CheckType(const PrepareContext& context, std::size_t operand, TensorType expected) {
  const TensorType found = OperandAt(context, operand).type;
  if (found != expected) return Failure(StatusCode::kKernelType, operand, found, expected);
  return Ok();
}

Status UnsupportedType(const PrepareContext& context, std::size_t operand) {
  return Failure(StatusCode::kKernelUnsupportedType, operand, OperandAt(context, operand).type);
}

Status CheckServed(const PrepareContext& context, std::size_t operand, std::initializer_list<TensorType> served) {
  const TensorType found = OperandAt(context, operand).type;
  if (std::find(served.begin(), served.end(), found) == served.end()) return UnsupportedType(context, operand);
  return Ok();
}

Status CheckRank(const PrepareContext& context, std::size_t operand, std::size_t least, std::size_t most) {
  const std::size_t rank = OperandAt(context, operand).rank;
  if (rank < least || rank > most) return Failure(StatusCode::kKernelRank, operand, rank, least, most);
  return Ok();
}

Status CheckExtent(const PrepareContext& context, std::size_t operand, std::size_t axis, std::int64_t expected) {
  const std::int64_t found = OperandAt(context, operand).dims[axis];
  if (found != expected) return Failure(StatusCode::kKernelDimension, operand, axis, found, expected);
  return Ok();
}

Status CheckNotEmpty(const PrepareContext& context, std::size_t operand) {
  const Operand& subject = OperandAt(context, operand);
  for (std::size_t axis = 0; axis < subject.rank; ++axis) {
    if (subject.dims[axis] <= 0) {
      return Failure(StatusCode::kKernelDimension, operand, axis, std::int64_t{subject.dims[axis]}, 1);
    }
  }
  return Ok();
}

Status CheckElementCount(const PrepareContext& context, std::size_t operand, std::size_t expected) {
  const std::size_t found = OperandAt(context, operand).element_count();
  if (found != expected) return Failure(StatusCode::kKernelElementCount, operand, found, expected);
  return Ok();
}

Status CheckShape(const PrepareContext& context, std::size_t operand, std::span<const std::int32_t> expected) {
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, operand, expected.size(), expected.size()));
  for (std::size_t axis = 0; axis < expected.size(); ++axis) {
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, operand, axis, expected[axis]));
  }
  return Ok();
}

Status CheckSameShape(const PrepareContext& context, std::size_t operand, std::size_t model_operand) {
  return CheckShape(context, operand, OperandAt(context, model_operand).shape());
}

Status CheckConstant(const PrepareContext& context, std::size_t operand) {
  const Operand& subject = OperandAt(context, operand);
  if (subject.bytes == 0 || (subject.constant && subject.data != nullptr)) return Ok();
  return Failure(StatusCode::kKernelNotConstant, operand);
}

Status CheckUnary(const PrepareContext& context, std::initializer_list<TensorType> served) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, 0, served));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, context.inputs[0].type));
  return CheckSameShape(context, kOutput, 0);
}

Status CheckUnary(const PrepareContext& context) {
  return CheckUnary(context, {TensorType::kFloat32, TensorType::kInt8});
}

Status ReadAffine(const PrepareContext& context, std::size_t operand, Affine* affine) {
  const Operand& subject = OperandAt(context, operand);
  const QuantizationView& quantization = subject.quantization;
  if (!quantization.present()) return Failure(StatusCode::kKernelQuantizationMissing, operand);
  if (quantization.scales.size() != 1) {
    return Failure(StatusCode::kKernelScaleCount, operand, quantization.scales.size(), 1);
  }
  const float scale = quantization.scale();
  if (!std::isfinite(scale) || scale <= 0.0f) return ScaleMismatch(operand, scale, 1.0);
  const QuantizedRange range = TypeRange(subject.type);
  const std::int64_t zero_point = quantization.zero_point();
  if (zero_point < range.least) return CheckZeroPoint(operand, zero_point, range.least);
  if (zero_point > range.most) return CheckZeroPoint(operand, zero_point, range.most);
  *affine = {scale, static_cast<std::int32_t>(zero_point)};
  return Ok();
}

Status CheckZeroPoint(std::size_t operand, std::int64_t found, std::int64_t expected) {
  if (found != expected) return Failure(StatusCode::kKernelZeroPoint, operand, found, expected);
  return Ok();
}

Status ScaleMismatch(std::size_t operand, double found, double expected) {
  return Failure(StatusCode::kKernelScale, operand, std::bit_cast<std::uint64_t>(found),
                 std::bit_cast<std::uint64_t>(expected));
}

Status CheckSameAffine(std::size_t operand, const Affine& found, const Affine& expected) {
  if (found.scale != expected.scale) return ScaleMismatch(operand, found.scale, expected.scale);
  return CheckZeroPoint(operand, found.zero_point, expected.zero_point);
}

Status CheckOption(KernelOption option, std::int64_t found, std::int64_t least, std::int64_t most) {
  if (found < least || found > most) return Failure(StatusCode::kKernelOption, option, found, least, most);
  return Ok();
}

Status ReadMultiplier(double ratio, QuantizedMultiplier* multiplier) {
  // Scales are floats, so their products and quotients neither overflow nor vanish in double.
  if (!std::isfinite(ratio) || ratio <= 0.0) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kMultiplierRange);
  }
  *multiplier = QuantizeMultiplier(ratio);
  if (multiplier->shift > kLargestShift) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kMultiplierRange);
  }
  return Ok();
}

Status ReadSmallMultiplier(double ratio, std::int32_t most_shift, QuantizedMultiplier* multiplier) {
  ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(ratio, multiplier));
  if (multiplier->shift > most_shift) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kOperatorRatio);
  }
  return Ok();
}

Status ResolveAxis(std::int64_t axis, std::size_t rank, std::size_t* resolved) {
  const auto limit = static_cast<std::int64_t>(rank);
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kAxis, axis, -limit, limit - 1));
  *resolved = static_cast<std::size_t>(axis < 0 ? axis + limit : axis);
  return Ok();
}

}  // namespace arenaproof::reference
