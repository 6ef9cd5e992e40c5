#include <algorithm>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kFirst = 0;
constexpr std::size_t kSecond = 1;

// The extent at `place`, counted from the last one, 1 beyond the shape. Narrowed to 32 bits, as the reference does.
std::int32_t ExtentFromEnd(const Operand& shape, std::size_t place) {
  const std::size_t count = shape.element_count();
  return place < count ? static_cast<std::int32_t>(NumberAt(shape, count - 1 - place)) : 1;
}

Status CheckShapes(std::span<const Operand> shapes) {
  const std::size_t count = std::min(shapes[kFirst].element_count(), shapes[kSecond].element_count());
  for (std::size_t place = 0; place < count; ++place) {
    const std::int32_t first = ExtentFromEnd(shapes[kFirst], place);
    const std::int32_t second = ExtentFromEnd(shapes[kSecond], place);
    if (first == 1 || second == 1) continue;
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kSecond, shapes[kSecond].element_count() - 1 - place, second, first, first));
  }
  return Ok();
}

}  // namespace

Status PrepareBroadcastArgs(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kFirst, {TensorType::kInt32, TensorType::kInt64}));
  const TensorType type = context.inputs[kFirst].type;
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kSecond, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, type));
  for (const std::size_t operand : {kFirst, kSecond, kOutput}) {
    ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, operand, 1, 1));
  }
  const std::int32_t longer = std::max(context.inputs[kFirst].dims[0], context.inputs[kSecond].dims[0]);
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 0, longer));
  const bool known = context.inputs[kFirst].constant && context.inputs[kSecond].constant;
  return known ? CheckShapes(context.inputs) : Ok();
}

Status InvokeBroadcastArgs(const InvokeContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckShapes(context.inputs));
  const Operand& output = context.outputs[0];
  const std::size_t count = output.element_count();
  for (std::size_t place = 0; place < count; ++place) {
    const std::int32_t first = ExtentFromEnd(context.inputs[kFirst], place);
    const std::int32_t extent = first == 1 ? ExtentFromEnd(context.inputs[kSecond], place) : first;
    if (output.type == TensorType::kInt32) {
      ElementWriter<std::int32_t>(output).Store(count - 1 - place, extent);
    } else {
      ElementWriter<std::int64_t>(output).Store(count - 1 - place, extent);
    }
  }
  return Ok();
}

}  // namespace arenaproof::reference
