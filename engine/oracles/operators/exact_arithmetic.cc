#include "engine/oracles/operators/exact_arithmetic.h"

#include <algorithm>
#include <cmath>

#include "engine/oracles/operators/operator_sums.h"
#include "engine/oracles/operators/quantized_bounds.h"

namespace arenaproof::props {
namespace {

bool IsWide(const OperatorCase& k) { return k.output.type == TensorType::kInt16; }

template <typename Combine>
Values BroadcastCentered(const OperatorCase& k, Combine combine) {
  return Broadcast(k, CenteredValues(k.inputs[0]), CenteredValues(k.inputs[1]), combine);
}

double TwiceTheLargerScale(const OperatorCase& k) { return 2 * std::max(ScaleOf(k.inputs[0]), ScaleOf(k.inputs[1])); }

// Two terms with `fraction_bits`, in units of twice the larger scale.
struct CommonScale {
  double fraction;
  Ratio first, second;

  CommonScale(int fraction_bits, double of_first, double of_second)
      : fraction(std::ldexp(1.0, fraction_bits)), first(RatioOf(of_first)), second(RatioOf(of_second)) {}
  std::int64_t First(double a) const { return Rescaled(Integer(a * fraction), first); }
  std::int64_t Second(double b) const { return Rescaled(Integer(b * fraction), second); }
};

}  // namespace

// SUB makes its three ratios in float.
Values ExactSum(const OperatorCase& k) {
  const bool subtracts = k.code == BuiltinOperator::kSub;
  const int fraction_bits = IsWide(k) ? 15 : 20;
  const double twice_larger = TwiceTheLargerScale(k);
  const double unit = std::ldexp(ScaleOf(k.output), fraction_bits);
  const auto ratio = [&](double a, double b) {
    return subtracts ? double{static_cast<float>(a) / static_cast<float>(b)} : a / b;
  };
  const CommonScale terms(fraction_bits, ratio(ScaleOf(k.inputs[0]), twice_larger),
                          ratio(ScaleOf(k.inputs[1]), twice_larger));
  const Ratio to_output = RatioOf(ratio(twice_larger, unit));
  return BroadcastCentered(k, [&](double a, double b) {
    const std::int64_t sum = terms.First(a) + (subtracts ? -terms.Second(b) : terms.Second(b));
    return Finished(static_cast<double>(sum), to_output, k);
  });
}

Values ExactProduct(const OperatorCase& k) {
  const Ratio ratio = RatioOf(ScaleOf(k.inputs[0]) * ScaleOf(k.inputs[1]) / ScaleOf(k.output));
  return BroadcastCentered(k, [&](double a, double b) { return Finished(a * b, ratio, k); });
}

// The unit of the squares is made in float.
Values ExactSquaredDifference(const OperatorCase& k) {
  const int fraction_bits = IsWide(k) ? 0 : 7;
  const double twice_larger = TwiceTheLargerScale(k);
  const CommonScale terms(fraction_bits, ScaleOf(k.inputs[0]) / twice_larger, ScaleOf(k.inputs[1]) / twice_larger);
  const float unit = std::ldexp(k.output.scales[0], 2 * fraction_bits);
  const Ratio to_output = RatioOf(twice_larger * twice_larger / double{unit});
  return BroadcastCentered(k, [&](double a, double b) {
    const auto difference = static_cast<double>(terms.First(a) - terms.Second(b));
    return Finished(difference * difference, to_output, k);
  });
}

Values ExactPrelu(const OperatorCase& k) {
  const double scale = ScaleOf(k.inputs[0]);
  const Ratio positive = RatioOf(scale / ScaleOf(k.output));
  const Ratio negative = RatioOf(scale * ScaleOf(k.inputs[1]) / ScaleOf(k.output));
  return BroadcastCentered(
      k, [&](double x, double alpha) { return x >= 0 ? Finished(x, positive, k) : Finished(x * alpha, negative, k); });
}

// The reciprocal of the divisor's leading bits, times the dividend moved as far up as it goes; the ratio, and one
// division by all the powers of two at the end. What is divided by more than 2^31 is 0.
Values ExactQuotient(const OperatorCase& k) {
  const float divisor_unit = k.inputs[1].scales[0] * k.output.scales[0];
  const Ratio ratio = RatioOf(double{k.inputs[0].scales[0] / divisor_unit});
  const Bounds bounds = BoundsOf(FusedActivation(k), k.output);
  return BroadcastCentered(k, [&](double a, double b) {
    std::int64_t dividend = Integer(b < 0 ? -a : a), divisor = Integer(std::fabs(b));
    int exponent = -ratio.exponent;
    for (int bits = 0; bits < 31 && dividend >= -(1 << 30) && dividend < 1 << 30; ++bits) {
      dividend *= 2;
      ++exponent;
    }
    exponent += 31;
    for (; divisor < std::int64_t{1} << 31; divisor *= 2) --exponent;
    const std::int64_t reciprocal = OneOver(divisor - (std::int64_t{1} << 31));
    const std::int64_t quotient = HighProduct(HighProduct(dividend, reciprocal), ratio.mantissa);
    const std::int64_t result = exponent > 31 ? 0 : DividedByPowerOfTwo(quotient, exponent);
    return bounds.Clamped(static_cast<double>(result + k.output.zero_point));
  });
}

// With 19 fraction bits, in units of twice the scale. The reference takes off one zero point more than there are
// inputs.
Values ExactSumOfAll(const OperatorCase& k) {
  const Ratio ratio = RatioOf(2 * ScaleOf(k.inputs[0]) / std::ldexp(ScaleOf(k.output), 20));
  Values sums(k.output.count(), -k.inputs[0].zero_point);
  for (const CaseTensor& input : k.inputs) {
    const Values terms = CenteredValues(input);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += terms[i];
  }
  for (double& sum : sums) sum = Finished(std::ldexp(sum, 19), ratio, k);
  return sums;
}

// Eight fraction bits of the real values decide.
Values ExactComparison(const OperatorCase& k) {
  const CommonScale values(8, ScaleOf(k.inputs[0]), ScaleOf(k.inputs[1]));
  return BroadcastCentered(k, [&](double a, double b) {
    return Compared(k.code, static_cast<double>(values.First(a)), static_cast<double>(values.Second(b)));
  });
}

}  // namespace arenaproof::props
