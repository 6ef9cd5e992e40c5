#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"
#include "kernels/reference/strided_copy.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kData = 0;
constexpr std::size_t kPaddings = 1;
constexpr std::size_t kScratchBefore = 0;    // int32 for each dimension: the padding before it
constexpr std::size_t kScratchPosition = 1;  // int32 for each dimension: where the output is written

struct MirrorPadData {
  std::int32_t repeats_edge = 0;  // SYMMETRIC: 1, the first element stands beside itself; REFLECT: 0
};
ARENAPROOF_PIN_BYTES(MirrorPadData, 4, 4, 4, 4);

// Each output extent is before + input extent + after, and neither padding is longer than what it mirrors.
Status CheckPaddings(const Operand& input, const Operand& paddings, const Operand& output, std::int32_t repeats_edge) {
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    const std::int64_t extent = input.dims[axis];
    const std::int64_t most = extent - 1 + repeats_edge;
    const std::int64_t before = NumberAt(paddings, 2 * axis);
    const std::int64_t after = NumberAt(paddings, 2 * axis + 1);
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kPaddings, 2 * axis, before, 0, most));
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kPaddings, 2 * axis + 1, after, 0, most));
    const std::int64_t rest = output.dims[axis] - extent - before;
    ARENAPROOF_RETURN_IF_ERROR(CheckNumber(kPaddings, 2 * axis + 1, after, rest, rest));
  }
  return Ok();
}

// Where the element comes from that stands `place` after the input's first along an axis of `extent`.
std::int64_t Mirrored(std::int64_t place, std::int64_t extent, std::int64_t repeats_edge) {
  if (place < 0) return -place - repeats_edge;
  if (place >= extent) return 2 * extent - 2 + repeats_edge - place;
  return place;
}

template <typename Element>
void Pad(const InvokeContext& context, std::int32_t repeats_edge) {
  const Operand& input = context.inputs[kData];
  const Operand& output = context.outputs[0];
  const ElementWriter<std::int32_t> before(context.scratch[kScratchBefore]);
  const ElementWriter<std::int32_t> position(context.scratch[kScratchPosition]);
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    before.Store(axis, static_cast<std::int32_t>(NumberAt(context.inputs[kPaddings], 2 * axis)));
    position.Store(axis, 0);
  }
  const auto strides = ElementStrides(input);
  const ElementReader<Element> from(input);
  const ElementWriter<Element> to(output);
  const std::size_t count = output.element_count();
  for (std::size_t index = 0; index < count; ++index) {
    std::ptrdiff_t at = 0;
    for (std::size_t axis = 0; axis < input.rank; ++axis) {
      const std::int64_t place = std::int64_t{position.Load(axis)} - before.Load(axis);
      at += static_cast<std::ptrdiff_t>(Mirrored(place, input.dims[axis], repeats_edge)) * strides[axis];
    }
    to.Store(index, from[static_cast<std::size_t>(at)]);
    for (std::size_t axis = input.rank; axis-- > 0;) {
      position.Store(axis, position.Load(axis) + 1);
      if (position.Load(axis) < output.dims[axis]) break;
      position.Store(axis, 0);
    }
  }
}

}  // namespace

Status PrepareMirrorPad(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const MirrorPadOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kMirrorPadMode, static_cast<std::int64_t>(options->mode), 0, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kData, {TensorType::kFloat32, TensorType::kInt8}));
  const Operand& input = context.inputs[kData];
  const Operand& paddings = context.inputs[kPaddings];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kData, 1, kMaxOperandRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, input.rank, input.rank));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kPaddings, {TensorType::kInt32, TensorType::kInt64}));
  const std::int32_t shape[] = {input.rank, 2};
  ARENAPROOF_RETURN_IF_ERROR(CheckShape(context, kPaddings, shape));
  MirrorPadData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  data->repeats_edge = options->mode == MirrorPadMode::kSymmetric ? 1 : 0;
  if (paddings.constant) {
    ARENAPROOF_RETURN_IF_ERROR(CheckPaddings(input, paddings, context.outputs[0], data->repeats_edge));
  }
  ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(input.rank * sizeof(std::int32_t)));
  return context.services->RequestScratch(input.rank * sizeof(std::int32_t));
}

Status InvokeMirrorPad(const InvokeContext& context) {
  const std::int32_t repeats_edge = static_cast<const MirrorPadData*>(context.op_data)->repeats_edge;
  const Operand& output = context.outputs[0];
  ARENAPROOF_RETURN_IF_ERROR(CheckPaddings(context.inputs[kData], context.inputs[kPaddings], output, repeats_edge));
  if (output.bytes == 0) return Ok();
  if (output.type == TensorType::kFloat32) {
    Pad<float>(context, repeats_edge);
  } else {
    Pad<std::int8_t>(context, repeats_edge);
  }
  return Ok();
}

}  // namespace arenaproof::reference
