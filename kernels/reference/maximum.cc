// MAXIMUM and MINIMUM of two operands, broadcast: raw values, no quantisation is read.
#include "kernels/reference/broadcast.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

template <typename Pick>
Status Invoke(const InvokeContext& context, Pick pick) {
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      MapBroadcast<float>(context, pick);
      break;
    case TensorType::kInt8:
      MapBroadcast<std::int8_t>(context, pick);
      break;
    case TensorType::kInt16:
      MapBroadcast<std::int16_t>(context, pick);
      break;
    case TensorType::kInt32:
      MapBroadcast<std::int32_t>(context, pick);
      break;
    default:
      MapBroadcast<std::int64_t>(context, pick);
      break;
  }
  return Ok();
}

}  // namespace

Status PrepareMaximum(PrepareContext& context) {
  return CheckBinary(
      context, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16, TensorType::kInt32, TensorType::kInt64});
}

// The second operand wins a tie and whatever a NaN is compared with, as in the reference.
Status InvokeMaximum(const InvokeContext& context) {
  return Invoke(context, [](auto a, auto b) { return a > b ? a : b; });
}

Status InvokeMinimum(const InvokeContext& context) {
  return Invoke(context, [](auto a, auto b) { return a < b ? a : b; });
}

}  // namespace arenaproof::reference
