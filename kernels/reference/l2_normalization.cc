// L2_NORMALIZATION: rows along the last dimension divided by their Euclidean length; float32 and int8.
#include <algorithm>
#include <cmath>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/fixed_point_functions.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kMostRank = 4;
constexpr std::size_t kMostInt8Squares = 33025;  // squares of up to 255 that 32 bits hold
constexpr float kLeastLength = 1e-6f;

struct L2NormalizationData {
  std::int32_t input_zero_point = 0;
};
ARENAPROOF_PIN_BYTES(L2NormalizationData, 4, 4, 4, 4);

void NormalizeFloats(ElementReader<float> from, ElementWriter<float> to, std::size_t first, std::size_t end) {
  float squares = 0.0f;
  for (std::size_t i = first; i < end; ++i) squares += from[i] * from[i];
  const float length = std::max(std::sqrt(squares), kLeastLength);
  for (std::size_t i = first; i < end; ++i) to.Store(i, from[i] / length);
}

void NormalizeInt8(const std::int8_t* from, std::int8_t* to, std::size_t count, std::int32_t zero_point) {
  std::int32_t squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += (from[i] - zero_point) * (from[i] - zero_point);
  const QuantizedMultiplier root = InverseSquareRoot(squares);
  const QuantizedMultiplier factor{root.multiplier, root.shift + 7};  // the output's scale is 1/128
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = ClampToInt8(MultiplyByQuantizedMultiplier(from[i] - zero_point, factor), QuantizedRange{});
  }
}

}  // namespace

Status PrepareL2Normalization(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context));
  const L2NormOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckOption(KernelOption::kActivation, static_cast<std::int64_t>(options->activation), 0, 0));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kInput, 1, kMostRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kInput));
  const Operand& input = context.inputs[kInput];
  if (input.type == TensorType::kFloat32) return Ok();
  if (static_cast<std::size_t>(input.dims[input.rank - 1u]) > kMostInt8Squares) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kAccumulatorRange);
  }
  Affine from;
  Affine to;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kInput, &from));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &to));
  ARENAPROOF_RETURN_IF_ERROR(CheckSameAffine(kOutput, to, {1.0f / 128.0f, 0}));
  L2NormalizationData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  data->input_zero_point = from.zero_point;
  return Ok();
}

Status InvokeL2Normalization(const InvokeContext& context) {
  const Operand& input = context.inputs[kInput];
  const Operand& output = context.outputs[0];
  const auto row_length = static_cast<std::size_t>(input.dims[input.rank - 1u]);
  const std::size_t count = input.element_count();
  for (std::size_t first = 0; first < count; first += row_length) {
    if (input.type == TensorType::kFloat32) {
      NormalizeFloats(ElementReader<float>(input), ElementWriter<float>(output), first, first + row_length);
    } else {
      NormalizeInt8(input.as<std::int8_t>() + first, output.mutable_as<std::int8_t>() + first, row_length,
                    static_cast<const L2NormalizationData*>(context.op_data)->input_zero_point);
    }
  }
  return Ok();
}

}  // namespace arenaproof::reference
