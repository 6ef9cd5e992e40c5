// LOGICAL_AND, LOGICAL_OR (broadcast) and LOGICAL_NOT of BOOL. A byte that is neither 0 nor 1 counts as true.
#include "kernels/reference/broadcast.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {

Status PrepareLogical(PrepareContext& context) { return CheckBinary(context, {TensorType::kBool}); }
Status PrepareLogicalNot(PrepareContext& context) { return CheckUnary(context, {TensorType::kBool}); }

Status InvokeLogicalAnd(const InvokeContext& context) {
  MapBroadcast<std::uint8_t>(context, [](std::uint8_t a, std::uint8_t b) { return a != 0 && b != 0; });
  return Ok();
}

Status InvokeLogicalOr(const InvokeContext& context) {
  MapBroadcast<std::uint8_t>(context, [](std::uint8_t a, std::uint8_t b) { return a != 0 || b != 0; });
  return Ok();
}

Status InvokeLogicalNot(const InvokeContext& context) {
  MapElements<std::uint8_t>(context, [](std::uint8_t a) { return static_cast<std::uint8_t>(a == 0 ? 1 : 0); });
  return Ok();
}

}  // namespace arenaproof::reference
