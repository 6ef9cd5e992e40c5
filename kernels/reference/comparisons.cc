// EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL: two operands of one type, broadcast, to BOOL. float32,
// int32, int64 and BOOL (equality only) compare as they are; int8 values are first brought to a common scale: 8
// fraction bits times the operand's own scale, which has to be below 1.
#include <functional>

#include "kernels/reference/broadcast.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

constexpr int kLeftShift = 8;

struct Rescaling {
  std::int32_t zero_point = 0;
  QuantizedMultiplier multiplier;

  std::int32_t operator()(std::int8_t value) const {
    return MultiplyByQuantizedMultiplier((value - zero_point) * (1 << kLeftShift), multiplier);
  }
};

struct ComparisonData {
  Rescaling first;
  Rescaling second;
};
ARENAPROOF_PIN_BYTES(ComparisonData, 24, 4, 24, 4);

Status ReadRescaling(const PrepareContext& context, std::size_t operand, Rescaling* rescaling) {
  Affine affine;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, operand, &affine));
  if (affine.scale >= 1.0f) return Failure(StatusCode::kKernelUnsupported, KernelFeature::kComparisonScale);
  rescaling->zero_point = affine.zero_point;
  return ReadMultiplier(double{affine.scale}, &rescaling->multiplier);
}

Status Prepare(PrepareContext& context, bool serves_bool) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const TensorType type = context.inputs[0].type;
  switch (type) {
    case TensorType::kFloat32:
    case TensorType::kInt32:
    case TensorType::kInt64:
    case TensorType::kInt8:
      break;
    case TensorType::kBool:
      if (serves_bool) break;
      [[fallthrough]];
    default:
      return UnsupportedType(context, 0);
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 1, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, TensorType::kBool));
  ARENAPROOF_RETURN_IF_ERROR(CheckBroadcast(context));
  if (type != TensorType::kInt8) return Ok();
  ComparisonData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  ARENAPROOF_RETURN_IF_ERROR(ReadRescaling(context, 0, &data->first));
  return ReadRescaling(context, 1, &data->second);
}

template <typename Element, typename Compare, typename First, typename Second>
void Run(const InvokeContext& context, Compare compare, First of_first, Second of_second) {
  const ElementReader<Element> first(context.inputs[0]);
  const ElementReader<Element> second(context.inputs[1]);
  std::uint8_t* output = context.outputs[0].mutable_as<std::uint8_t>();
  ForEachBroadcast(context.inputs[0], context.inputs[1], context.outputs[0],
                   [&](std::size_t to, std::size_t i, std::size_t j) {
                     output[to] = compare(of_first(first[i]), of_second(second[j])) ? 1 : 0;
                   });
}

template <typename Compare>
Status Invoke(const InvokeContext& context, Compare compare) {
  constexpr std::identity kAsItIs;
  switch (context.inputs[0].type) {
    case TensorType::kFloat32:
      Run<float>(context, compare, kAsItIs, kAsItIs);
      break;
    case TensorType::kInt32:
      Run<std::int32_t>(context, compare, kAsItIs, kAsItIs);
      break;
    case TensorType::kInt64:
      Run<std::int64_t>(context, compare, kAsItIs, kAsItIs);
      break;
    case TensorType::kInt8: {
      const auto& data = *static_cast<const ComparisonData*>(context.op_data);
      Run<std::int8_t>(context, compare, data.first, data.second);
      break;
    }
    default: {
      // A byte that is neither 0 nor 1 counts as true.
      const auto truth = [](std::uint8_t value) { return value != 0; };
      Run<std::uint8_t>(context, compare, truth, truth);
      break;
    }
  }
  return Ok();
}

}  // namespace

Status PrepareEquality(PrepareContext& context) { return Prepare(context, true); }
Status PrepareOrdering(PrepareContext& context) { return Prepare(context, false); }

Status InvokeEqual(const InvokeContext& context) { return Invoke(context, std::equal_to<>()); }
Status InvokeNotEqual(const InvokeContext& context) { return Invoke(context, std::not_equal_to<>()); }
Status InvokeLess(const InvokeContext& context) { return Invoke(context, std::less<>()); }
Status InvokeLessEqual(const InvokeContext& context) { return Invoke(context, std::less_equal<>()); }
Status InvokeGreater(const InvokeContext& context) { return Invoke(context, std::greater<>()); }
Status InvokeGreaterEqual(const InvokeContext& context) { return Invoke(context, std::greater_equal<>()); }

}  // namespace arenaproof::reference
