// DIV (float32, int8, plain int32), FLOOR_DIV and FLOOR_MOD (float32) of two operands, broadcast. A divisor of zero is
// a failure of invoke, except in FLOOR_MOD, which has NaN there.
#include <cmath>
#include <limits>

#include "kernels/reference/binary.h"
#include "kernels/reference/families.h"
#include "kernels/reference/fixed_point_functions.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kDivisor = 1;

struct DivData : BinaryData {
  QuantizedMultiplier multiplier;
};
ARENAPROOF_PIN_BYTES(DivData, 36, 4, 36, 4);

// Up to this shift of the ratio every quotient of int8 values is divided by a power of two at the end, never
// multiplied.
constexpr std::int32_t kMostShift = 23;

struct Division {
  using Data = DivData;
  static constexpr bool kSymmetricInt16 = false;  // which it has none of

  static Status ReadMultipliers(TensorType, const Affine& first, const Affine& second, const Affine& output,
                                Data* data) {
    const float ratio = first.scale / (second.scale * output.scale);  // in float, as the reference does
    return ReadSmallMultiplier(double{ratio}, kMostShift, &data->multiplier);
  }
};

template <typename Element>
Status CheckDivisors(const InvokeContext& context, Element zero) {
  const ElementReader<Element> divisors(context.inputs[kDivisor]);
  const std::size_t count = context.inputs[kDivisor].element_count();
  for (std::size_t i = 0; i < count; ++i) {
    if (divisors[i] == zero) return Failure(StatusCode::kKernelDivisor, kDivisor, i);
  }
  return Ok();
}

// Number of bits below the sign bit that equal it, in one run.
int SignBitCopies(std::int32_t value) {
  return CountLeadingZeros(static_cast<std::uint32_t>(value < 0 ? ~value : value)) - 1;
}

// n / d without zero points; d is not 0, both are within +-255.
std::int32_t DivideCentered(std::int32_t n, std::int32_t d, QuantizedMultiplier ratio) {
  if (d < 0) {
    n = -n;
    d = -d;
  }
  const int headroom = CountLeadingZeros(static_cast<std::uint32_t>(d));
  const auto excess = static_cast<std::int32_t>((static_cast<std::uint32_t>(d) << headroom) - (std::uint32_t{1} << 31));
  const int spare = SignBitCopies(n);
  const std::int32_t quotient =
      SaturatingRoundingDoublingHighMultiply(WrappingShiftLeft(n, spare), OneOverOnePlus(excess));
  return RoundingDivideByPowerOfTwo(SaturatingRoundingDoublingHighMultiply(quotient, ratio.multiplier),
                                    31 - headroom + spare - ratio.shift);
}

Status DivideInt8(const InvokeContext& context, const DivData& data) {
  ARENAPROOF_RETURN_IF_ERROR(CheckDivisors(context, static_cast<std::int8_t>(-data.second_offset)));
  MapBroadcast<std::int8_t>(context, [&](std::int8_t a, std::int8_t b) {
    const std::int32_t scaled = DivideCentered(a + data.first_offset, b + data.second_offset, data.multiplier);
    return ClampToInt8(scaled + data.output_offset, data.range);
  });
  return Ok();
}

Status DivideInt32(const InvokeContext& context, const DivData& data) {
  ARENAPROOF_RETURN_IF_ERROR(CheckDivisors(context, std::int32_t{0}));
  const ElementReader<std::int32_t> first(context.inputs[0]);
  const ElementReader<std::int32_t> second(context.inputs[kDivisor]);
  const ElementWriter<std::int32_t> output(context.outputs[0]);
  Status status = Ok();
  ForEachBroadcast(context.inputs[0], context.inputs[kDivisor], context.outputs[0],
                   [&](std::size_t to, std::size_t i, std::size_t j) {
                     if (!status.ok()) return;
                     if (first[i] == std::numeric_limits<std::int32_t>::min() && second[j] == -1) {
                       status = Failure(StatusCode::kKernelDivisor, kDivisor, j);
                       return;
                     }
                     output.Store(to, Clamp(first[i] / second[j], data.range));
                   });
  return status;
}

}  // namespace

Status PrepareDiv(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckBinary(context, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt32}));
  const DivOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  DivData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      return ReadActivationRange(options->activation, &data->float_range);
    case TensorType::kInt8:
      return PrepareQuantizedBinary<Division>(context, options->activation, data);
    default:
      for (const Operand& input : context.inputs) {
        if (input.quantization.present()) {
          return Failure(StatusCode::kKernelUnsupported, KernelFeature::kQuantizedInt32);
        }
      }
      return ReadActivationRange(options->activation, &data->range);
  }
}

Status InvokeDiv(const InvokeContext& context) {
  const auto& data = *static_cast<const DivData*>(context.op_data);
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      ARENAPROOF_RETURN_IF_ERROR(CheckDivisors(context, 0.0f));
      MapBroadcast<float>(context, [&](float a, float b) { return Clamp(a / b, data.float_range); });
      return Ok();
    case TensorType::kInt8:
      return DivideInt8(context, data);
    default:
      return DivideInt32(context, data);
  }
}

Status PrepareFloorDiv(PrepareContext& context) { return CheckBinary(context, {TensorType::kFloat32}); }

Status InvokeFloorDiv(const InvokeContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckDivisors(context, 0.0f));
  MapBroadcast<float>(context, [](float a, float b) { return std::floor(double{a} / double{b}); });
  return Ok();
}

Status InvokeFloorMod(const InvokeContext& context) {
  MapBroadcast<float>(context, [](float a, float b) {
    const float remainder = std::fmod(a, b);
    return remainder != 0.0f && (b < 0.0f) != (remainder < 0.0f) ? remainder + b : remainder;
  });
  return Ok();
}

}  // namespace arenaproof::reference
