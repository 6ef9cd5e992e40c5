// ELU, RELU, RELU6, LEAKY_RELU, LOGISTIC, TANH, HARD_SWISH.
#include <algorithm>
#include <cmath>

#include "engine/oracles/operators/definitions/element_parts.h"
#include "engine/oracles/operators/sigmoid_table_definition.h"

namespace arenaproof::props {
namespace {

using enum BuiltinOperator;

bool IsOfFloat32(const OperatorCase& k) { return k.output.type == TensorType::kFloat32; }

double ScaleOfInput(const OperatorCase& k) { return double{k.inputs[0].scales[0]}; }

// Input steps in one of the output's, in float.
float StepsOfInput(const OperatorCase& k) { return k.inputs[0].scales[0] / k.output.scales[0]; }

Expected Elu(const OperatorCase& k) {
  if (IsOfFloat32(k)) {
    return OfEachFloat(k, [](float x) { return x < 0.0f ? std::expm1(x) : x; });
  }
  const float step = k.inputs[0].scales[0], steps_in_one = 1.0f / k.output.scales[0];
  return OfEach(k, [&](double q) {
    const float x = step * static_cast<float>(q - k.inputs[0].zero_point);
    const float result = x < 0.0f ? std::exp(x) - 1.0f : x;
    return WithinType(k.output.type, double{std::round(result * steps_in_one)} + k.output.zero_point);
  });
}

Expected Relu(const OperatorCase& k) {
  if (IsOfFloat32(k)) {
    return OfEach(k, [](double x) { return x < 0.0 ? 0.0 : x; });
  }
  const Ratio ratio = RatioOf(double{StepsOfInput(k)});
  return OfEachCentered(k, [&](std::int64_t x) { return std::max<std::int64_t>(0, Rescaled(x, ratio)); });
}

// Integers keep the input's quantisation, whatever the output's is.
Expected Relu6(const OperatorCase& k) {
  const auto limited = [](double x, double least, double most) { return x > most ? most : x < least ? least : x; };
  if (IsOfFloat32(k)) {
    return OfEach(k, [&](double x) { return limited(x, 0.0, 6.0); });
  }
  const double zero = k.inputs[0].zero_point;
  const double six = WithinType(k.output.type, zero + double{std::round(6.0f / k.inputs[0].scales[0])});
  return OfEach(k, [&](double x) { return limited(x, zero, six); });
}

Expected LeakyRelu(const OperatorCase& k) {
  const float alpha = std::get<LeakyReluOptions>(k.options).alpha;
  if (IsOfFloat32(k)) {
    return OfEachFloat(k, [&](float x) { return x > 0.0f ? x : x * alpha; });
  }
  const float slope = k.inputs[0].scales[0] * alpha / k.output.scales[0];  // in float
  const Ratio positive = RatioOf(double{StepsOfInput(k)});
  const Ratio negative = slope == 0.0f ? Ratio{} : RatioOf(std::fabs(double{slope}));
  return OfEachCentered(k, [&](std::int64_t x) {
    if (x >= 0) return Rescaled(x, positive);
    return alpha < 0.0f ? -Rescaled(x, negative) : Rescaled(x, negative);
  });
}

// LOGISTIC and TANH of int8, by fixed-point functions of an argument with 27 fraction bits, that give fractions of
// 2^31. From 15 on they have reached their limits. The output's quantisation is not read.
Expected SigmoidOfInt8(const OperatorCase& k, std::int64_t (*function)(std::int64_t), int bits_less, double offset) {
  const Ratio ratio = RatioOf(std::ldexp(ScaleOfInput(k), 27));
  const auto radius = static_cast<std::int64_t>(std::floor(std::ldexp(15.0, 27 - ratio.exponent)));
  return OfEach(k, [&](double q) {
    const std::int64_t x = static_cast<std::int64_t>(q) - k.inputs[0].zero_point;
    if (x <= -radius) return -128.0;
    if (x >= radius) return 127.0;
    const auto result = static_cast<double>(DividedByPowerOfTwo(function(Rescaled(x, ratio)), bits_less));
    return WithinType(k.output.type, result + offset);
  });
}

// Of int16, by a table whose argument has 12288 steps in one. A step of the input is so many of them, as a whole number
// for powers of two from 2^-12 to 2^most_exponent of that, else with as many fraction bits as 15 bits leave room for.
Expected SigmoidOfInt16(const OperatorCase& k, std::int64_t (*function)(std::int64_t), int most_exponent) {
  int exponent = 0, fraction_bits = 0;
  const bool is_power = IsNearPowerOfTwo(ScaleOfInput(k), &exponent);
  exponent += 12;
  double factor = ScaleOfInput(k) * 12288.0;
  if (is_power && exponent >= 0 && exponent <= most_exponent) {
    factor = std::ldexp(3.0, exponent);
  } else {
    for (; factor * 2.0 <= 32767.0 && fraction_bits < 31; ++fraction_bits) factor *= 2.0;
    factor = std::floor(factor);
  }
  // To the nearest, ties up.
  return OfEach(k, [&](double x) {
    const double argument = std::ldexp(x * factor, -fraction_bits);
    return static_cast<double>(
        function(static_cast<std::int64_t>(std::floor(argument + (fraction_bits > 0 ? 0.5 : 0)))));
  });
}

// The bounds are the reference's.
float LogisticOfReal(float x) {
  if (x > 16.619047164916992f) return 1.0f;
  return x < -9.0f ? std::exp(x) : 1.0f / (1.0f + std::exp(-x));
}

Expected Logistic(const OperatorCase& k) {
  if (IsOfFloat32(k)) return OfEachFloat(k, LogisticOfReal);
  if (k.output.type == TensorType::kInt16) return SigmoidOfInt16(k, LogisticByTable, 0);
  return SigmoidOfInt8(k, LogisticOf, 23, -128);
}

Expected Tanh(const OperatorCase& k) {
  if (IsOfFloat32(k)) {
    return OfEachFloat(k, [](float x) { return std::tanh(x); });
  }
  if (k.output.type == TensorType::kInt16) return SigmoidOfInt16(k, TanhByTable, 1);
  return SigmoidOfInt8(k, TanhOf, 24, 0);
}

// ---- HARD_SWISH of int8, in 16 bits

std::int64_t Saturated16(std::int64_t value) { return std::clamp<std::int64_t>(value, -32768, 32767); }

// 2ab / 2^16 to the nearest, ties up.
std::int64_t HighProduct16(std::int64_t a, std::int64_t b) {
  return Saturated16(static_cast<std::int64_t>(std::floor(static_cast<double>(a * b) / 32768.0 + 0.5)));
}

// A mantissa of 15 bits instead of 31.
Ratio Ratio16Of(float value) {
  const Ratio ratio = RatioOf(double{value});
  return {std::min<std::int64_t>((ratio.mantissa + 32768) / 65536, 32767), ratio.exponent};
}

Expected HardSwish(const OperatorCase& k) {
  if (IsOfFloat32(k)) {
    return OfEachFloat(k, [](float x) {
      const float above = x + 3.0f;
      return x * (above > 6.0f ? 6.0f : above > 0.0f ? above : 0.0f) / 6.0f;
    });
  }
  const float finer = k.inputs[0].scales[0] / 128.0f;
  const Ratio to_output = Ratio16Of(finer / k.output.scales[0]), to_ramp = Ratio16Of(finer / (3.0f / 32768.0f));
  return OfEachCentered(k, [&](std::int64_t centered) {
    const std::int64_t x = centered * 128;
    // x / 3, saturated, the last doubling behind the product; then (x / 3 + 1) / 2 as a fraction of 2^15.
    std::int64_t ramp = x;
    if (to_ramp.exponent > 0) ramp = Saturated16(ramp << (to_ramp.exponent - 1));
    ramp = HighProduct16(ramp, to_ramp.mantissa);
    if (to_ramp.exponent > 0) ramp = Saturated16(2 * ramp);
    if (to_ramp.exponent < 0) ramp = DividedByPowerOfTwo(ramp, -to_ramp.exponent);
    ramp = (ramp + 32768) / 2;
    const std::int64_t product = ramp * HighProduct16(x, to_output.mantissa) / 32768;  // towards zero
    return DividedByPowerOfTwo(product, -to_output.exponent);
  });
}

constexpr OperatorDefinition kActivations[] = {
    {kElu, [](const OperatorCase& k) { return std::vector{Elu(k)}; }},
    {kRelu, [](const OperatorCase& k) { return std::vector{Relu(k)}; }},
    {kRelu6, [](const OperatorCase& k) { return std::vector{Relu6(k)}; }},
    {kLeakyRelu, [](const OperatorCase& k) { return std::vector{LeakyRelu(k)}; }},
    {kLogistic, [](const OperatorCase& k) { return std::vector{Logistic(k)}; }},
    {kTanh, [](const OperatorCase& k) { return std::vector{Tanh(k)}; }},
    {kHardSwish, [](const OperatorCase& k) { return std::vector{HardSwish(k)}; }},
};

}  // namespace

std::span<const OperatorDefinition> ActivationDefinitions() { return kActivations; }

}  // namespace arenaproof::props
