#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kData = 0;
constexpr std::size_t kAxes = 1;
constexpr std::size_t kMostFloatAxes = 4;  // more overrun a table of the reference

// Sums of int8 or int16 inputs, less the zero point for each of them, that 32 bits hold.
constexpr std::size_t kMostReduced = std::numeric_limits<std::int32_t>::max() / 256;
constexpr std::size_t kMostReducedInt16 = std::numeric_limits<std::int32_t>::max() / 65536;

struct MeanData {
  std::array<bool, kMaxOperandRank> reduced{};
  std::size_t reduced_count = 1;  // elements that go into one output
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier multiplier;  // of si/so/reduced_count
};
ARENAPROOF_PIN_BYTES(MeanData, 32, 8, 28, 4);

Status ReadAxes(PrepareContext& context, MeanData* data) {
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kAxes, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, kAxes));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kAxes, 0, 1));
  const std::size_t axis_count = context.inputs[kAxes].element_count();
  const Operand& input = context.inputs[kData];
  if (input.type == TensorType::kFloat32 && axis_count > kMostFloatAxes) {
    return Failure(StatusCode::kKernelElementCount, kAxes, axis_count, kMostFloatAxes);
  }
  const ElementReader<std::int32_t> axes(context.inputs[kAxes]);
  for (std::size_t i = 0; i < axis_count; ++i) {
    std::size_t axis = 0;
    ARENAPROOF_RETURN_IF_ERROR(ResolveAxis(axes[i], input.rank, &axis));
    if (data->reduced[axis]) continue;
    data->reduced[axis] = true;
    data->reduced_count *= static_cast<std::size_t>(input.dims[axis]);
  }
  return Ok();
}

// With keep_dims a reduced axis stays as 1, else it goes. Axes of 1 make no difference to where a value lies, so a
// file that keeps or drops more of them is accepted.
Status CheckOutputShape(PrepareContext& context, const MeanData& data) {
  const Operand& input = context.inputs[kData];
  const Operand& output = context.outputs[0];
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    if (data.reduced[axis] || input.dims[axis] == 1) continue;
    while (at < output.rank && output.dims[at] == 1) ++at;
    if (at == output.rank) return Failure(StatusCode::kKernelRank, kOutput, at, at + 1, input.rank);
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, at, input.dims[axis]));
    ++at;
  }
  for (; at < output.rank; ++at) ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, at, 1));
  return Ok();
}

// The division by the count goes into the multiplier, with as many extra bits as it has room for.
Status PrepareQuantized(PrepareContext& context, MeanData* data) {
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kData, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  const bool wide = context.inputs[kData].type == TensorType::kInt16;
  if (data->reduced_count > (wide ? kMostReducedInt16 : kMostReduced)) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kAccumulatorRange);
  }
  data->input_zero_point = input.zero_point;
  data->output_zero_point = output.zero_point;
  QuantizedMultiplier ratio;
  ARENAPROOF_RETURN_IF_ERROR(
      ReadMultiplier(static_cast<double>(input.scale) / static_cast<double>(output.scale), &ratio));
  const std::int32_t room = 63 - std::countl_zero(static_cast<std::uint64_t>(data->reduced_count));
  const std::int32_t extra = std::min({room, std::int32_t{32}, 31 + ratio.shift});
  const std::int64_t divided =
      (std::int64_t{ratio.multiplier} << extra) / static_cast<std::int64_t>(data->reduced_count);
  data->multiplier = {static_cast<std::int32_t>(divided), ratio.shift - extra};
  return Ok();
}

Status RequestScratch(PrepareContext& context, std::size_t count) {
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(std::int32_t)) {
    return Failure(StatusCode::kSizeOverflow, count, sizeof(std::int32_t));
  }
  return context.services->RequestScratch(count * sizeof(std::int32_t));
}

// visit(output index, input index) for every element of the input in memory order.
template <typename Visit>
void ForEachReduced(const Operand& input, const MeanData& data, Visit visit) {
  std::array<std::size_t, kMaxOperandRank> strides{};
  std::size_t stride = 1;
  for (std::size_t axis = input.rank; axis-- > 0;) {
    if (data.reduced[axis]) continue;
    strides[axis] = stride;
    stride *= static_cast<std::size_t>(input.dims[axis]);
  }
  std::array<std::size_t, kMaxOperandRank> position{};
  std::size_t to = 0;
  const std::size_t count = input.element_count();
  for (std::size_t from = 0; from < count; ++from) {
    visit(to, from);
    for (std::size_t axis = input.rank; axis-- > 0;) {
      to += strides[axis];
      if (++position[axis] < static_cast<std::size_t>(input.dims[axis])) break;
      to -= strides[axis] * position[axis];
      position[axis] = 0;
    }
  }
}

void MeanOfFloats(const Operand& input, const Operand& output, const MeanData& data) {
  const ElementReader<float> from(input);
  const ElementWriter<float> to(output);
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) to.Store(i, 0.0f);
  ForEachReduced(input, data, [&](std::size_t sum, std::size_t i) { to.Store(sum, to.Load(sum) + from[i]); });
  for (std::size_t i = 0; i < count; ++i) to.Store(i, to.Load(i) / static_cast<float>(data.reduced_count));
}

template <typename Element>
void MeanOfQuantized(const Operand& input, const Operand& output, std::byte* scratch, const MeanData& data) {
  const ElementReader<Element> from(input);
  const ElementWriter<Element> to(output);
  const ElementWriter<std::int32_t> sums(scratch);
  const std::size_t count = output.element_count();
  for (std::size_t i = 0; i < count; ++i) sums.Store(i, 0);
  ForEachReduced(input, data, [&](std::size_t sum, std::size_t i) { sums.Store(sum, sums.Load(sum) + from[i]); });
  const std::int32_t zero = data.input_zero_point * static_cast<std::int32_t>(data.reduced_count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t scaled = MultiplyByQuantizedMultiplier(sums.Load(i) - zero, data.multiplier);
    to.Store(i, ClampTo<Element>(WrappingAdd(scaled, data.output_zero_point)));
  }
}

}  // namespace

Status PrepareMean(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const Operand& input = context.inputs[kData];
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kData, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, kData));
  MeanData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  ARENAPROOF_RETURN_IF_ERROR(ReadAxes(context, data));
  ARENAPROOF_RETURN_IF_ERROR(CheckOutputShape(context, *data));
  if (input.type != TensorType::kFloat32) {
    ARENAPROOF_RETURN_IF_ERROR(PrepareQuantized(context, data));
    ARENAPROOF_RETURN_IF_ERROR(RequestScratch(context, context.outputs[0].element_count()));
  }
  // The reference walks indices and resolved axes in scratch of its own. Requested as there, so that a plan made here
  // is the device's plan.
  ARENAPROOF_RETURN_IF_ERROR(RequestScratch(context, input.rank));
  return RequestScratch(context, context.inputs[kAxes].element_count());
}

Status InvokeMean(const InvokeContext& context) {
  const Operand& input = context.inputs[kData];
  const Operand& output = context.outputs[0];
  const MeanData& data = *static_cast<const MeanData*>(context.op_data);
  switch (input.type) {
    case TensorType::kFloat32:
      MeanOfFloats(input, output, data);
      break;
    case TensorType::kInt8:
      MeanOfQuantized<std::int8_t>(input, output, context.scratch[0], data);
      break;
    default:
      MeanOfQuantized<std::int16_t>(input, output, context.scratch[0], data);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
