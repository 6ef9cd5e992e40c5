// ELU: x, or exp(x) - 1 where x is negative. int8 goes through a table that prepare fills.
#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct EluTable {
  std::array<std::int8_t, 256> values{};  // by the input's byte

  std::int8_t& At(std::int8_t input) { return values[static_cast<std::uint8_t>(input)]; }
};
ARENAPROOF_PIN_BYTES(EluTable, 256, 1, 256, 1);

// All in float. A value beyond 32 bits, which the reference converts unchecked, saturates.
std::int8_t EluOfInt8(std::int32_t value, const Affine& input, const Affine& output) {
  const float x = input.scale * static_cast<float>(value - input.zero_point);
  const float result = x < 0.0f ? std::exp(x) - 1.0f : x;
  const float rounded = std::round(result * (1.0f / output.scale));
  constexpr float kBound = 512.0f;  // two zero points further out than any int8 result
  const float bounded = rounded >= -kBound ? std::min(rounded, kBound) : -kBound;
  return ClampToInt8(static_cast<std::int32_t>(bounded) + output.zero_point, QuantizedRange{});
}

}  // namespace

Status PrepareElu(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckUnary(context));
  if (context.outputs[0].type == TensorType::kFloat32) return Ok();
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, 0, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  EluTable* table = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &table));
  for (std::int32_t value = -128; value <= 127; ++value) {
    table->At(static_cast<std::int8_t>(value)) = EluOfInt8(value, input, output);
  }
  return Ok();
}

Status InvokeElu(const InvokeContext& context) {
  if (context.outputs[0].type == TensorType::kFloat32) {
    MapElements<float>(context, [](float x) { return x < 0.0f ? std::expm1(x) : x; });
    return Ok();
  }
  auto& table = *static_cast<EluTable*>(context.op_data);
  MapElements<std::int8_t>(context, [&](std::int8_t value) { return table.At(value); });
  return Ok();
}

}  // namespace arenaproof::reference
