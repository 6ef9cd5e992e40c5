#include "props/operators/naive_reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace arenaproof::props {
namespace {

using Values = std::vector<double>;

// Real values of a tensor's elements.
Values RealValues(const CaseTensor& tensor) {
  Values values(tensor.count());
  std::size_t inner = 1;  // elements per step along the quantised dimension
  for (std::size_t axis = static_cast<std::size_t>(tensor.dimension) + 1; axis < tensor.shape.size(); ++axis) {
    inner *= static_cast<std::size_t>(tensor.shape[axis]);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double scale = tensor.scales.empty()       ? 1.0
                         : tensor.scales.size() == 1 ? double{tensor.scales[0]}
                                                     : double{tensor.scales[i / inner % tensor.scales.size()]};
    if (tensor.type == TensorType::kInt8) {
      values[i] = (static_cast<std::int8_t>(tensor.bytes[i]) - tensor.zero_point) * scale;
    } else if (tensor.type == TensorType::kInt32) {
      std::int32_t value = 0;
      std::memcpy(&value, tensor.bytes.data() + 4 * i, 4);
      values[i] = value * scale;
    } else {
      float value = 0;
      std::memcpy(&value, tensor.bytes.data() + 4 * i, 4);
      values[i] = double{value};
    }
  }
  return values;
}

std::int32_t IntegerAt(const CaseTensor& tensor, std::size_t i) {
  std::int32_t value = 0;
  std::memcpy(&value, tensor.bytes.data() + 4 * i, 4);
  return value;
}

double Activated(double value, Activation activation) {
  if (activation == Activation::kRelu) return std::max(value, 0.0);
  if (activation == Activation::kRelu6) return std::min(std::max(value, 0.0), 6.0);
  return value;
}

// Index of the element at `position`, row-major.
std::size_t At(const std::vector<std::int32_t>& shape, const std::vector<std::int32_t>& position) {
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    index = index * static_cast<std::size_t>(shape[axis]) + static_cast<std::size_t>(position[axis]);
  }
  return index;
}

// The position that element `index` has.
std::vector<std::int32_t> PositionOf(const std::vector<std::int32_t>& shape, std::size_t index) {
  std::vector<std::int32_t> position(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    position[axis] = static_cast<std::int32_t>(index % static_cast<std::size_t>(shape[axis]));
    index /= static_cast<std::size_t>(shape[axis]);
  }
  return position;
}

std::int32_t PaddingBefore(Padding padding, std::int32_t input, std::int32_t output, std::int32_t filter,
                           std::int32_t stride, std::int32_t dilation) {
  if (padding == Padding::kValid) return 0;
  return std::max(0, (output - 1) * stride + (filter - 1) * dilation + 1 - input) / 2;
}

struct Geometry {
  Padding padding;
  std::int32_t stride_h, stride_w, dilation_h, dilation_w, filter_h, filter_w;
};

// Calls tap(filter row, filter column, input row, input column) for each tap of an output element inside the image.
template <typename Tap>
void ForEachTap(const Geometry& g, const std::vector<std::int32_t>& in, const std::vector<std::int32_t>& out,
                std::int32_t out_y, std::int32_t out_x, Tap tap) {
  const std::int32_t top = PaddingBefore(g.padding, in[1], out[1], g.filter_h, g.stride_h, g.dilation_h);
  const std::int32_t left = PaddingBefore(g.padding, in[2], out[2], g.filter_w, g.stride_w, g.dilation_w);
  for (std::int32_t row = 0; row < g.filter_h; ++row) {
    for (std::int32_t column = 0; column < g.filter_w; ++column) {
      const std::int32_t y = out_y * g.stride_h - top + row * g.dilation_h;
      const std::int32_t x = out_x * g.stride_w - left + column * g.dilation_w;
      if (y >= 0 && y < in[1] && x >= 0 && x < in[2]) tap(row, column, y, x);
    }
  }
}

