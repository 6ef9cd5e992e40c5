#include "kernels/reference/broadcast.h"

#include <algorithm>

namespace arenaproof::reference {
namespace {

// The extent at `place`, counted from the last dimension, 1 beyond the rank.
std::int32_t ExtentFromEnd(const Operand& operand, std::size_t place) {
  return place < operand.rank ? operand.dims[operand.rank - 1 - place] : 1;
}

}  // namespace

Status CheckBroadcast(const PrepareContext& context, std::size_t input_count) {
  std::size_t rank = 0;
  for (const Operand& input : context.inputs.first(input_count)) rank = std::max<std::size_t>(rank, input.rank);
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, rank, rank));
  for (std::size_t place = 0; place < rank; ++place) {
    std::int32_t common = 1;
    for (std::size_t input = 0; input < input_count; ++input) {
      const std::int32_t extent = ExtentFromEnd(context.inputs[input], place);
      if (extent != common && extent != 1 && common != 1) {
        return Failure(StatusCode::kKernelDimension, input, context.inputs[input].rank - 1 - place,
                       std::int64_t{extent}, std::int64_t{common});
      }
      common = common == 1 ? extent : common;
    }
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, rank - 1 - place, common));
  }
  return Ok();
}

Status CheckBinary(const PrepareContext& context, std::initializer_list<TensorType> served) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, 0, served));
  const TensorType type = context.inputs[0].type;
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 1, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, type));
  return CheckBroadcast(context);
}

AxisCounts BroadcastExtents(const Operand& output) {
  AxisCounts extents{};
  for (std::size_t place = 0; place < kMaxOperandRank; ++place) {
    extents[kMaxOperandRank - 1 - place] = static_cast<std::size_t>(ExtentFromEnd(output, place));
  }
  return extents;
}

AxisCounts BroadcastStrides(const Operand& operand) {
  AxisCounts strides{};
  std::size_t stride = 1;
  for (std::size_t place = 0; place < kMaxOperandRank; ++place) {
    const auto extent = static_cast<std::size_t>(ExtentFromEnd(operand, place));
    strides[kMaxOperandRank - 1 - place] = extent == 1 ? 0 : stride;
    stride *= extent;
  }
  return strides;
}

}  // namespace arenaproof::reference
