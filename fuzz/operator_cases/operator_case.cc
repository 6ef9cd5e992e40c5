#include "fuzz/operator_cases/operator_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "tools/model_builder.h"

namespace arenaproof {
namespace {

using Shape = std::vector<std::int32_t>;

std::int32_t Pick(CaseRandom& random, std::int32_t least, std::int32_t most) {
  return std::uniform_int_distribution<std::int32_t>(least, most)(random);
}
bool Coin(CaseRandom& random, int one_in = 2) { return Pick(random, 1, one_in) == 1; }
float PickScale(CaseRandom& random, float least, float most) {
  return std::uniform_real_distribution<float>(least, most)(random);
}

CaseTensor Activations(CaseRandom& random, bool quantized, Shape shape) {
  CaseTensor tensor{.type = quantized ? TensorType::kInt8 : TensorType::kFloat32, .shape = std::move(shape)};
  if (quantized) {
    tensor.scales = {PickScale(random, 0.02f, 0.2f)};
    tensor.zero_point = Pick(random, -100, 100);
  }
  return tensor;
}

void FillConstant(CaseRandom& random, CaseTensor& tensor) {
  tensor.constant = true;
  const std::size_t count = tensor.count();
  if (tensor.type == TensorType::kInt8) {
    for (std::size_t i = 0; i < count; ++i) tensor.bytes.push_back(static_cast<std::byte>(Pick(random, -127, 127)));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::byte, 4> bytes;
    if (tensor.type == TensorType::kInt32) {
      const std::int32_t value = Pick(random, -500, 500);
      std::memcpy(bytes.data(), &value, 4);
    } else {
      const float value = PickScale(random, -1.0f, 1.0f);
      std::memcpy(bytes.data(), &value, 4);
    }
    tensor.bytes.insert(tensor.bytes.end(), bytes.begin(), bytes.end());
  }
}

CaseTensor Integers(const std::vector<std::int32_t>& values, Shape shape) {
  CaseTensor tensor{.type = TensorType::kInt32, .shape = std::move(shape), .constant = true};
  tensor.bytes.resize(values.size() * 4);
  if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

// Filter and bias; `channels` scales along `dimension` half of the time.
CaseTensor Filter(CaseRandom& random, bool quantized, Shape shape, std::int32_t dimension, std::int32_t channels) {
  CaseTensor tensor{.type = quantized ? TensorType::kInt8 : TensorType::kFloat32, .shape = std::move(shape)};
  if (quantized) {
    tensor.dimension = dimension;
    const std::int32_t count = Coin(random) ? channels : 1;
    for (std::int32_t i = 0; i < count; ++i) tensor.scales.push_back(PickScale(random, 0.005f, 0.03f));
  }
  FillConstant(random, tensor);
  return tensor;
}

CaseTensor Bias(CaseRandom& random, const CaseTensor& input, const CaseTensor& filter, std::int32_t channels) {
  CaseTensor tensor{.shape = {channels}};
  if (input.type == TensorType::kInt8) {
    tensor.type = TensorType::kInt32;
    for (const float scale : filter.scales) tensor.scales.push_back(input.scales[0] * scale);
  }
  FillConstant(random, tensor);
  return tensor;
}

struct Window {
  std::int32_t filter, stride, dilation, output;
};

// A window over an axis of `input` elements.
Window PickWindow(CaseRandom& random, std::int32_t input, Padding padding, bool dilates) {
  Window window{Pick(random, 1, 4), Pick(random, 1, 3), dilates ? Pick(random, 1, 3) : 1, 0};
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

Activation PickActivation(CaseRandom& random) {
  constexpr Activation kChoices[] = {Activation::kNone, Activation::kRelu, Activation::kRelu6};
  return kChoices[Pick(random, 0, 2)];
}

Padding PickPadding(CaseRandom& random) { return Coin(random) ? Padding::kSame : Padding::kValid; }

OperatorCase MakeConvolution(CaseRandom& random, bool quantized, bool depthwise) {
  const Padding padding = PickPadding(random);
  const std::int32_t batch = Pick(random, 1, 3), height = Pick(random, 1, 7), width = Pick(random, 1, 7);
  const Window rows = PickWindow(random, height, padding, true), columns = PickWindow(random, width, padding, true);
  const Activation activation = PickActivation(random);
  const std::int32_t group_count = depthwise ? 1 : Pick(random, 1, 2), per_group = Pick(random, 1, 3);
  const std::int32_t input_depth = group_count * per_group, multiplier = Pick(random, 1, 3);
  const std::int32_t output_depth = depthwise ? input_depth * multiplier : group_count * Pick(random, 1, 3);
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
  made.second_omits_last_input = Coin(random);
  made.output = Activations(random, quantized, {batch, rows.output, columns.output, output_depth});
  return made;
}

OperatorCase MakePool(CaseRandom& random, bool quantized) {
  const Padding padding = PickPadding(random);
  const std::int32_t batch = Pick(random, 1, 3), depth = Pick(random, 1, 4);
  const std::int32_t height = Pick(random, 1, 7), width = Pick(random, 1, 7);
  const Window rows = PickWindow(random, height, padding, false), columns = PickWindow(random, width, padding, false);
  OperatorCase made;
  made.code = Coin(random) ? BuiltinOperator::kAveragePool2d : BuiltinOperator::kMaxPool2d;
  made.options =
      Pool2DOptions{padding, columns.stride, rows.stride, columns.filter, rows.filter, PickActivation(random)};
  made.inputs.push_back(Activations(random, quantized, {batch, height, width, depth}));
  made.output = made.inputs[0];
  made.output.shape = {batch, rows.output, columns.output, depth};
  return made;
}

OperatorCase MakeFullyConnected(CaseRandom& random, bool quantized) {
  const std::int32_t batch = Pick(random, 1, 4), depth = Pick(random, 1, 40), rows = Pick(random, 1, 20);
  OperatorCase made;
  made.code = BuiltinOperator::kFullyConnected;
  made.options = FullyConnectedOptions{.activation = PickActivation(random)};
  made.inputs.push_back(Activations(random, quantized, {batch, depth}));
  made.inputs.push_back(Filter(random, quantized, {rows, depth}, 0, rows));
  made.inputs.push_back(Bias(random, made.inputs[0], made.inputs[1], rows));
  made.second_omits_last_input = Coin(random);
  made.output = Activations(random, quantized, {batch, rows});
  return made;
}

Shape PickShape(CaseRandom& random, std::int32_t least_rank, std::int32_t most_rank, std::int32_t most_extent) {
  Shape shape(static_cast<std::size_t>(Pick(random, least_rank, most_rank)));
  for (std::int32_t& extent : shape) extent = Pick(random, 1, most_extent);
  return shape;
}

OperatorCase MakePad(CaseRandom& random, bool quantized) {
  OperatorCase made;
  made.inputs.push_back(Activations(random, quantized, PickShape(random, 1, 5, 4)));
  made.output = made.inputs[0];
  std::vector<std::int32_t> paddings;
  for (std::int32_t& extent : made.output.shape) {
    paddings.push_back(Pick(random, 0, 2));
    paddings.push_back(Pick(random, 0, 2));
    extent += paddings[paddings.size() - 2] + paddings.back();
  }
  made.inputs.push_back(Integers(paddings, {static_cast<std::int32_t>(made.output.shape.size()), 2}));
  made.code = BuiltinOperator::kPad;
  made.options = PadOptions{};
  if (Coin(random)) {
    made.code = BuiltinOperator::kPadv2;
    made.options = PadV2Options{};
    CaseTensor value = made.inputs[0];
    value.shape = {1};
    FillConstant(random, value);
    made.inputs.push_back(value);
  }
  return made;
}

OperatorCase MakeConcatenation(CaseRandom& random, bool quantized) {
  OperatorCase made;
  made.code = BuiltinOperator::kConcatenation;
  made.output = Activations(random, quantized, PickShape(random, 1, 4, 4));
  const auto axis = static_cast<std::size_t>(Pick(random, 0, static_cast<std::int32_t>(made.output.shape.size()) - 1));
  made.output.shape[axis] = 0;
  for (std::int32_t count = Pick(random, 1, 4); count > 0; --count) {
    CaseTensor input = made.output;
    input.shape[axis] = Pick(random, 1, 5);
    made.inputs.push_back(input);
  }
  for (const CaseTensor& input : made.inputs) made.output.shape[axis] += input.shape[axis];
  const auto rank = static_cast<std::int32_t>(made.output.shape.size());
  made.options = ConcatenationOptions{.axis = static_cast<std::int32_t>(axis) - (Coin(random) ? rank : 0)};
  return made;
}

OperatorCase MakeMean(CaseRandom& random, bool quantized) {
  OperatorCase made;
  made.code = BuiltinOperator::kMean;
  made.inputs.push_back(Activations(random, quantized, PickShape(random, 1, 4, 6)));
  const Shape shape = made.inputs[0].shape;
  std::vector<std::int32_t> axes;
  const bool keep = Coin(random);
  Shape output;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const bool reduced = Coin(random);
    if (reduced) axes.push_back(static_cast<std::int32_t>(axis));
    if (!reduced) output.push_back(shape[axis]);
    if (reduced && keep) output.push_back(1);
  }
  made.inputs.push_back(Integers(axes, {static_cast<std::int32_t>(axes.size())}));
  if (axes.empty()) {
    made.inputs[1] = Integers({0}, {1});
    output = shape;
    if (keep) {
      output[0] = 1;
    } else {
      output.erase(output.begin());
    }
  }
  made.options = ReducerOptions{.keep_dims = keep};
  made.output = Activations(random, quantized, output);
  return made;
}

OperatorCase MakeSoftmax(CaseRandom& random, bool quantized) {
  OperatorCase made;
  made.code = BuiltinOperator::kSoftmax;
  made.options = SoftmaxOptions{.beta = 1.0f};
  made.inputs.push_back(Activations(random, quantized, PickShape(random, 1, 3, 9)));
  made.output = made.inputs[0];
  if (quantized) {
    made.output.scales = {1.0f / 256.0f};
    made.output.zero_point = -128;
  }
  return made;
}

OperatorCase MakeBinary(CaseRandom& random, bool quantized) {
  OperatorCase made;
  const bool adds = Coin(random);
  made.code = adds ? BuiltinOperator::kAdd : BuiltinOperator::kMul;
  const Activation activation = PickActivation(random);
  if (adds) {
    made.options = AddOptions{.activation = activation};
  } else {
    made.options = MulOptions{.activation = activation};
  }
  const Shape shape = PickShape(random, 1, 4, 5);
  for (int i = 0; i < 2; ++i) {
    Shape own = shape;
    for (std::int32_t& extent : own) extent = Coin(random, 4) ? 1 : extent;
    own.erase(own.begin(),
              own.begin() + (Coin(random, 4) ? Pick(random, 0, static_cast<std::int32_t>(own.size()) - 1) : 0));
    made.inputs.push_back(Activations(random, quantized, own));
    if (i == 1 && Coin(random, 3)) FillConstant(random, made.inputs[1]);
  }
  Shape output(std::max(made.inputs[0].shape.size(), made.inputs[1].shape.size()), 1);
  for (const CaseTensor& input : made.inputs) {
    const std::size_t skipped = output.size() - input.shape.size();
    for (std::size_t i = 0; i < input.shape.size(); ++i) {
      output[skipped + i] = std::max(output[skipped + i], input.shape[i]);
    }
  }
  made.output = Activations(random, quantized, output);
  return made;
}

OperatorCase MakeUnary(CaseRandom& random, bool quantized) {
  constexpr BuiltinOperator kCodes[] = {
      BuiltinOperator::kRelu,    BuiltinOperator::kRelu6,    BuiltinOperator::kLogistic,  BuiltinOperator::kTanh,
      BuiltinOperator::kReshape, BuiltinOperator::kQuantize, BuiltinOperator::kDequantize};
  OperatorCase made;
  made.code = kCodes[Pick(random, 0, 6)];
  const bool dequantizes = made.code == BuiltinOperator::kDequantize;
  made.inputs.push_back(Activations(random, quantized || dequantizes, PickShape(random, 1, 4, 5)));
  made.output = made.inputs[0];
  if (made.code == BuiltinOperator::kReshape) {
    made.options = ReshapeOptions{};
    made.output.shape = {static_cast<std::int32_t>(made.inputs[0].count())};
  } else if (made.code == BuiltinOperator::kQuantize || (quantized && made.code == BuiltinOperator::kRelu)) {
    made.output = Activations(random, true, made.inputs[0].shape);
  } else if (dequantizes) {
    made.output = Activations(random, false, made.inputs[0].shape);
  } else if (quantized && made.code == BuiltinOperator::kLogistic) {
    made.output.scales = {1.0f / 256.0f};
    made.output.zero_point = -128;
  } else if (quantized && made.code == BuiltinOperator::kTanh) {
    made.output.scales = {1.0f / 128.0f};
    made.output.zero_point = 0;
  }
  if (made.code == BuiltinOperator::kQuantize) made.options = QuantizeOptions{};
  if (dequantizes) made.options = DequantizeOptions{};
  return made;
}

}  // namespace

std::size_t CaseTensor::count() const {
  std::size_t product = 1;
  for (const std::int32_t extent : shape) product *= static_cast<std::size_t>(extent);
  return product;
}

std::string OperatorCase::Describe() const {
  std::string text = BuiltinOperatorName(code);
  const auto add = [&](const CaseTensor& tensor) {
    text += tensor.constant ? " constant " : " ";
    text += TensorTypeName(tensor.type);
    text += "[";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(tensor.shape[i]);
    text += "]";
  };
  for (const CaseTensor& input : inputs) add(input);
  text += " ->";
  add(output);
  if (second_omits_last_input) text += ", the second without its last input";
  return text;
}

OperatorCase MakeCase(CaseRandom& random) {
  const bool quantized = Coin(random);
  switch (Pick(random, 0, 10)) {
    case 0:
    case 1:
      return MakeConvolution(random, quantized, false);
    case 2:
      return MakeConvolution(random, quantized, true);
    case 3:
      return MakePool(random, quantized);
    case 4:
      return MakeFullyConnected(random, quantized);
    case 5:
      return MakePad(random, quantized);
    case 6:
      return MakeConcatenation(random, quantized);
    case 7:
      return MakeMean(random, quantized);
    case 8:
      return MakeSoftmax(random, quantized);
    case 9:
      return MakeBinary(random, quantized);
    default:
      return MakeUnary(random, quantized);
  }
}

std::vector<std::byte> ModelOf(const OperatorCase& subject) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto add = [&](const CaseTensor& tensor) {
    TensorSpec spec{.type = tensor.type, .shape = tensor.shape};
    if (!tensor.scales.empty()) {
      spec.quantization = QuantizationSpec{
          tensor.scales, std::vector<std::int64_t>(tensor.scales.size(), tensor.zero_point), tensor.dimension};
    }
    // Some producers align data to 4 bytes only.
    if (tensor.constant) spec.buffer = builder.AddBuffer(tensor.bytes, tensor.count() % 2 == 0);
    return graph.AddTensor(spec);
  };
  std::vector<std::int32_t> inputs;
  for (const CaseTensor& input : subject.inputs) {
    inputs.push_back(add(input));
    if (!input.constant) graph.inputs.push_back(inputs.back());
  }
  const std::uint32_t code = builder.AddCode(subject.code);
  for (int i = 0; i < 2; ++i) {
    graph.outputs.push_back(add(subject.output));
    if (i == 1 && subject.second_omits_last_input) inputs.back() = -1;
    graph.AddOperator({.code = code, .inputs = inputs, .outputs = {graph.outputs.back()}, .options = subject.options});
  }
  return builder.Finish();
}

}  // namespace arenaproof
