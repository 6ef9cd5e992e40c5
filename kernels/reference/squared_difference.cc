// SQUARED_DIFFERENCE of two operands, broadcast: float32, plain int32 (which wraps), int8 and int16.
#include <algorithm>

#include "kernels/reference/binary.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct SquaredDifferenceData {
  std::int32_t first_offset = 0;  // as in BinaryData
  std::int32_t second_offset = 0;
  std::int32_t output_offset = 0;
  QuantizedMultiplier first;
  QuantizedMultiplier second;
  QuantizedMultiplier output;
};
ARENAPROOF_PIN_BYTES(SquaredDifferenceData, 36, 4, 36, 4);

// Fraction bits of the terms, so that the square of their difference has room in 32 bits.
template <typename Element>
inline constexpr int kLeftShift = sizeof(Element) == 1 ? 7 : 0;

struct Difference {
  using Data = SquaredDifferenceData;
  static constexpr bool kSymmetricInt16 = true;

  static Status ReadMultipliers(TensorType type, const Affine& first, const Affine& second, const Affine& output,
                                Data* data) {
    const int left_shift = type == TensorType::kInt8 ? kLeftShift<std::int8_t> : kLeftShift<std::int16_t>;
    const double twice_largest = 2.0 * double{std::max(first.scale, second.scale)};
    ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(double{first.scale} / twice_largest, &data->first));
    ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(double{second.scale} / twice_largest, &data->second));
    const float divisor = static_cast<float>(1 << (2 * left_shift)) * output.scale;
    // A shift to the left would leave 32 bits: the square has up to 31.
    return ReadSmallMultiplier(twice_largest * twice_largest / double{divisor}, 0, &data->output);
  }
};

template <typename Element>
void Run(const InvokeContext& context) {
  const auto& data = *static_cast<const SquaredDifferenceData*>(context.op_data);
  constexpr std::int32_t kUnit = 1 << kLeftShift<Element>;
  MapBroadcast<Element>(context, [&](Element a, Element b) {
    const std::int32_t x = MultiplyByQuantizedMultiplier((a + data.first_offset) * kUnit, data.first);
    const std::int32_t y = MultiplyByQuantizedMultiplier((b + data.second_offset) * kUnit, data.second);
    const std::int32_t square = MultiplyByQuantizedMultiplier((x - y) * (x - y), data.output);
    return ClampTo<Element>(WrappingAdd(square, data.output_offset));
  });
}

}  // namespace

Status PrepareSquaredDifference(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(
      CheckBinary(context, {TensorType::kFloat32, TensorType::kInt32, TensorType::kInt8, TensorType::kInt16}));
  const TensorType type = context.outputs[0].type;
  if (type == TensorType::kFloat32 || type == TensorType::kInt32) return Ok();
  SquaredDifferenceData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  Affine output;
  return ReadBinaryQuantization<Difference>(context, &output, data);
}

Status InvokeSquaredDifference(const InvokeContext& context) {
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      MapBroadcast<float>(context, [](float a, float b) { return (a - b) * (a - b); });
      break;
    case TensorType::kInt32:
      // Unsigned numbers wrap alike.
      MapBroadcast<std::uint32_t>(context, [](std::uint32_t a, std::uint32_t b) { return (a - b) * (a - b); });
      break;
    case TensorType::kInt8:
      Run<std::int8_t>(context);
      break;
    default:
      Run<std::int16_t>(context);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
