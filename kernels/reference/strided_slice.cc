#include <algorithm>
#include <array>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/strided_copy.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kMostRank = 4;
constexpr std::size_t kData = 0;
constexpr std::size_t kBegin = 1;
constexpr std::size_t kEnd = 2;
constexpr std::size_t kStrides = 3;

// Of each axis of the input.
struct StridedSliceData {
  std::array<std::int32_t, kMostRank> begin{};
  std::array<std::int32_t, kMostRank> step{};  // 0 where there is one element at most
  std::array<std::int32_t, kMostRank> count{1, 1, 1, 1};
};
ARENAPROOF_PIN_BYTES(StridedSliceData, 48, 4, 48, 4);

bool IsSet(std::int32_t mask, std::size_t axis) { return ((mask >> axis) & 1) != 0; }

// A place along an axis of `extent` elements: counted from the end when negative, then moved to the nearest one that a
// walk in the step's direction may begin or end at.
std::int64_t PlaceOf(std::int64_t place, std::int64_t extent, std::int64_t step) {
  if (place < 0) place += extent;
  return step > 0 ? std::clamp<std::int64_t>(place, 0, extent) : std::clamp<std::int64_t>(place, -1, extent - 1);
}

struct Walk {
  std::int64_t begin;
  std::int64_t step;
  std::int64_t count;
};

Status ReadWalk(const PrepareContext& context, const StridedSliceOptions& options, std::size_t axis, Walk* walk) {
  const auto at = [&](std::size_t operand) { return ElementReader<std::int32_t>(context.inputs[operand])[axis]; };
  const std::int64_t extent = context.inputs[kData].dims[axis];
  const std::int64_t step = at(kStrides);
  if (step == 0) return Failure(StatusCode::kKernelIndex, kStrides, axis, 0, 1);
  walk->step = step;
  const std::int64_t first = step > 0 ? 0 : extent - 1;
  walk->begin = IsSet(options.begin_mask, axis) ? first : PlaceOf(at(kBegin), extent, step);
  if (IsSet(options.shrink_axis_mask, axis)) {
    // The reference writes nothing for an axis that is shrunk backwards or behind its end.
    if (step < 0) return Failure(StatusCode::kKernelIndex, kStrides, axis, step, 1);
    if (walk->begin >= extent) return Failure(StatusCode::kKernelIndex, kBegin, axis, walk->begin, extent - 1);
    walk->count = 1;
    return Ok();
  }
  const std::int64_t past_the_last = step > 0 ? extent : -1;
  const std::int64_t end = IsSet(options.end_mask, axis) ? past_the_last : PlaceOf(at(kEnd), extent, step);
  const std::int64_t distance = step > 0 ? end - walk->begin : walk->begin - end;
  const std::int64_t stride = step > 0 ? step : -step;
  walk->count = distance <= 0 ? 0 : (distance + stride - 1) / stride;
  return Ok();
}

Status CheckPlaces(const PrepareContext& context, std::size_t operand) {
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, operand, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckConstant(context, operand));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, operand, 1, 1));
  return CheckElementCount(context, operand, context.inputs[kData].rank);
}

}  // namespace

// The masks of ellipses and new axes and the option `offset` are not read, as in the reference.
Status PrepareStridedSlice(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 4, 4, 1));
  const StridedSliceOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(
      context, kData,
      {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16, TensorType::kInt32, TensorType::kBool}));
  const Operand& input = context.inputs[kData];
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kData, 0, kMostRank));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  for (const std::size_t operand : {kBegin, kEnd, kStrides}) {
    ARENAPROOF_RETURN_IF_ERROR(CheckPlaces(context, operand));
  }
  StridedSliceData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  std::array<std::int32_t, kMostRank> shape{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    Walk walk{};
    ARENAPROOF_RETURN_IF_ERROR(ReadWalk(context, *options, axis, &walk));
    data->begin[axis] = static_cast<std::int32_t>(walk.begin);
    data->count[axis] = static_cast<std::int32_t>(walk.count);
    data->step[axis] = walk.count > 1 ? static_cast<std::int32_t>(walk.step) : 0;
    if (!IsSet(options->shrink_axis_mask, axis)) shape[rank++] = data->count[axis];
  }
  return CheckShape(context, kOutput, std::span(shape).first(rank));
}

Status InvokeStridedSlice(const InvokeContext& context) {
  const auto& data = *static_cast<const StridedSliceData*>(context.op_data);
  const Operand& input = context.inputs[kData];
  if (context.outputs[0].bytes == 0) return Ok();
  const auto strides = ElementStrides(input);
  StridedSource source;
  for (std::size_t axis = 0; axis < input.rank; ++axis) {
    source.extents[axis] = static_cast<std::size_t>(data.count[axis]);
    source.strides[axis] = strides[axis] * data.step[axis];
    source.first += strides[axis] * data.begin[axis];
  }
  CopyStrided(source, input, context.outputs[0]);
  return Ok();
}

}  // namespace arenaproof::reference
