// SELECT_V2: condition ? x : y, the three shapes broadcast; raw values, no quantisation is read.
#include <algorithm>

#include "kernels/reference/broadcast.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kCondition = 0;
constexpr std::size_t kWhenTrue = 1;
constexpr std::size_t kWhenFalse = 2;

template <typename Element>
void Select(const InvokeContext& context) {
  const std::uint8_t* condition = context.inputs[kCondition].as<std::uint8_t>();
  const ElementReader<Element> when_true(context.inputs[kWhenTrue]);
  const ElementReader<Element> when_false(context.inputs[kWhenFalse]);
  const ElementWriter<Element> output(context.outputs[0]);
  ForEachBroadcast<3>({&context.inputs[kCondition], &context.inputs[kWhenTrue], &context.inputs[kWhenFalse]},
                      context.outputs[0], [&](std::size_t to, const std::array<std::size_t, 3>& from) {
                        output.Store(to, condition[from[0]] != 0 ? when_true[from[1]] : when_false[from[2]]);
                      });
}

}  // namespace

Status PrepareSelectV2(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 3, 3, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kCondition, TensorType::kBool));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kWhenTrue, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  const TensorType type = context.inputs[kWhenTrue].type;
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kWhenFalse, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, type));
  // Single values may be written with any number of dimensions.
  const auto is_single = [](const Operand& operand) { return operand.element_count() == 1; };
  if (is_single(context.outputs[0]) && std::all_of(context.inputs.begin(), context.inputs.end(), is_single)) {
    return Ok();
  }
  return CheckBroadcast(context, 3);
}

Status InvokeSelectV2(const InvokeContext& context) {
  switch (ElementBytes(context.outputs[0].type)) {
    case 1:
      Select<std::uint8_t>(context);
      break;
    case 2:
      Select<std::uint16_t>(context);
      break;
    default:
      Select<std::uint32_t>(context);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
