#include <array>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"
#include "kernels/reference/strided_copy.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kMostRank = 5;
constexpr std::size_t kData = 0;
constexpr std::size_t kPermutation = 1;

}  // namespace

// Output dimension i is input dimension permutation[i]; each of them once.
Status PrepareTranspose(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kData, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  const Operand& input = context.inputs[kData];
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kData, 0, kMostRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, input.rank, input.rank));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kPermutation, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, kPermutation));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kPermutation, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckElementCount(context, kPermutation, input.rank));
  const ElementReader<std::int32_t> permutation(context.inputs[kPermutation]);
  std::array<bool, kMostRank> used{};
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    const std::int32_t from = permutation[axis];
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kPermutation, axis, from, 0, input.rank - 1));
    if (used[static_cast<std::size_t>(from)]) {
      return Failure(StatusCode::kKernelUnsupported, KernelFeature::kRepeatedAxis);
    }
    used[static_cast<std::size_t>(from)] = true;
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, axis, input.dims[static_cast<std::size_t>(from)]));
  }
  return Ok();
}

Status InvokeTranspose(const InvokeContext& context) {
  const Operand& input = context.inputs[kData];
  const Operand& output = context.outputs[0];
  if (output.bytes == 0) return Ok();
  const ElementReader<std::int32_t> permutation(context.inputs[kPermutation]);
  const auto strides = ElementStrides(input);
  StridedSource source;
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    source.extents[axis] = static_cast<std::size_t>(output.dims[axis]);
    source.strides[axis] = strides[static_cast<std::size_t>(permutation[axis])];
  }
  CopyStrided(source, input, output);
  return Ok();
}

}  // namespace arenaproof::reference
