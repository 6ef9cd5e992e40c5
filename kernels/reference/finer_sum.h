// Sums of int8 values as CUMSUM and ADD_N make them: each term, less the zero point, with 19 fraction bits. The
// reference takes the zero point off once more at the start; so does this, to the bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"

namespace arenaproof::reference {

struct FinerSum {
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier multiplier;  // shift <= 0

  static constexpr std::int64_t kUnit = 1 << 19;

  std::int64_t Start() const { return -input_zero_point * kUnit; }
  std::int64_t Term(std::int8_t value) const { return (value - input_zero_point) * kUnit; }
  // A sum beyond 32 bits, where the reference overflows, saturates.
  std::int8_t Finish(std::int64_t sum) const {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    const auto saturated = static_cast<std::int32_t>(std::clamp(sum, kLeast, kMost));
    const std::int64_t scaled = MultiplyByQuantizedMultiplier(saturated, multiplier);
    return static_cast<std::int8_t>(std::clamp<std::int64_t>(scaled + output_zero_point, -128, 127));
  }
};
ARENAPROOF_PIN_BYTES(FinerSum, 16, 4, 16, 4);

// Quantisation of the input and of output 0; the ratio of scales leaves the sum inside 32 bits.
inline Status ReadFinerSum(const PrepareContext& context, std::size_t input_operand, FinerSum* sum) {
  Affine input;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, input_operand, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  sum->input_zero_point = input.zero_point;
  sum->output_zero_point = output.zero_point;
  const double ratio = 2.0 * double{input.scale} / (double{1 << 20} * double{output.scale});
  return ReadSmallMultiplier(ratio, 0, &sum->multiplier);
}

}  // namespace arenaproof::reference
