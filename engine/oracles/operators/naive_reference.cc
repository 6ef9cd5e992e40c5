#include "engine/oracles/operators/naive_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/oracles/operators/operator_sums.h"

namespace arenaproof::props {
namespace {

double Activated(double value, Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return std::max(value, 0.0);
    case Activation::kReluN1To1:
      return std::min(std::max(value, -1.0), 1.0);
    case Activation::kRelu6:
      return std::min(std::max(value, 0.0), 6.0);
    default:
      return value;
  }
}

Values RealSoftmax(const OperatorCase& k, const Values& input) {
  const auto length = static_cast<std::size_t>(k.inputs[0].shape.back());
  const double beta = double{std::get<SoftmaxOptions>(k.options).beta};
  Values result(input.size());
  for (std::size_t row = 0; row < input.size(); row += length) {
    // Less the largest, which changes no quotient: no power leaves the type.
    const double most = *std::max_element(&input[row], &input[row] + length);
    double sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += std::exp(beta * (input[row + i] - most));
    for (std::size_t i = 0; i < length; ++i) result[row + i] = std::exp(beta * (input[row + i] - most)) / sum;
  }
  return result;
}

// int8 values meet with 8 fraction bits, each rounded: two steps of that grid decide, unless both have one
// quantisation, where every difference is larger.
Values RealComparison(const OperatorCase& k, const Values& first, const Values& second) {
  constexpr double kResolution = 2.0 / 256.0;
  const bool rescaled = k.inputs[0].type == TensorType::kInt8;
  const bool alike = k.inputs[0].scales == k.inputs[1].scales && k.inputs[0].zero_point == k.inputs[1].zero_point;
  return Broadcast(k, first, second, [&](double a, double b) {
    const bool decided = !rescaled || alike || std::fabs(a - b) > kResolution;
    return decided ? Compared(k.code, a, b) : std::numeric_limits<double>::quiet_NaN();
  });
}

double RealOfOne(BuiltinOperator code, double value) {
  switch (code) {
    case BuiltinOperator::kRelu:
      return Activated(value, Activation::kRelu);
    case BuiltinOperator::kRelu6:
      return Activated(value, Activation::kRelu6);
    case BuiltinOperator::kLogistic:
      return 1.0 / (1.0 + std::exp(-value));
    case BuiltinOperator::kTanh:
      return std::tanh(value);
    default:
      return value;
  }
}

Values RealsBeforeActivation(const OperatorCase& k, const std::vector<Values>& operands, bool omit_last_input) {
  switch (k.code) {
    case BuiltinOperator::kConv2d:
    case BuiltinOperator::kDepthwiseConv2d:
      return Convolution(k, operands, omit_last_input);
    case BuiltinOperator::kAveragePool2d:
    case BuiltinOperator::kMaxPool2d:
      return Pool(k, operands[0]);
    case BuiltinOperator::kFullyConnected:
      return FullyConnected(k, operands, omit_last_input);
    case BuiltinOperator::kPad:
    case BuiltinOperator::kPadv2:
      return Pad(k, operands[0], k.inputs.size() == 3 ? operands[2][0] : 0.0);
    case BuiltinOperator::kConcatenation:
      return Concatenation(k, operands);
    case BuiltinOperator::kMean: {
      double count = 0;
      Values sums = SumsOverAxes(k, operands[0], &count);
      for (double& sum : sums) sum /= count;
      return sums;
    }
    case BuiltinOperator::kSoftmax:
      return RealSoftmax(k, operands[0]);
    case BuiltinOperator::kAdd:
      return Broadcast(k, operands[0], operands[1], [](double a, double b) { return a + b; });
    case BuiltinOperator::kMul:
      return Broadcast(k, operands[0], operands[1], [](double a, double b) { return a * b; });
    case BuiltinOperator::kReshape:
      return StoredValues(k.inputs[0]);
    default:
      break;
  }
  if (k.output.type == TensorType::kBool) return RealComparison(k, operands[0], operands[1]);
  Values values = operands[0];
  for (double& value : values) value = RealOfOne(k.code, value);
  return values;
}

double StepsOff(BuiltinOperator code) {
  switch (code) {
    case BuiltinOperator::kPad:
    case BuiltinOperator::kPadv2:
    case BuiltinOperator::kConcatenation:
    case BuiltinOperator::kMaxPool2d:
      return 0;
    case BuiltinOperator::kSoftmax:
    case BuiltinOperator::kLogistic:
    case BuiltinOperator::kTanh:
      return 2;
    default:
      return 1;
  }
}

// From here on a float sum may leave its type on the way, or keep nothing of its smaller terms.
constexpr double kFarOut = 1e6;

// The largest sum of magnitudes: rounding errors of float sums are a part of it, however much cancels out. Infinite
// when there is a value that is no number.
double LargestMagnitude(const OperatorCase& k, std::vector<Values> operands) {
  double largest = 1;
  for (Values& values : operands) {
    for (double& value : values) {
      value = std::isnan(value) ? std::numeric_limits<double>::infinity() : std::fabs(value);
      largest = std::max(largest, value);
    }
  }
  for (const double value : RealsBeforeActivation(k, operands, false)) largest = std::max(largest, value);
  return largest;
}

// A float that several operations make depends on their order.
bool TakesSeveralRoundings(BuiltinOperator code) {
  switch (code) {
    case BuiltinOperator::kConv2d:
    case BuiltinOperator::kDepthwiseConv2d:
    case BuiltinOperator::kAveragePool2d:
    case BuiltinOperator::kFullyConnected:
    case BuiltinOperator::kMean:
    case BuiltinOperator::kSoftmax:
    case BuiltinOperator::kLogistic:
    case BuiltinOperator::kTanh:
      return true;
    default:
      return false;
  }
}

}  // namespace

Expected ExpectedOutput(const OperatorCase& subject, bool omit_last_input) {
  std::vector<Values> operands;
  for (const CaseTensor& input : subject.inputs) operands.push_back(RealValues(input));
  Expected expected{RealsBeforeActivation(subject, operands, omit_last_input), 0};
  for (double& value : expected.values) value = Activated(value, FusedActivation(subject));
  if (subject.code == BuiltinOperator::kReshape) return expected;
  if (subject.output.type == TensorType::kInt8) {
    expected.tolerance = StepsOff(subject.code);
    for (double& value : expected.values) {
      value = std::round(value / double{subject.output.scales[0]}) + subject.output.zero_point;
      value = std::min(std::max(value, -128.0), 127.0);
    }
  } else if (subject.output.type == TensorType::kFloat32 && LargestMagnitude(subject, operands) > kFarOut) {
    expected.values.assign(expected.values.size(), std::numeric_limits<double>::quiet_NaN());
  } else if (subject.output.type == TensorType::kFloat32) {
    // One operation in double and then in float rounds as one operation in float does.
    for (double& value : expected.values) value = double{static_cast<float>(value)};
    if (TakesSeveralRoundings(subject.code)) expected.tolerance = 4e-6 * LargestMagnitude(subject, operands);
  }
  return expected;
}

}  // namespace arenaproof::props
