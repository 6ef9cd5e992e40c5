#include "engine/oracles/operators/operator_sums.h"

#include <algorithm>
#include <limits>

namespace arenaproof::props {
namespace {

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

}  // namespace

template <typename Number>
Numbers<Number> Convolution(const OperatorCase& k, const std::vector<Numbers<Number>>& operands, bool omit_bias) {
  const bool depthwise = k.code == BuiltinOperator::kDepthwiseConv2d;
  const auto& in = k.inputs[0].shape;
  const auto& filter = k.inputs[1].shape;
  const auto& out = k.output.shape;
  Geometry g{};
  if (const auto* c = std::get_if<Conv2DOptions>(&k.options)) {
    g = {c->padding, c->stride_h, c->stride_w, c->dilation_h, c->dilation_w, filter[1], filter[2]};
  } else if (const auto* d = std::get_if<DepthwiseConv2DOptions>(&k.options)) {
    g = {d->padding, d->stride_h, d->stride_w, d->dilation_h, d->dilation_w, filter[1], filter[2]};
  }
  const Numbers<Number>&input = operands[0], &weights = operands[1], &bias = operands[2];
  Numbers<Number> result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto p = PositionOf(out, i);
    Number sum = 0;
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
    result[i] = omit_bias ? sum : sum + bias[static_cast<std::size_t>(p[3])];
  }
  return result;
}

template <typename Number>
Numbers<Number> FullyConnected(const OperatorCase& k, const std::vector<Numbers<Number>>& operands, bool omit_bias) {
  const Numbers<Number>&input = operands[0], &weights = operands[1], &bias = operands[2];
  const auto depth = static_cast<std::size_t>(k.inputs[1].shape[1]);
  const auto outputs = static_cast<std::size_t>(k.output.shape.back());
  Numbers<Number> result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t batch = i / outputs, row = i % outputs;
    Number sum = 0;
    for (std::size_t c = 0; c < depth; ++c) sum += input[batch * depth + c] * weights[row * depth + c];
    result[i] = omit_bias ? sum : sum + bias[row];
  }
  return result;
}

template <typename Number>
Numbers<Number> TransposeConvolution(const OperatorCase& k, const std::vector<Numbers<Number>>& operands,
                                     bool omit_bias) {
  const auto& options = std::get<TransposeConvOptions>(k.options);
  const auto &filter = k.inputs[1].shape, &in = k.inputs[2].shape, &out = k.output.shape;
  // As if the output were the image of a convolution.
  const auto padding = [&](std::size_t axis, std::int32_t stride) {
    return PaddingBefore(options.padding, out[axis], (out[axis] + stride - 1) / stride, filter[axis], stride, 1);
  };
  const std::int32_t top = padding(1, options.stride_h), left = padding(2, options.stride_w);
  Numbers<Number> result(k.output.count(), Number{0});
  for (std::size_t i = 0; i < operands[2].size(); ++i) {
    const auto p = PositionOf(in, i);
    for (std::int32_t row = 0; row < filter[1]; ++row) {
      const std::int64_t y = std::int64_t{p[1]} * options.stride_h - top + row;
      if (y < 0 || y >= out[1]) continue;
      for (std::int32_t column = 0; column < filter[2]; ++column) {
        const std::int64_t x = std::int64_t{p[2]} * options.stride_w - left + column;
        if (x < 0 || x >= out[2]) continue;
        for (std::int32_t c = 0; c < out[3]; ++c) {
          result[At(out, {p[0], static_cast<std::int32_t>(y), static_cast<std::int32_t>(x), c})] +=
              operands[2][i] * operands[1][At(filter, {c, row, column, p[3]})];
        }
      }
    }
  }
  if (omit_bias) return result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += operands[3][i % operands[3].size()];
  return result;
}

template <typename Number>
Numbers<Number> BatchMatMul(const OperatorCase& k, const std::vector<Numbers<Number>>& operands) {
  const auto& options = std::get<BatchMatMulOptions>(k.options);
  const std::size_t rank = k.output.shape.size();
  const auto value_at = [&](std::size_t operand, std::vector<std::int32_t> p, std::int32_t row, std::int32_t column,
                            bool turned) {
    const auto& shape = k.inputs[operand].shape;
    p.erase(p.begin(), p.end() - static_cast<std::ptrdiff_t>(shape.size()));
    for (std::size_t axis = 0; axis + 2 < p.size(); ++axis) p[axis] = shape[axis] == 1 ? 0 : p[axis];
    p[p.size() - 2] = turned ? column : row;
    p[p.size() - 1] = turned ? row : column;
    return operands[operand][At(shape, p)];
  };
  const auto& first = k.inputs[0].shape;
  const std::int32_t depth = first[first.size() - (options.adj_x ? 2 : 1)];
  Numbers<Number> result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto p = PositionOf(k.output.shape, i);
    Number sum = 0;
    for (std::int32_t d = 0; d < depth; ++d) {
      sum += value_at(0, p, p[rank - 2], d, options.adj_x) * value_at(1, p, d, p[rank - 1], options.adj_y);
    }
    result[i] = sum;
  }
  return result;
}