Values Convolution(const OperatorCase& k, bool omit_bias) {
  const bool depthwise = k.code == BuiltinOperator::kDepthwiseConv2d;
  const auto& in = k.inputs[0].shape;
  const auto& filter = k.inputs[1].shape;
  const auto& out = k.output.shape;
  Geometry g{};
  Activation activation{};
  if (const auto* c = std::get_if<Conv2DOptions>(&k.options)) {
    g = {c->padding, c->stride_h, c->stride_w, c->dilation_h, c->dilation_w, filter[1], filter[2]};
    activation = c->activation;
  } else if (const auto* d = std::get_if<DepthwiseConv2DOptions>(&k.options)) {
    g = {d->padding, d->stride_h, d->stride_w, d->dilation_h, d->dilation_w, filter[1], filter[2]};
    activation = d->activation;
  }
  const Values input = RealValues(k.inputs[0]), weights = RealValues(k.inputs[1]), bias = RealValues(k.inputs[2]);
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto p = PositionOf(out, i);
    double sum = omit_bias ? 0.0 : bias[static_cast<std::size_t>(p[3])];
    ForEachTap(g, in, out, p[1], p[2], [&](std::int32_t row, std::int32_t column, std::int32_t y, std::int32_t x) {
      if (depthwise) {
        const std::int32_t channel = p[3] / (out[3] / in[3]);
        sum += input[At(in, {p[0], y, x, channel})] * weights[At(filter, {0, row, column, p[3]})];
        return;
      }
      const std::int32_t group = p[3] / (out[3] / (in[3] / filter[3]));
      for (std::int32_t c = 0; c < filter[3]; ++c) {
        sum += input[At(in, {p[0], y, x, group * filter[3] + c})] * weights[At(filter, {p[3], row, column, c})];
      }
    });
    result[i] = Activated(sum, activation);
  }
  return result;
}

Values Pool(const OperatorCase& k) {
  const auto& in = k.inputs[0].shape;
  const auto& out = k.output.shape;
  const auto& options = std::get<Pool2DOptions>(k.options);
  const Geometry g{options.padding,       options.stride_h,    options.stride_w, 1, 1,
                   options.filter_height, options.filter_width};
  const Values input = RealValues(k.inputs[0]);
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto p = PositionOf(out, i);
    double sum = 0, most = -std::numeric_limits<double>::infinity();
    int count = 0;
    ForEachTap(g, in, out, p[1], p[2], [&](std::int32_t, std::int32_t, std::int32_t y, std::int32_t x) {
      const double value = input[At(in, {p[0], y, x, p[3]})];
      sum += value;
      most = std::max(most, value);
      ++count;
    });
    result[i] = Activated(k.code == BuiltinOperator::kMaxPool2d ? most : sum / count, options.activation);
  }
  return result;
}

Values FullyConnected(const OperatorCase& k, bool omit_bias) {
  const Values input = RealValues(k.inputs[0]), weights = RealValues(k.inputs[1]), bias = RealValues(k.inputs[2]);
  const auto depth = static_cast<std::size_t>(k.inputs[1].shape[1]);
  const auto rows = static_cast<std::size_t>(k.inputs[1].shape[0]);
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    double sum = omit_bias ? 0.0 : bias[i % rows];
    for (std::size_t c = 0; c < depth; ++c) sum += input[i / rows * depth + c] * weights[i % rows * depth + c];
    result[i] = Activated(sum, std::get<FullyConnectedOptions>(k.options).activation);
  }
  return result;
}

Values Pad(const OperatorCase& k) {
  const Values input = RealValues(k.inputs[0]);
  const double fill = k.inputs.size() == 3 ? RealValues(k.inputs[2])[0] : 0.0;
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto p = PositionOf(k.output.shape, i);
    bool inside = true;
    for (std::size_t axis = 0; axis < p.size(); ++axis) {
      p[axis] -= IntegerAt(k.inputs[1], 2 * axis);
      inside = inside && p[axis] >= 0 && p[axis] < k.inputs[0].shape[axis];
    }
    result[i] = inside ? input[At(k.inputs[0].shape, p)] : fill;
  }
  return result;
}

Values Concatenation(const OperatorCase& k) {
  const std::int32_t asked = std::get<ConcatenationOptions>(k.options).axis;
  const auto axis =
      static_cast<std::size_t>(asked < 0 ? asked + static_cast<std::int32_t>(k.output.shape.size()) : asked);
  std::vector<Values> inputs;
  for (const CaseTensor& input : k.inputs) inputs.push_back(RealValues(input));
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto p = PositionOf(k.output.shape, i);
    std::size_t source = 0;
    while (p[axis] >= k.inputs[source].shape[axis]) p[axis] -= k.inputs[source++].shape[axis];
    result[i] = inputs[source][At(k.inputs[source].shape, p)];
  }
  return result;
}

