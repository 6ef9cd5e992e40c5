#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kOperandToUpdate = 0;
constexpr std::size_t kUpdate = 1;
constexpr std::size_t kStart = 2;

}  // namespace

Status PrepareDynamicUpdateSlice(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 3, 3, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(
      context, kOperandToUpdate, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16, TensorType::kInt32}));
  const Operand& operand = context.inputs[kOperandToUpdate];
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOperandToUpdate, 1, kMaxOperandRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kUpdate, operand.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, operand.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckSameShape(context, kOutput, kOperandToUpdate));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kUpdate, operand.rank, operand.rank));
  for (std::size_t axis = 0; axis < operand.rank; ++axis) {
    if (context.inputs[kUpdate].dims[axis] <= operand.dims[axis]) continue;
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kUpdate, axis, operand.dims[axis]));
  }
  return CheckNumberList(context, kStart, operand.rank);
}

// A start that is out of range is moved so that the update fits.
Status InvokeDynamicUpdateSlice(const InvokeContext& context) {
  const Operand& operand = context.inputs[kOperandToUpdate];
  const Operand& update = context.inputs[kUpdate];
  const Operand& output = context.outputs[0];
  if (operand.bytes == 0) return Ok();
  if (output.data != operand.data) std::memcpy(output.data, operand.data, operand.bytes);
  if (update.bytes == 0) return Ok();
  std::array<std::size_t, kMaxOperandRank> start{};
  for (std::size_t axis = 0; axis < operand.rank; ++axis) {
    const std::int64_t last = operand.dims[axis] - update.dims[axis];
    start[axis] =
        static_cast<std::size_t>(std::min(std::max<std::int64_t>(0, NumberAt(context.inputs[kStart], axis)), last));
  }
  const std::size_t inner = operand.rank - 1u;
  const std::size_t element_bytes = ElementBytes(operand.type);
  const std::size_t row_bytes = static_cast<std::size_t>(update.dims[inner]) * element_bytes;
  const std::size_t row_count = update.bytes / row_bytes;
  std::array<std::size_t, kMaxOperandRank> position{};
  for (std::size_t row = 0; row < row_count; ++row) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < operand.rank; ++axis) {
      place = place * static_cast<std::size_t>(operand.dims[axis]) + start[axis] + position[axis];
    }
    std::memcpy(output.data + place * element_bytes, update.data + row * row_bytes, row_bytes);
    for (std::size_t axis = inner; axis-- > 0;) {
      if (++position[axis] < static_cast<std::size_t>(update.dims[axis])) break;
      position[axis] = 0;
    }
  }
  return Ok();
}

}  // namespace arenaproof::reference