template <typename Number>
Numbers<Number> Pool(const OperatorCase& k, const Numbers<Number>& input) {
  const auto& in = k.inputs[0].shape;
  const auto& out = k.output.shape;
  const auto& options = std::get<Pool2DOptions>(k.options);
  const Geometry g{options.padding,       options.stride_h,    options.stride_w, 1, 1,
                   options.filter_height, options.filter_width};
  Numbers<Number> result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto p = PositionOf(out, i);
    Number sum = 0, most = std::numeric_limits<Number>::lowest();
    int count = 0;
    ForEachTap(g, in, out, p[1], p[2], [&](std::int32_t, std::int32_t, std::int32_t y, std::int32_t x) {
      const Number value = input[At(in, {p[0], y, x, p[3]})];
      sum += value;
      most = std::max(most, value);
      ++count;
    });
    result[i] = k.code == BuiltinOperator::kMaxPool2d ? most : sum / static_cast<Number>(count);
  }
  return result;
}

template <typename Number>
Numbers<Number> Pad(const OperatorCase& k, const Numbers<Number>& input, Number fill) {
  Numbers<Number> result(k.output.count());
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

template <typename Number>
Numbers<Number> Concatenation(const OperatorCase& k, const std::vector<Numbers<Number>>& inputs) {
  const std::int32_t asked = std::get<ConcatenationOptions>(k.options).axis;
  const auto axis =
      static_cast<std::size_t>(asked < 0 ? asked + static_cast<std::int32_t>(k.output.shape.size()) : asked);
  Numbers<Number> result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto p = PositionOf(k.output.shape, i);
    std::size_t source = 0;
    while (p[axis] >= k.inputs[source].shape[axis]) p[axis] -= k.inputs[source++].shape[axis];
    result[i] = inputs[source][At(k.inputs[source].shape, p)];
  }
  return result;
}

std::vector<std::size_t> ReducedPlaces(const OperatorCase& k) {
  const auto& shape = k.inputs[0].shape;
  const auto rank = static_cast<std::int32_t>(shape.size());
  std::vector<std::size_t> steps(shape.size(), 1);
  for (std::size_t i = 0; i < k.inputs[1].count(); ++i) {
    steps[static_cast<std::size_t>((IntegerAt(k.inputs[1], i) + rank) % rank)] = 0;
  }
  std::size_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (steps[axis] == 0) continue;
    steps[axis] = step;
    step *= static_cast<std::size_t>(shape[axis]);
  }
  std::vector<std::size_t> places(k.inputs[0].count(), 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::size_t rest = i;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      places[i] += rest % static_cast<std::size_t>(shape[axis]) * steps[axis];
      rest /= static_cast<std::size_t>(shape[axis]);
    }
  }
  return places;
}

template <typename Number>
Numbers<Number> SumsOverAxes(const OperatorCase& k, const Numbers<Number>& input, Number* element_count) {
  Numbers<Number> result(k.output.count(), Number{0});
  const std::vector<std::size_t> places = ReducedPlaces(k);
  for (std::size_t i = 0; i < input.size(); ++i) result[places[i]] += input[i];
  *element_count = static_cast<Number>(input.size() / result.size());
  return result;
}

std::size_t BroadcastIndex(const CaseTensor& operand, const CaseTensor& output, std::size_t index) {
  const std::size_t shared = std::min(operand.shape.size(), output.shape.size());
  std::size_t result = 0, step = 1;
  for (std::size_t place = 1; place <= shared; ++place) {
    const auto extent = static_cast<std::size_t>(operand.shape[operand.shape.size() - place]);
    const auto to = static_cast<std::size_t>(output.shape[output.shape.size() - place]);
    if (extent != 1) result += index % to * step;
    step *= extent;
    index /= to;
  }
  return result;
}

double Compared(BuiltinOperator code, double a, double b) {
  switch (code) {
    case BuiltinOperator::kEqual:
      return a == b;
    case BuiltinOperator::kNotEqual:
      return a != b;
    case BuiltinOperator::kLess:
      return a < b;
    case BuiltinOperator::kLessEqual:
      return a <= b;
    case BuiltinOperator::kGreater:
      return a > b;
    default:
      return a >= b;
  }
}

Activation FusedActivation(const OperatorCase& k) {
  return std::visit(
      [](const auto& options) {
        if constexpr (requires { options.activation; }) {
          return options.activation;
        } else {
          return Activation::kNone;
        }
      },
      k.options);
}

#define ARENAPROOF_SUMS_OF(Number)                                                                               \
  template Numbers<Number> Convolution(const OperatorCase&, const std::vector<Numbers<Number>>&, bool);          \
  template Numbers<Number> FullyConnected(const OperatorCase&, const std::vector<Numbers<Number>>&, bool);       \
  template Numbers<Number> TransposeConvolution(const OperatorCase&, const std::vector<Numbers<Number>>&, bool); \
  template Numbers<Number> BatchMatMul(const OperatorCase&, const std::vector<Numbers<Number>>&);                \
  template Numbers<Number> Pool(const OperatorCase&, const Numbers<Number>&);                                    \
  template Numbers<Number> Pad(const OperatorCase&, const Numbers<Number>&, Number);                             \
  template Numbers<Number> Concatenation(const OperatorCase&, const std::vector<Numbers<Number>>&);              \
  template Numbers<Number> SumsOverAxes(const OperatorCase&, const Numbers<Number>&, Number*)

ARENAPROOF_SUMS_OF(double);
ARENAPROOF_SUMS_OF(float);

}  // namespace arenaproof::props
