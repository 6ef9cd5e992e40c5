#include "engine/oracles/operators/exact_reference.h"

#include <algorithm>
#include <cmath>

#include "engine/oracles/operators/exact_arithmetic.h"
#include "engine/oracles/operators/operator_sums.h"
#include "engine/oracles/operators/quantized_bounds.h"

namespace arenaproof::props {
namespace {

// The ratio of each output channel; that of one scale for a whole filter is made in float where the kernels do.
std::vector<Ratio> ChannelRatios(const OperatorCase& k) {
  const CaseTensor& input = k.inputs[0];
  const CaseTensor& filter = k.inputs[1];
  std::vector<Ratio> ratios;
  for (const float scale : filter.scales) {
    const bool product_in_float = k.code == BuiltinOperator::kFullyConnected && filter.scales.size() == 1;
    const double product = product_in_float ? double{input.scales[0] * scale} : ScaleOf(input) * double{scale};
    ratios.push_back(RatioOf(product / ScaleOf(k.output)));
  }
  return ratios;
}

Values SumsOfProducts(const OperatorCase& k, bool omit_bias) {
  std::vector<Values> operands;
  for (const CaseTensor& input : k.inputs) operands.push_back(CenteredValues(input));
  Values values = k.code == BuiltinOperator::kFullyConnected ? FullyConnected(k, operands, omit_bias)
                                                             : Convolution(k, operands, omit_bias);
  const std::vector<Ratio> ratios = ChannelRatios(k);
  const auto channels = static_cast<std::size_t>(k.output.shape.back());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = Finished(values[i], ratios[ratios.size() == 1 ? 0 : i % channels], k);
  }
  return values;
}

Values Pools(const OperatorCase& k) {
  Values values = Pool(k, StoredValues(k.inputs[0]));
  const Bounds bounds = BoundsOf(FusedActivation(k), k.output);
  for (double& value : values) value = bounds.Clamped(std::round(value));
  return values;
}

// The division by the count goes into the mantissa, cut off, after as many bits as there is room for.
Values Mean(const OperatorCase& k) {
  double count = 0;
  Values sums = SumsOverAxes(k, StoredValues(k.inputs[0]), &count);
  const Ratio ratio = RatioOf(ScaleOf(k.inputs[0]) / ScaleOf(k.output));
  const int room = std::min({static_cast<int>(std::floor(std::log2(count))), 32, 31 + ratio.exponent});
  const Ratio divided{Integer(std::floor(std::ldexp(static_cast<double>(ratio.mantissa), room) / count)),
                      ratio.exponent - room};
  for (double& sum : sums) sum = Finished(sum - k.inputs[0].zero_point * count, divided, k);
  return sums;
}

Values QuantizedSoftmax(const OperatorCase& k) {
  constexpr int kSumIntegerBits = 12;
  const double beta = double{std::get<SoftmaxOptions>(k.options).beta};
  const Ratio ratio = RatioOf(std::min(std::ldexp(beta * ScaleOf(k.inputs[0]), 26), 2147483647.0));
  const double radius = std::floor(std::ldexp(31.0, 26 - ratio.exponent));
  const Values input = StoredValues(k.inputs[0]);
  const auto length = static_cast<std::size_t>(k.inputs[0].shape.back());
  Values result(input.size());
  for (std::size_t row = 0; row < input.size(); row += length) {
    const double most = *std::max_element(&input[row], &input[row] + length);
    const auto power = [&](std::size_t i) { return ExpOf(Rescaled(Integer(input[row + i] - most), ratio)); };
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
      if (most - input[row + i] <= radius) sum += DividedByPowerOfTwo(power(i), kSumIntegerBits);
    }
    int headroom = 0;
    while (sum < std::int64_t{1} << 31) {
      sum *= 2;
      ++headroom;
    }
    const std::int64_t reciprocal = OneOver(sum - (std::int64_t{1} << 31));
    for (std::size_t i = 0; i < length; ++i) {
      result[row + i] = -128;
      if (most - input[row + i] > radius) continue;
      const std::int64_t part =
          DividedByPowerOfTwo(HighProduct(reciprocal, power(i)), kSumIntegerBits - headroom + 31 - 8);
      result[row + i] = Bounds{}.Clamped(static_cast<double>(part) - 128);
    }
  }
  return result;
}

