#include "engine/oracles/operators/exact_floats.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/oracles/operators/operator_sums.h"

namespace arenaproof::props {

float Clamped(float value, Activation activation) {
  float least = std::numeric_limits<float>::lowest(), most = std::numeric_limits<float>::max();
  if (activation != Activation::kNone) least = activation == Activation::kReluN1To1 ? -1.0f : 0.0f;
  if (activation == Activation::kReluN1To1) most = 1.0f;
  if (activation == Activation::kRelu6) most = 6.0f;
  if (value < least) return least;
  return value > most ? most : value;
}

float FloatLogistic(float x) {
  if (x > 16.619047164916992f) return 1.0f;
  return x < -9.0f ? std::exp(x) : 1.0f / (1.0f + std::exp(-x));
}

namespace {

using Floats = Numbers<float>;

Floats FloatSoftmax(const OperatorCase& k, Floats values) {
  const auto length = static_cast<std::size_t>(k.inputs[0].shape.back());
  const float beta = std::get<SoftmaxOptions>(k.options).beta;
  for (std::size_t row = 0; row < values.size(); row += length) {
    float most = std::numeric_limits<float>::lowest(), sum = 0.0f;
    for (std::size_t i = row; i < row + length; ++i) most = values[i] > most ? values[i] : most;
    for (std::size_t i = row; i < row + length; ++i) {
      values[i] = std::exp((values[i] - most) * beta);
      sum += values[i];
    }
    for (std::size_t i = row; i < row + length; ++i) values[i] /= sum;
  }
  return values;
}

float FloatOfOne(BuiltinOperator code, float x) {
  switch (code) {
    case BuiltinOperator::kRelu:
      return x < 0.0f ? 0.0f : x;
    case BuiltinOperator::kRelu6:
      return Clamped(x, Activation::kRelu6);
    case BuiltinOperator::kLogistic:
      return FloatLogistic(x);
    case BuiltinOperator::kTanh:
      return std::tanh(x);
    default:
      return x;  // copies
  }
}

Floats FloatsBeforeActivation(const OperatorCase& k, const std::vector<Floats>& operands, bool omit_last_input) {
  switch (k.code) {
    case BuiltinOperator::kConv2d:
    case BuiltinOperator::kDepthwiseConv2d:
      return Convolution(k, operands, omit_last_input);
    case BuiltinOperator::kFullyConnected:
      return FullyConnected(k, operands, omit_last_input);
    case BuiltinOperator::kAveragePool2d:
    case BuiltinOperator::kMaxPool2d:
      return Pool(k, operands[0]);
    case BuiltinOperator::kAdd:
      return Broadcast(k, operands[0], operands[1], [](float a, float b) { return a + b; });
    case BuiltinOperator::kSub:
      return Broadcast(k, operands[0], operands[1], [](float a, float b) { return a - b; });
    case BuiltinOperator::kDiv:
      return Broadcast(k, operands[0], operands[1], [](float a, float b) { return a / b; });
    default:
      return Broadcast(k, operands[0], operands[1], [](float a, float b) { return a * b; });
  }
}

Floats Output(const OperatorCase& k, const std::vector<Floats>& operands, bool omit_last_input) {
  switch (k.code) {
    case BuiltinOperator::kConcatenation:
      return Concatenation(k, operands);
    case BuiltinOperator::kPad:
    case BuiltinOperator::kPadv2:
      return Pad(k, operands[0], k.inputs.size() == 3 ? operands[2][0] : 0.0f);
    case BuiltinOperator::kSoftmax:
      return FloatSoftmax(k, operands[0]);
    case BuiltinOperator::kMean: {
      float count = 0.0f;
      Floats sums = SumsOverAxes(k, operands[0], &count);
      for (float& sum : sums) sum /= count;
      return sums;
    }
    case BuiltinOperator::kReshape:
    case BuiltinOperator::kRelu:
    case BuiltinOperator::kRelu6:
    case BuiltinOperator::kLogistic:
    case BuiltinOperator::kTanh: {
      Floats values = operands[0];
      for (float& value : values) value = FloatOfOne(k.code, value);
      return values;
    }
    default: {
      Floats values = FloatsBeforeActivation(k, operands, omit_last_input);
      for (float& value : values) value = Clamped(value, FusedActivation(k));
      return values;
    }
  }
}

}  // namespace

bool IsOfFloats(const OperatorCase& subject) {
  return subject.inputs[0].type == TensorType::kFloat32 && subject.output.type == TensorType::kFloat32;
}

Values ExactFloats(const OperatorCase& subject, bool omit_last_input) {
  std::vector<Floats> operands;
  for (const CaseTensor& input : subject.inputs) {
    const Values stored = StoredValues(input);
    operands.emplace_back(stored.begin(), stored.end());
  }
  const Floats output = Output(subject, operands, omit_last_input);
  return Values(output.begin(), output.end());
}

}  // namespace arenaproof::props
