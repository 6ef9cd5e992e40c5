#include "kernels/reference/activation.h"
#include "kernels/reference/broadcast.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct MulData {
  FloatRange float_range;
  QuantizedRange range;
  std::int32_t first_offset = 0;
  std::int32_t second_offset = 0;
  std::int32_t output_offset = 0;
  QuantizedMultiplier multiplier;
};

Status PrepareInt8(PrepareContext& context, Activation activation, MulData* data) {
  Affine first;
  Affine second;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &first));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 1, &second));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  data->first_offset = -first.zero_point;
  data->second_offset = -second.zero_point;
  data->output_offset = output.zero_point;
  const double ratio =
      static_cast<double>(first.scale) * static_cast<double>(second.scale) / static_cast<double>(output.scale);
  ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(ratio, &data->multiplier));
  return ReadActivationRange(activation, output, QuantizedRange{}, &data->range);
}

}  // namespace

Status PrepareMul(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const MulOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  const TensorType type = context.outputs[0].type;
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 0, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 1, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckBroadcast(context));
  MulData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  if (type == TensorType::kFloat32) return ReadActivationRange(options->activation, &data->float_range);
  if (type == TensorType::kInt8) return PrepareInt8(context, options->activation, data);
  return UnsupportedType(context, kOutput);
}

Status InvokeMul(const InvokeContext& context) {
  const Operand& first = context.inputs[0];
  const Operand& second = context.inputs[1];
  const Operand& output = context.outputs[0];
  const MulData& data = *static_cast<const MulData*>(context.op_data);
  if (output.type == TensorType::kFloat32) {
    const ElementReader<float> a(first);
    const ElementReader<float> b(second);
    const ElementWriter<float> product(output);
    ForEachBroadcast(first, second, output, [&](std::size_t to, std::size_t i, std::size_t j) {
      product.Store(to, Clamp(a[i] * b[j], data.float_range));
    });
    return Ok();
  }
  const std::int8_t* a = first.as<std::int8_t>();
  const std::int8_t* b = second.as<std::int8_t>();
  std::int8_t* product = output.mutable_as<std::int8_t>();
  ForEachBroadcast(first, second, output, [&](std::size_t to, std::size_t i, std::size_t j) {
    const std::int32_t raw = (a[i] + data.first_offset) * (b[j] + data.second_offset);
    const std::int32_t scaled = MultiplyByQuantizedMultiplier(raw, data.multiplier);
    product[to] = ClampToInt8(WrappingAdd(scaled, data.output_offset), data.range);
  });
  return Ok();
}

}  // namespace arenaproof::reference