Values Sigmoid(const OperatorCase& k) {
  const bool tanh = k.code == BuiltinOperator::kTanh;
  const Ratio ratio = RatioOf(std::ldexp(ScaleOf(k.inputs[0]), 27));
  const double radius = std::floor(std::ldexp(15.0, 27 - ratio.exponent));
  Values values = CenteredValues(k.inputs[0]);
  for (double& value : values) {
    if (std::fabs(value) >= radius) {
      value = value < 0 ? -128 : 127;
      continue;
    }
    const std::int64_t x = Rescaled(Integer(value), ratio);
    value =
        static_cast<double>(tanh ? DividedByPowerOfTwo(TanhOf(x), 24) : DividedByPowerOfTwo(LogisticOf(x), 23) - 128);
    value = Bounds{}.Clamped(value);
  }
  return values;
}

Values Relu(const OperatorCase& k) {
  const Ratio ratio = RatioOf(double{k.inputs[0].scales[0] / k.output.scales[0]});
  const Bounds bounds = BoundsOf(Activation::kRelu, k.output);
  Values values = CenteredValues(k.inputs[0]);
  for (double& value : values) {
    value = bounds.Clamped(static_cast<double>(Rescaled(Integer(value), ratio)) + k.output.zero_point);
  }
  return values;
}

Values Relu6(const OperatorCase& k) {
  const Bounds bounds = BoundsOf(Activation::kRelu6, k.inputs[0]);
  Values values = StoredValues(k.inputs[0]);
  for (double& value : values) value = bounds.Clamped(value);
  return values;
}

Values Quantized(const OperatorCase& k) {
  Values values = CenteredValues(k.inputs[0]);
  if (k.inputs[0].type == TensorType::kFloat32) {
    for (double& value : values) {
      const double steps = double{std::round(static_cast<float>(value) / k.output.scales[0])};
      value = std::isnan(steps) ? Bounds{}.least : Bounds{}.Clamped(steps + k.output.zero_point);
    }
    return values;
  }
  const Ratio ratio = RatioOf(ScaleOf(k.inputs[0]) / ScaleOf(k.output));
  for (double& value : values) value = Finished(value, ratio, k);
  return values;
}

// In double, then one rounding to float.
Values Dequantized(const OperatorCase& k) {
  Values values = CenteredValues(k.inputs[0]);
  for (double& value : values) value = double{static_cast<float>(ScaleOf(k.inputs[0]) * value)};
  return values;
}

}  // namespace

std::optional<Values> ExactOutput(const OperatorCase& k, bool omit_last_input) {
  if (k.code == BuiltinOperator::kDequantize) return Dequantized(k);
  if (k.output.type == TensorType::kBool && k.code != BuiltinOperator::kReshape) {
    if (k.inputs[0].type == TensorType::kInt8) return ExactComparison(k);
    return std::nullopt;
  }
  if (k.output.type != TensorType::kInt8) return std::nullopt;
  switch (k.code) {
    case BuiltinOperator::kConv2d:
    case BuiltinOperator::kDepthwiseConv2d:
    case BuiltinOperator::kFullyConnected:
      return SumsOfProducts(k, omit_last_input);
    case BuiltinOperator::kAveragePool2d:
    case BuiltinOperator::kMaxPool2d:
      return Pools(k);
    case BuiltinOperator::kMean:
      return Mean(k);
    case BuiltinOperator::kAdd:
      return ExactSum(k);
    case BuiltinOperator::kMul:
      return ExactProduct(k);
    case BuiltinOperator::kSoftmax:
      return QuantizedSoftmax(k);
    case BuiltinOperator::kLogistic:
    case BuiltinOperator::kTanh:
      return Sigmoid(k);
    case BuiltinOperator::kRelu:
      return Relu(k);
    case BuiltinOperator::kRelu6:
      return Relu6(k);
    case BuiltinOperator::kQuantize:
      return Quantized(k);
    default:
      return std::nullopt;  // copies: the definition on real numbers is exact
  }
}

}  // namespace arenaproof::props
