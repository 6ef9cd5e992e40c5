// What element-wise operators over two operands share: shapes broadcast, a fused activation; float32, plain int32, int8
// and int16.
//
// An operation names its Options and its Data (derived from BinaryData) and defines
//   kIntegersActivated, kSymmetricInt16            whether int32 takes the activation; int16 only zero points of 0
//   ReadMultipliers(type, first, second, output, data)   from the quantisations of int8 and int16
//   Of(a, b)                                       of floats and of plain integers, before the activation
//   OfCentered<Element>(a, b, data)                of values less their zero points, before the output's is added
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

// The offsets, and the operation's multipliers.
template <typename Operation>
Status ReadBinaryQuantization(const PrepareContext& context, Affine* output, typename Operation::Data* data) {
  const TensorType type = context.outputs[0].type;
  Affine first;
  Affine second;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &first));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 1, &second));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, output));
  if (type == TensorType::kInt16 && Operation::kSymmetricInt16) {
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(0, first.zero_point, 0));
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(1, second.zero_point, 0));
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kOutput, output->zero_point, 0));
  }
  data->first_offset = -first.zero_point;
  data->second_offset = -second.zero_point;
  data->output_offset = output->zero_point;
  return Operation::ReadMultipliers(type, first, second, *output, data);
}

template <typename Operation>
Status PrepareQuantizedBinary(const PrepareContext& context, Activation activation, typename Operation::Data* data) {
  const TensorType type = context.outputs[0].type;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadBinaryQuantization<Operation>(context, &output, data));
  return ReadActivationRange(activation, output, TypeRange(type), &data->range);
}

template <typename Operation>
Status PrepareBinary(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const typename Operation::Options* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  const TensorType type = context.outputs[0].type;
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 0, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 1, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckBroadcast(context));
  typename Operation::Data* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  switch (type) {
    case TensorType::kFloat32:
      return ReadActivationRange(options->activation, &data->float_range);
    case TensorType::kInt32:
      ARENAPROOF_RETURN_IF_ERROR(ReadActivationRange(options->activation, &data->range));
      if (!Operation::kIntegersActivated) data->range = kRangeOf<std::int32_t>;
      return Ok();
    case TensorType::kInt8:
    case TensorType::kInt16:
      return PrepareQuantizedBinary<Operation>(context, options->activation, data);
    default:
      return UnsupportedType(context, kOutput);
  }
}

// Element: float or a plain integer, in the range that the activation leaves.
template <typename Operation, typename Element, typename Range>
void RunPlainBinary(const InvokeContext& context, Range range) {
  const Operand& output = context.outputs[0];
  const ElementReader<Element> a(context.inputs[0]);
  const ElementReader<Element> b(context.inputs[1]);
  const ElementWriter<Element> result(output);
  ForEachBroadcast(context.inputs[0], context.inputs[1], output, [&](std::size_t to, std::size_t i, std::size_t j) {
    result.Store(to, Clamp(Operation::Of(a[i], b[j]), range));
  });
}

template <typename Operation, typename Element>
void RunQuantizedBinary(const InvokeContext& context, const typename Operation::Data& data) {
  const Operand& output = context.outputs[0];
  const ElementReader<Element> a(context.inputs[0]);
  const ElementReader<Element> b(context.inputs[1]);
  const ElementWriter<Element> result(output);
  ForEachBroadcast(context.inputs[0], context.inputs[1], output, [&](std::size_t to, std::size_t i, std::size_t j) {
    const std::int32_t scaled =
        Operation::template OfCentered<Element>(a[i] + data.first_offset, b[j] + data.second_offset, data);
    result.Store(to, ClampTo<Element>(WrappingAdd(scaled, data.output_offset), data.range));
  });
}

template <typename Operation>
Status InvokeBinary(const InvokeContext& context) {
  const auto& data = *static_cast<const typename Operation::Data*>(context.op_data);
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      RunPlainBinary<Operation, float>(context, data.float_range);
      break;
    case TensorType::kInt32:
      RunPlainBinary<Operation, std::int32_t>(context, data.range);
      break;
    case TensorType::kInt8:
      RunQuantizedBinary<Operation, std::int8_t>(context, data);
      break;
    default:
      RunQuantizedBinary<Operation, std::int16_t>(context, data);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
