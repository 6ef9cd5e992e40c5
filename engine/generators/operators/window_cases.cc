#include "engine/generators/operators/case_families.h"
#include "engine/generators/operators/weights.h"

namespace arenaproof {
namespace {

struct AxisWindow {
  std::int32_t filter, stride, dilation, output;
};

// A window over an axis of `input` elements.
AxisWindow PickWindow(CaseRandom& random, std::int32_t input, Padding padding, bool dilates, bool wide = false) {
  AxisWindow window{wide ? random.Between(14, 20) : random.Between(1, 4), random.Between(1, 3),
                    dilates ? random.Between(1, 3) : 1, 0};
  if (padding == Padding::kValid) {
    while ((window.filter - 1) * window.dilation + 1 > input) {
      if (window.dilation > 1) {
        --window.dilation;
      } else {
        --window.filter;
      }
    }
  }
  const std::int32_t reach = (window.filter - 1) * window.dilation + 1;
  window.output =
      padding == Padding::kSame ? (input + window.stride - 1) / window.stride : (input - reach) / window.stride + 1;
  return window;
}

Padding PickPadding(CaseRandom& random) { return random.OneIn(2) ? Padding::kSame : Padding::kValid; }

}  // namespace

OperatorCase MakeConvolution(CaseRandom& random, bool quantized, bool depthwise) {
  const Padding padding = PickPadding(random);
  const std::int32_t batch = random.Between(1, 3), height = random.Between(1, 7), width = random.Between(1, 7);
  const AxisWindow rows = PickWindow(random, height, padding, true), columns = PickWindow(random, width, padding, true);
  const Activation activation = PickActivation(random);
  const std::int32_t group_count = depthwise ? 1 : random.Between(1, 3), per_group = random.Between(1, 3);
  const std::int32_t input_depth = group_count * per_group, multiplier = random.Between(1, 3);
  const std::int32_t output_depth = depthwise ? input_depth * multiplier : group_count * random.Between(1, 3);
  OperatorCase made;
  made.inputs.push_back(Activations(random, quantized, {batch, height, width, input_depth}));
  if (depthwise) {
    made.code = BuiltinOperator::kDepthwiseConv2d;
    made.options = DepthwiseConv2DOptions{padding,    columns.stride,   rows.stride,  multiplier,
                                          activation, columns.dilation, rows.dilation};
    made.inputs.push_back(Filter(random, quantized, {1, rows.filter, columns.filter, output_depth}, 3, output_depth));
  } else {
    made.code = BuiltinOperator::kConv2d;
    made.options = Conv2DOptions{.padding = padding,
                                 .stride_w = columns.stride,
                                 .stride_h = rows.stride,
                                 .activation = activation,
                                 .dilation_w = columns.dilation,
                                 .dilation_h = rows.dilation};
    made.inputs.push_back(
        Filter(random, quantized, {output_depth, rows.filter, columns.filter, per_group}, 0, output_depth));
  }
  made.inputs.push_back(Bias(random, made.inputs[0], made.inputs[1], output_depth));
  made.second_omits_last_input = random.OneIn(2);
  made.output = Sums(random, quantized, {batch, rows.output, columns.output, output_depth});
  if (quantized) MakeTies(random, made, made.inputs[0].scales[0] * made.inputs[1].scales[0], 10);
  return made;
}

// Now and then windows so wide that their sums leave 16 bits.
OperatorCase MakePool(CaseRandom& random, bool quantized) {
  const Padding padding = PickPadding(random);
  const bool wide = random.OneIn(5);
  const std::int32_t batch = wide ? 1 : random.Between(1, 3), depth = wide ? 1 : random.Between(1, 4);
  const std::int32_t least = wide ? 16 : 1, most = wide ? 20 : 7;
  const std::int32_t height = random.Between(least, most), width = random.Between(least, most);
  const AxisWindow rows = PickWindow(random, height, padding, false, wide);
  const AxisWindow columns = PickWindow(random, width, padding, false, wide);
  OperatorCase made;
  made.code = random.OneIn(2) ? BuiltinOperator::kAveragePool2d : BuiltinOperator::kMaxPool2d;
  made.options =
      Pool2DOptions{padding, columns.stride, rows.stride, columns.filter, rows.filter, PickActivation(random)};
  made.inputs.push_back(Activations(random, quantized, {batch, height, width, depth}));
  if (wide && random.OneIn(2)) made.inputs[0].values = ValueKind::kHeaped;
  made.output = made.inputs[0];
  made.output.shape = {batch, rows.output, columns.output, depth};
  return made;
}

}  // namespace arenaproof
