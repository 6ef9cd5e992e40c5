#include <algorithm>
#include <array>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"
#include "kernels/reference/strided_copy.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kData = 0;
constexpr std::size_t kAxes = 1;

using AxisSet = std::array<bool, kMaxOperandRank>;

// Axes count from the end when negative. Together they have to be a stretch of neighbours, each named once.
Status ReadAxes(const Operand& axes, std::size_t rank, AxisSet* reversed) {
  const ElementReader<std::int32_t> axis(axes);
  const std::size_t count = axes.element_count();
  const auto limit = static_cast<std::int64_t>(rank);
  std::int64_t least = limit;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t found = axis[i];
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kAxes, i, found, -limit, limit - 1));
    least = std::min(least, found < 0 ? found + limit : found);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t found = axis[i] < 0 ? axis[i] + limit : axis[i];
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kAxes, i, found, least, least + static_cast<std::int64_t>(count) - 1));
    bool& taken = (*reversed)[static_cast<std::size_t>(found)];
    if (taken) return Failure(StatusCode::kKernelIndex, kAxes, i, found, limit);
    taken = true;
  }
  return Ok();
}

}  // namespace

Status PrepareReverseV2(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kData,
                  {TensorType::kFloat32, TensorType::kInt8, TensorType::kUInt8, TensorType::kInt16, TensorType::kInt32,
                   TensorType::kInt64, TensorType::kBool}));
  const Operand& input = context.inputs[kData];
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kData, 1, kMaxOperandRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckSameShape(context, kOutput, kData));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kAxes, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kAxes, 1, 1));
  const Operand& axes = context.inputs[kAxes];
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kAxes));
  if (axes.dims[0] > input.rank) ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kAxes, 0, input.rank));
  AxisSet reversed{};
  return axes.constant ? ReadAxes(axes, input.rank, &reversed) : Ok();
}

Status InvokeReverseV2(const InvokeContext& context) {
  const Operand& input = context.inputs[kData];
  AxisSet reversed{};
  ARENAPROOF_RETURN_IF_ERROR(ReadAxes(context.inputs[kAxes], input.rank, &reversed));
  if (input.bytes == 0) return Ok();
  StridedSource source;
  source.strides = ElementStrides(input);
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    source.extents[axis] = static_cast<std::size_t>(input.dims[axis]);
    if (!reversed[axis]) continue;
    source.first += (input.dims[axis] - 1) * source.strides[axis];
    source.strides[axis] = -source.strides[axis];
  }
  CopyStrided(source, input, context.outputs[0]);
  return Ok();
}

}  // namespace arenaproof::reference