Values Mean(const OperatorCase& k) {
  const Values input = RealValues(k.inputs[0]);
  const auto& shape = k.inputs[0].shape;
  std::vector<bool> reduced(shape.size(), false);
  for (std::size_t i = 0; i < k.inputs[1].count(); ++i)
    reduced[static_cast<std::size_t>(IntegerAt(k.inputs[1], i))] = true;
  Values result(k.output.count(), 0.0);
  for (std::size_t i = 0; i < input.size(); ++i) {
    const auto p = PositionOf(shape, i);
    std::size_t to = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (!reduced[axis]) to = to * static_cast<std::size_t>(shape[axis]) + static_cast<std::size_t>(p[axis]);
    }
    result[to] += input[i];
  }
  const double count = static_cast<double>(input.size()) / static_cast<double>(result.size());
  for (double& value : result) value /= count;
  return result;
}

Values Softmax(const OperatorCase& k) {
  const Values input = RealValues(k.inputs[0]);
  const auto length = static_cast<std::size_t>(k.inputs[0].shape.back());
  const double beta = double{std::get<SoftmaxOptions>(k.options).beta};
  Values result(input.size());
  for (std::size_t row = 0; row < input.size(); row += length) {
    double sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += std::exp(beta * input[row + i]);
    for (std::size_t i = 0; i < length; ++i) result[row + i] = std::exp(beta * input[row + i]) / sum;
  }
  return result;
}

Values Binary(const OperatorCase& k) {
  const auto value_at = [&](const CaseTensor& tensor, const Values& values, std::vector<std::int32_t> p) {
    p.erase(p.begin(), p.end() - static_cast<std::ptrdiff_t>(tensor.shape.size()));
    for (std::size_t axis = 0; axis < p.size(); ++axis) p[axis] = tensor.shape[axis] == 1 ? 0 : p[axis];
    return values[At(tensor.shape, p)];
  };
  const Values a = RealValues(k.inputs[0]), b = RealValues(k.inputs[1]);
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto p = PositionOf(k.output.shape, i);
    const double x = value_at(k.inputs[0], a, p), y = value_at(k.inputs[1], b, p);
    const auto* add = std::get_if<AddOptions>(&k.options);
    result[i] = add != nullptr ? Activated(x + y, add->activation)
                               : Activated(x * y, std::get<MulOptions>(k.options).activation);
  }
  return result;
}

Values Unary(const OperatorCase& k) {
  Values values = RealValues(k.inputs[0]);
  for (double& value : values) {
    if (k.code == BuiltinOperator::kRelu) value = std::max(value, 0.0);
    if (k.code == BuiltinOperator::kRelu6) value = std::min(std::max(value, 0.0), 6.0);
    if (k.code == BuiltinOperator::kLogistic) value = 1.0 / (1.0 + std::exp(-value));
    if (k.code == BuiltinOperator::kTanh) value = std::tanh(value);
  }
  return values;
}

Values RealOutput(const OperatorCase& k, bool omit_last_input) {
  switch (k.code) {
    case BuiltinOperator::kConv2d:
    case BuiltinOperator::kDepthwiseConv2d:
      return Convolution(k, omit_last_input);
    case BuiltinOperator::kAveragePool2d:
    case BuiltinOperator::kMaxPool2d:
      return Pool(k);
    case BuiltinOperator::kFullyConnected:
      return FullyConnected(k, omit_last_input);
    case BuiltinOperator::kPad:
    case BuiltinOperator::kPadv2:
      return Pad(k);
    case BuiltinOperator::kConcatenation:
      return Concatenation(k);
    case BuiltinOperator::kMean:
      return Mean(k);
    case BuiltinOperator::kSoftmax:
      return Softmax(k);
    case BuiltinOperator::kAdd:
    case BuiltinOperator::kMul:
      return Binary(k);
    default:
      return Unary(k);
  }
}

// Quantised results may be off by what fixed-point multipliers and tables lose.
double StepsOff(BuiltinOperator code) {
  switch (code) {
    case BuiltinOperator::kPad:
    case BuiltinOperator::kPadv2:
    case BuiltinOperator::kConcatenation:
    case BuiltinOperator::kReshape:
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

}  // namespace

Expected ExpectedOutput(const OperatorCase& subject, bool omit_last_input) {
  Expected expected{RealOutput(subject, omit_last_input), 0};
  if (subject.output.type == TensorType::kInt8) {
    expected.tolerance = StepsOff(subject.code);
    for (double& value : expected.values) {
      value = std::round(value / double{subject.output.scales[0]}) + subject.output.zero_point;
      value = std::min(std::max(value, -128.0), 127.0);
    }
    return expected;
  }
  double largest = 1;
  for (const double value : expected.values) largest = std::max(largest, std::fabs(value));
  expected.tolerance = 1e-5 * largest;
  return expected;
}

}  // namespace arenaproof::props
