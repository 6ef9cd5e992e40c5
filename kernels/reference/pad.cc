#include <array>
#include <cstring>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kMostRank = 5;
constexpr std::size_t kData = 0;
constexpr std::size_t kPaddings = 1;
constexpr std::size_t kValue = 2;

struct PadData {
  std::array<std::int32_t, kMostRank> before{};
  std::int8_t fill = 0;  // int8 without a value operand: the output's zero point
};
ARENAPROOF_PIN_BYTES(PadData, 24, 4, 24, 4);

// Each output extent is before + input extent + after.
Status ReadPaddings(PrepareContext& context, PadData* data) {
  const Operand& input = context.inputs[kData];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kPaddings, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, kPaddings));
  const std::array<std::int32_t, 2> expected{input.rank, 2};
  ARENAPROOF_RETURN_IF_ERROR(CheckShape(context, kPaddings, expected));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, input.rank, input.rank));
  const ElementReader<std::int32_t> paddings(context.inputs[kPaddings]);
  constexpr std::int64_t kMost = 0x7FFFFFFF;
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    const std::int64_t before = paddings[2 * axis];
    const std::int64_t after = paddings[2 * axis + 1];
    ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kPaddingBefore, before, 0, kMost));
    ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kPaddingAfter, after, 0, kMost));
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, axis, before + input.dims[axis] + after));
    data->before[axis] = static_cast<std::int32_t>(before);
  }
  return Ok();
}

template <typename Element>
Element FillOf(const InvokeContext& context, Element without_operand) {
  return HasInput(context, kValue) ? ElementReader<Element>(context.inputs[kValue])[0] : without_operand;
}

// Fills the output, then lays the input's rows (runs along the last axis) into it.
template <typename Element>
void Pad(const InvokeContext& context, const PadData& data, Element fill) {
  const Operand& input = context.inputs[kData];
  const Operand& output = context.outputs[0];
  const ElementWriter<Element> to(output);
  const std::size_t total = output.element_count();
  for (std::size_t i = 0; i < total; ++i) to.Store(i, fill);
  const std::size_t count = input.element_count();
  if (count == 0) return;
  const std::size_t row = input.rank == 0 ? 1 : static_cast<std::size_t>(input.dims[input.rank - 1u]);
  std::array<std::size_t, kMostRank> position{};
  for (std::size_t from = 0; from < count; from += row) {
    std::size_t index = 0;
    for (std::size_t axis = 0; axis < input.rank; ++axis) {
      index = index * static_cast<std::size_t>(output.dims[axis]) + position[axis] +
              static_cast<std::size_t>(data.before[axis]);
    }
    std::memcpy(output.data + index * sizeof(Element), input.data + from * sizeof(Element), row * sizeof(Element));
    for (std::size_t axis = input.rank; axis-- > 0;) {
      if (axis + 1u == input.rank) continue;  // rows are copied whole
      if (++position[axis] < static_cast<std::size_t>(input.dims[axis])) break;
      position[axis] = 0;
    }
  }
}

}  // namespace

Status PreparePad(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 3, 1));
  const TensorType type = context.outputs[0].type;
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kOutput, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16, TensorType::kInt32}));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kData, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kData, 0, kMostRank));
  PadData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  ARENAPROOF_RETURN_IF_ERROR(ReadPaddings(context, data));
  Affine output;
  if (type == TensorType::kInt8) {
    ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
    data->fill = static_cast<std::int8_t>(output.zero_point);
  }
  if (!HasInput(context, kValue)) return Ok();
  ARENAPROOF_RETURN_IF_ERROR(CheckSound(context, kValue));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kValue, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckElementCount(context, kValue, 1));
  if (type != TensorType::kInt8) return Ok();
  Affine value;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kValue, &value));
  return CheckSameAffine(kValue, value, output);
}

// PADV2 is PAD whose value operand is not optional.
Status PreparePadV2(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 3, 3, 1));
  return PreparePad(context);
}

Status InvokePad(const InvokeContext& context) {
  const PadData& data = *static_cast<const PadData*>(context.op_data);
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      Pad<float>(context, data, FillOf<float>(context, 0.0f));
      break;
    case TensorType::kInt8:
      Pad<std::int8_t>(context, data, FillOf<std::int8_t>(context, data.fill));
      break;
    case TensorType::kInt16:
      Pad<std::int16_t>(context, data, FillOf<std::int16_t>(context, 0));
      break;
    default:
      Pad<std::int32_t>(context, data, FillOf<std::int32_t>(context, 0));
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
