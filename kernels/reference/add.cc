#include "kernels/reference/activation.h"
#include "kernels/reference/broadcast.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

// Head room of the int8 sum: both terms are brought to this many fraction bits before they are added.
constexpr int kLeftShift = 20;

struct AddData {
  FloatRange float_range;
  QuantizedRange range;
  std::int32_t first_offset = 0;
  std::int32_t second_offset = 0;
  std::int32_t output_offset = 0;
  QuantizedMultiplier first;
  QuantizedMultiplier second;
  QuantizedMultiplier output;
};

// Every ratio of an addition is below 1: the shift never goes left, so no intermediate leaves 32 bits.
Status ReadFraction(double ratio, QuantizedMultiplier* multiplier) {
  if (ratio >= 1.0) return Failure(StatusCode::kKernelUnsupported, KernelFeature::kMultiplierRange);
  return ReadMultiplier(ratio, multiplier);
}

Status PrepareInt8(PrepareContext& context, Activation activation, AddData* data) {
  Affine first;
  Affine second;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &first));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 1, &second));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  data->first_offset = -first.zero_point;
  data->second_offset = -second.zero_point;
  data->output_offset = output.zero_point;
  const double twice_largest = 2.0 * static_cast<double>(std::max(first.scale, second.scale));
  ARENAPROOF_RETURN_IF_ERROR(ReadFraction(static_cast<double>(first.scale) / twice_largest, &data->first));
  ARENAPROOF_RETURN_IF_ERROR(ReadFraction(static_cast<double>(second.scale) / twice_largest, &data->second));
  ARENAPROOF_RETURN_IF_ERROR(
      ReadFraction(twice_largest / ((1 << kLeftShift) * static_cast<double>(output.scale)), &data->output));
  return ReadActivationRange(activation, output, QuantizedRange{}, &data->range);
}

}  // namespace

Status PrepareAdd(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const AddOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  const TensorType type = context.outputs[0].type;
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 0, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 1, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckBroadcast(context));
  AddData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  if (type == TensorType::kFloat32) return ReadActivationRange(options->activation, &data->float_range);
  if (type == TensorType::kInt8) return PrepareInt8(context, options->activation, data);
  return UnsupportedType(context, kOutput);
}

Status InvokeAdd(const InvokeContext& context) {
  const Operand& first = context.inputs[0];
  const Operand& second = context.inputs[1];
  const Operand& output = context.outputs[0];
  const AddData& data = *static_cast<const AddData*>(context.op_data);
  if (output.type == TensorType::kFloat32) {
    const ElementReader<float> a(first);
    const ElementReader<float> b(second);
    const ElementWriter<float> sum(output);
    ForEachBroadcast(first, second, output, [&](std::size_t to, std::size_t i, std::size_t j) {
      sum.Store(to, Clamp(a[i] + b[j], data.float_range));
    });
    return Ok();
  }
  const std::int8_t* a = first.as<std::int8_t>();
  const std::int8_t* b = second.as<std::int8_t>();
  std::int8_t* sum = output.mutable_as<std::int8_t>();
  ForEachBroadcast(first, second, output, [&](std::size_t to, std::size_t i, std::size_t j) {
    const std::int32_t x = (a[i] + data.first_offset) * (1 << kLeftShift);
    const std::int32_t y = (b[j] + data.second_offset) * (1 << kLeftShift);
    const std::int32_t raw =
        MultiplyByQuantizedMultiplier(x, data.first) + MultiplyByQuantizedMultiplier(y, data.second);
    sum[to] = ClampToInt8(MultiplyByQuantizedMultiplier(raw, data.output) + data.output_offset, data.range);
  });
  return Ok();
}

}  // namespace arenaproof::reference
