// What element-wise operators over two operands share: shapes broadcast, a fused activation, float32 or int8.
#pragma once

#include <cstdint>

#include "kernels/reference/activation.h"
#include "kernels/reference/broadcast.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"

namespace arenaproof::reference {

// The part of an operator's data that does not depend on which operator it is.
struct BinaryData {
  FloatRange float_range;
  QuantizedRange range;
  std::int32_t first_offset = 0;  // minus the zero point
  std::int32_t second_offset = 0;
  std::int32_t output_offset = 0;  // the zero point
};

// `read_multipliers(first, second, output, data)` gets the three quantisations of an int8 operator.
template <typename Options, typename Data, typename ReadMultipliers>
Status PrepareBinary(PrepareContext& context, ReadMultipliers read_multipliers) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const Options* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  const TensorType type = context.outputs[0].type;
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 0, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 1, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckBroadcast(context));
  Data* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  if (type == TensorType::kFloat32) return ReadActivationRange(options->activation, &data->float_range);
  if (type != TensorType::kInt8) return UnsupportedType(context, kOutput);
  Affine first;
  Affine second;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &first));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 1, &second));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  data->first_offset = -first.zero_point;
  data->second_offset = -second.zero_point;
  data->output_offset = output.zero_point;
  ARENAPROOF_RETURN_IF_ERROR(read_multipliers(first, second, output, data));
  return ReadActivationRange(options->activation, output, QuantizedRange{}, &data->range);
}

// `of_floats(a, b)` before the activation; `of_centered(a, b, data)` of values less their zero points, before the
// output's zero point is added.
template <typename Data, typename OfFloats, typename OfCentered>
Status InvokeBinary(const InvokeContext& context, OfFloats of_floats, OfCentered of_centered) {
  const Operand& first = context.inputs[0];
  const Operand& second = context.inputs[1];
  const Operand& output = context.outputs[0];
  const Data& data = *static_cast<const Data*>(context.op_data);
  if (output.type == TensorType::kFloat32) {
    const ElementReader<float> a(first);
    const ElementReader<float> b(second);
    const ElementWriter<float> result(output);
    ForEachBroadcast(first, second, output, [&](std::size_t to, std::size_t i, std::size_t j) {
      result.Store(to, Clamp(of_floats(a[i], b[j]), data.float_range));
    });
    return Ok();
  }
  const std::int8_t* a = first.as<std::int8_t>();
  const std::int8_t* b = second.as<std::int8_t>();
  std::int8_t* result = output.mutable_as<std::int8_t>();
  ForEachBroadcast(first, second, output, [&](std::size_t to, std::size_t i, std::size_t j) {
    const std::int32_t scaled = of_centered(a[i] + data.first_offset, b[j] + data.second_offset, data);
    result[to] = ClampToInt8(WrappingAdd(scaled, data.output_offset), data.range);
  });
  return Ok();
}

}  // namespace arenaproof::reference
