#include "kernels/reference/broadcast.h"

#include <algorithm>

namespace arenaproof::reference {
namespace {

// The extent at `place`, counted from the last dimension, 1 beyond the rank.
std::int32_t ExtentFromEnd(const Operand& operand, std::size_t place) {
  return place < operand.rank ? operand.dims[operand.rank - 1 - place] : 1;
}

std::array<std::size_t, kMaxOperandRank> StridesOf(const Operand& operand) {
  std::array<std::size_t, kMaxOperandRank> strides{};
  std::size_t stride = 1;
  for (std::size_t place = 0; place < kMaxOperandRank; ++place) {
    const auto extent = static_cast<std::size_t>(ExtentFromEnd(operand, place));
    strides[kMaxOperandRank - 1 - place] = extent == 1 ? 0 : stride;
    stride *= extent;
  }
  return strides;
}

}  // namespace

Status CheckBroadcast(const PrepareContext& context) {
  const Operand& first = context.inputs[0];
  const Operand& second = context.inputs[1];
  const std::size_t rank = std::max(first.rank, second.rank);
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, rank, rank));
  for (std::size_t place = 0; place < rank; ++place) {
    const std::int32_t one = ExtentFromEnd(first, place);
    const std::int32_t other = ExtentFromEnd(second, place);
    if (one != other && one != 1 && other != 1) {
      return Failure(StatusCode::kKernelDimension, 1, second.rank - 1 - place, std::int64_t{other}, std::int64_t{one});
    }
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, rank - 1 - place, one == 1 ? other : one));
  }
  return Ok();
}

Broadcast BroadcastOf(const Operand& first, const Operand& second, const Operand& output) {
  Broadcast plan;
  for (std::size_t place = 0; place < kMaxOperandRank; ++place) {
    plan.extents[kMaxOperandRank - 1 - place] = static_cast<std::size_t>(ExtentFromEnd(output, place));
  }
  plan.first_strides = StridesOf(first);
  plan.second_strides = StridesOf(second);
  return plan;
}

}  // namespace arenaproof::reference
