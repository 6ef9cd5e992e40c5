// What prepare refuses, rule by rule: each test takes a sound operator, breaks one thing and names the status.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "kernels/kernel_refusals.h"
#include "kernels/reference/reference_kernels.h"
#include "tests/kernels/kernel_harness_support.h"

namespace arenaproof::testing {
namespace {

constexpr std::uint64_t kFirstOutput = kFirstOutputOperand;
constexpr auto kInt8 = TensorType::kInt8;
constexpr auto kInt16 = TensorType::kInt16;
constexpr auto kInt32 = TensorType::kInt32;
constexpr auto kFloat = TensorType::kFloat32;

// ---- sound operators

TestOperator FullyConnectedInt8() {
  return {BuiltinOperator::kFullyConnected,
          FullyConnectedOptions{},
          {QuantizedTensor(kInt8, {2, 6}, 0.5f, 3), Constant(QuantizedTensor(kInt8, {4, 6}, 0.25f, 0)),
           Constant(QuantizedTensor(kInt32, {4}, 0.125f, 0))},
          {QuantizedTensor(kInt8, {2, 4}, 1.0f, -5)}};
}

TestTensor PerChannel(std::vector<std::int32_t> shape, std::size_t count, std::int32_t dimension) {
  TestTensor tensor = Constant(Tensor(kInt8, std::move(shape)));
  tensor.scales.assign(count, 0.25f);
  tensor.zero_points.assign(count, 0);
  tensor.quantized_dimension = dimension;
  return tensor;
}

TestOperator ConvInt8() {
  Conv2DOptions options;
  options.padding = Padding::kValid;
  options.stride_h = options.stride_w = 1;
  return {
      BuiltinOperator::kConv2d,
      options,
      {QuantizedTensor(kInt8, {1, 5, 6, 4}, 0.5f, 3), PerChannel({6, 3, 2, 2}, 6, 0), Constant(Tensor(kInt32, {6}))},
      {QuantizedTensor(kInt8, {1, 3, 5, 6}, 1.0f, -5)}};
}

TestOperator DepthwiseInt8() {
  DepthwiseConv2DOptions options;
  options.padding = Padding::kSame;
  options.stride_h = options.stride_w = 2;
  options.depth_multiplier = 2;
  return {
      BuiltinOperator::kDepthwiseConv2d,
      options,
      {QuantizedTensor(kInt8, {2, 5, 6, 3}, 0.5f, 3), PerChannel({1, 3, 3, 6}, 6, 3), Constant(Tensor(kInt32, {6}))},
      {QuantizedTensor(kInt8, {2, 3, 3, 6}, 1.0f, -5)}};
}

TestOperator AveragePoolInt8() {
  Pool2DOptions options;
  options.padding = Padding::kValid;
  options.stride_h = options.stride_w = 2;
  options.filter_height = options.filter_width = 2;
  return {BuiltinOperator::kAveragePool2d,
          options,
          {QuantizedTensor(kInt8, {1, 4, 6, 3}, 0.5f, 3)},
          {QuantizedTensor(kInt8, {1, 2, 3, 3}, 0.5f, 3)}};
}

TestOperator SoftmaxInt8() {
  return {BuiltinOperator::kSoftmax,
          SoftmaxOptions{.beta = 1.0f},
          {QuantizedTensor(kInt8, {2, 5}, 0.1f, 3)},
          {QuantizedTensor(kInt8, {2, 5}, 1.0f / 256.0f, -128)}};
}

TestOperator Reshape() {
  return {BuiltinOperator::kReshape, std::monostate{}, {Tensor(kInt8, {2, 6})}, {Tensor(kInt8, {3, 4})}};
}

TestOperator AddInt8() {
  return {BuiltinOperator::kAdd,
          AddOptions{},
          {QuantizedTensor(kInt8, {2, 3, 4}, 0.5f, 3), QuantizedTensor(kInt8, {3, 1}, 0.25f, -3)},
          {QuantizedTensor(kInt8, {2, 3, 4}, 0.75f, 1)}};
}

TestOperator MulInt8() {
  TestOperator subject = AddInt8();
  subject.op = BuiltinOperator::kMul;
  subject.options = MulOptions{};
  return subject;
}

TestOperator ConcatenationInt8() {
  return {BuiltinOperator::kConcatenation,
          ConcatenationOptions{.axis = -1, .activation = Activation::kNone},
          {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3), QuantizedTensor(kInt8, {2, 4}, 0.5f, 3)},
          {QuantizedTensor(kInt8, {2, 7}, 0.5f, 3)}};
}

TestTensor Int32Constant(std::vector<std::int32_t> shape, const std::vector<std::int32_t>& values) {
  TestTensor tensor = Constant(Tensor(kInt32, std::move(shape)));
  tensor.bytes = BytesOf(values);
  return tensor;
}

TestOperator PadInt8() {
  return {BuiltinOperator::kPad,
          std::monostate{},
          {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3), Int32Constant({2, 2}, {1, 0, 0, 2}),
           QuantizedTensor(kInt8, {1}, 0.5f, 3)},
          {QuantizedTensor(kInt8, {3, 5}, 0.5f, 3)}};
}

TestOperator MeanInt8() {
  return {BuiltinOperator::kMean,
          ReducerOptions{.keep_dims = false},
          {QuantizedTensor(kInt8, {2, 3, 4}, 0.5f, 3), Int32Constant({2}, {1, -1})},
          {QuantizedTensor(kInt8, {2}, 0.5f, 3)}};
}

TestOperator UnaryInt8(BuiltinOperator op, float output_scale, std::int64_t output_zero_point) {
  return {op,
          std::monostate{},
          {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3)},
          {QuantizedTensor(kInt8, {2, 3}, output_scale, output_zero_point)}};
}
TestOperator LogisticInt8() { return UnaryInt8(BuiltinOperator::kLogistic, 1.0f / 256.0f, -128); }
TestOperator TanhInt8() { return UnaryInt8(BuiltinOperator::kTanh, 1.0f / 128.0f, 0); }
TestOperator ReluInt8() { return UnaryInt8(BuiltinOperator::kRelu, 0.5f, 3); }
TestOperator Relu6Int8() { return UnaryInt8(BuiltinOperator::kRelu6, 0.5f, 3); }
TestOperator QuantizeFloat() {
  return {BuiltinOperator::kQuantize,
          std::monostate{},
          {Tensor(kFloat, {2, 3})},
          {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3)}};
}
TestOperator DequantizeInt8() {
  return {BuiltinOperator::kDequantize,
          std::monostate{},
          {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3)},
          {Tensor(kFloat, {2, 3})}};
}

// ---- how to break them

template <typename Options>
Options& OptionsOf(TestOperator& subject) {
  return *std::get_if<Options>(&subject.options);
}

void Resize(TestTensor& tensor, std::vector<std::int32_t> shape) {
  const TestTensor resized = Tensor(tensor.type, std::move(shape));
  tensor.shape = resized.shape;
  tensor.bytes = resized.bytes;
}
void Retype(TestTensor& tensor, TensorType type) {
  tensor.type = type;
  Resize(tensor, tensor.shape);
}

struct Refusal {
  const char* rule;
  TestOperator (*sound)();
  std::function<void(TestOperator&)> break_it;
  StatusCode code;
  std::uint64_t first = 0;  // the status's first number: the operand, option or feature
};

std::uint64_t Option(KernelOption option) { return static_cast<std::uint64_t>(option); }
std::uint64_t Feature(KernelFeature feature) { return static_cast<std::uint64_t>(feature); }

class Refusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refusals, AreOfTheBrokenThingAlone) {
  const Refusal& refusal = GetParam();
  TestOperator subject = refusal.sound();
  ASSERT_EQ(RunKernel(ReferenceKernels(), subject).status, Ok()) << "the operator has to be sound at first";
  refusal.break_it(subject);
  const Status status = PrepareStatus(ReferenceKernels(), subject);
  EXPECT_EQ(status.code, refusal.code) << "code " << static_cast<int>(status.code) << ", numbers " << status.detail[0]
                                       << " " << status.detail[1] << " " << status.detail[2] << " " << status.detail[3];
  EXPECT_EQ(status.detail[0], refusal.first);
}

std::string NameOf(const ::testing::TestParamInfo<Refusal>& info) {
  std::string name;
  for (const char letter : std::string(info.param.rule)) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) name += letter;
    if (letter == ' ') name += '_';
  }
  return name;
}

// Rules that every kernel takes from kernels/reference/checks.h, seen through one of them.
INSTANTIATE_TEST_SUITE_P(
    Operands, Refusals,
    ::testing::Values(
        Refusal{"too few inputs", FullyConnectedInt8, [](TestOperator& s) { s.inputs.resize(1); },
                StatusCode::kKernelOperandCount, 1},
        Refusal{"too many inputs", FullyConnectedInt8, [](TestOperator& s) { s.inputs.resize(4); },
                StatusCode::kKernelOperandCount, 4},
        Refusal{"a second output", FullyConnectedInt8, [](TestOperator& s) { s.outputs.push_back(s.outputs[0]); },
                StatusCode::kKernelOperandCount, 3},
        Refusal{"no output", FullyConnectedInt8, [](TestOperator& s) { s.outputs.clear(); },
                StatusCode::kKernelOperandCount, 3},
        Refusal{"an omitted input that is needed", FullyConnectedInt8, [](TestOperator& s) { s.inputs[1] = Absent(); },
                StatusCode::kKernelOperandMissing, 1},
        Refusal{"missing options", FullyConnectedInt8, [](TestOperator& s) { s.options = std::monostate{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"options of another operator", FullyConnectedInt8, [](TestOperator& s) { s.options = AddOptions{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"more than six dimensions", Reshape, [](TestOperator& s) { s.inputs[0].shape = {1, 1, 1, 1, 1, 2, 6}; },
                StatusCode::kKernelRank, 0},
        Refusal{"a negative extent", Reshape, [](TestOperator& s) { s.outputs[0].shape = {-3, -4}; },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"extents whose product overflows", Reshape,
                [](TestOperator& s) { s.inputs[0].shape = {1 << 30, 1 << 30, 1 << 30}; }, StatusCode::kSizeOverflow,
                std::uint64_t{1} << 60},
        Refusal{"fewer bytes than the shape asks for", Reshape, [](TestOperator& s) { s.inputs[0].bytes.resize(11); },
                StatusCode::kKernelElementCount, 0},
        Refusal{"a type without a size", Reshape, [](TestOperator& s) { s.inputs[0].type = TensorType::kString; },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"no quantization", FullyConnectedInt8, [](TestOperator& s) { s.inputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, 0},
        Refusal{"two scales where one counts", FullyConnectedInt8, [](TestOperator& s) { s.inputs[0].scales = {1, 1}; },
                StatusCode::kKernelScaleCount, 0},
        Refusal{"a scale of zero", FullyConnectedInt8, [](TestOperator& s) { s.inputs[0].scales = {0}; },
                StatusCode::kKernelScale, 0},
        Refusal{"a negative scale", FullyConnectedInt8, [](TestOperator& s) { s.outputs[0].scales = {-1}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"an infinite scale", FullyConnectedInt8,
                [](TestOperator& s) { s.outputs[0].scales = {std::numeric_limits<float>::infinity()}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"a scale that is no number", FullyConnectedInt8, [](TestOperator& s) { s.inputs[0].scales = {NAN}; },
                StatusCode::kKernelScale, 0},
        Refusal{"a zero point below the type", FullyConnectedInt8,
                [](TestOperator& s) { s.inputs[0].zero_points = {-129}; }, StatusCode::kKernelZeroPoint, 0},
        Refusal{"a zero point above the type", FullyConnectedInt8,
                [](TestOperator& s) { s.outputs[0].zero_points = {std::int64_t{1} << 40}; },
                StatusCode::kKernelZeroPoint, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    FullyConnected, Refusals,
    ::testing::Values(
        Refusal{"int16", FullyConnectedInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"int4 weights", FullyConnectedInt8, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt4); },
                StatusCode::kKernelUnsupportedType, 1},
        Refusal{"float weights of int8", FullyConnectedInt8, [](TestOperator& s) { Retype(s.inputs[1], kFloat); },
                StatusCode::kKernelType, 1},
        Refusal{"a bias of int8", FullyConnectedInt8, [](TestOperator& s) { Retype(s.inputs[2], kInt8); },
                StatusCode::kKernelType, 2},
        Refusal{"an output of int16", FullyConnectedInt8, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"weights of three dimensions", FullyConnectedInt8,
                [](TestOperator& s) { Resize(s.inputs[1], {1, 4, 6}); }, StatusCode::kKernelRank, 1},
        Refusal{"a scalar output", FullyConnectedInt8, [](TestOperator& s) { Resize(s.outputs[0], {}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"a depth of zero", FullyConnectedInt8, [](TestOperator& s) { Resize(s.inputs[1], {4, 0}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"no outputs per batch", FullyConnectedInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 0}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"more outputs than rows", FullyConnectedInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 5}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an input of another size", FullyConnectedInt8, [](TestOperator& s) { Resize(s.inputs[0], {2, 5}); },
                StatusCode::kKernelElementCount, 0},
        Refusal{"a batch too few", FullyConnectedInt8, [](TestOperator& s) { Resize(s.inputs[0], {1, 6}); },
                StatusCode::kKernelElementCount, 0},
        Refusal{"a short bias", FullyConnectedInt8, [](TestOperator& s) { Resize(s.inputs[2], {3}); },
                StatusCode::kKernelElementCount, 2},
        Refusal{"a bias scale that does not fit", FullyConnectedInt8, [](TestOperator& s) { s.inputs[2].scales = {1}; },
                StatusCode::kKernelScale, 2},
        Refusal{"weights with a zero point", FullyConnectedInt8,
                [](TestOperator& s) { s.inputs[1].zero_points = {1}; }, StatusCode::kKernelZeroPoint, 1},
        Refusal{"too few channel scales", FullyConnectedInt8,
                [](TestOperator& s) { s.inputs[1].scales = {0.25f, 0.25f}; }, StatusCode::kKernelScaleCount, 1},
        Refusal{"channel scales along the depth", FullyConnectedInt8,
                [](TestOperator& s) {
                  s.inputs[1].scales.assign(4, 0.25f);
                  s.inputs[1].quantized_dimension = 1;
                },
                StatusCode::kKernelOption, Option(KernelOption::kQuantizedDimension)},
        Refusal{"fewer zero points than channel scales", FullyConnectedInt8,
                [](TestOperator& s) {
                  s.inputs[1].scales.assign(4, 0.25f);
                  s.inputs[1].zero_points.assign(3, 0);
                },
                StatusCode::kKernelScaleCount, 1},
        Refusal{"a channel scale of zero", FullyConnectedInt8,
                [](TestOperator& s) { s.inputs[1].scales = {0.25f, 0.25f, 0.0f, 0.25f}; }, StatusCode::kKernelScale,
                1},
        Refusal{"shuffled weights", FullyConnectedInt8,
                [](TestOperator& s) { OptionsOf<FullyConnectedOptions>(s).weights_format = 1; },
                StatusCode::kKernelOption, Option(KernelOption::kWeightsFormat)},
        Refusal{"an activation of tanh", FullyConnectedInt8,
                [](TestOperator& s) { OptionsOf<FullyConnectedOptions>(s).activation = Activation::kTanh; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"an activation that is none", FullyConnectedInt8,
                [](TestOperator& s) { OptionsOf<FullyConnectedOptions>(s).activation = static_cast<Activation>(99); },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"activation bounds beyond 32 bits", FullyConnectedInt8,
                [](TestOperator& s) {
                  OptionsOf<FullyConnectedOptions>(s).activation = Activation::kRelu6;
                  s.outputs[0].scales = {1e-20f};
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kActivationRange)},
        Refusal{"a multiplier of 2 to the 30th", FullyConnectedInt8,
                [](TestOperator& s) {
                  s.inputs.resize(2);
                  s.outputs[0].scales = {1e-12f};
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)},
        Refusal{"more products than 32 bits hold", FullyConnectedInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {2, 65794});
                  Resize(s.inputs[1], {4, 65794});
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kAccumulatorRange)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Convolution, Refusals,
    ::testing::Values(
        Refusal{"int16", ConvInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"int4 weights", ConvInt8, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt4); },
                StatusCode::kKernelUnsupportedType, 1},
        Refusal{"an image of three dimensions", ConvInt8, [](TestOperator& s) { Resize(s.inputs[0], {5, 6, 4}); },
                StatusCode::kKernelRank, 0},
        Refusal{"a filter of two dimensions", ConvInt8, [](TestOperator& s) { Resize(s.inputs[1], {6, 12}); },
                StatusCode::kKernelRank, 1},
        Refusal{"an empty image", ConvInt8, [](TestOperator& s) { Resize(s.inputs[0], {1, 0, 6, 4}); },
                StatusCode::kKernelDimension, 0},
        Refusal{"a filter depth of zero", ConvInt8, [](TestOperator& s) { Resize(s.inputs[1], {6, 3, 2, 0}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"groups that do not divide the input", ConvInt8,
                [](TestOperator& s) { Resize(s.inputs[1], {6, 3, 2, 3}); }, StatusCode::kKernelDimension, 1},
        Refusal{"groups that do not divide the outputs", ConvInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[1], {5, 3, 2, 2});
                  Resize(s.inputs[2], {5});
                  Resize(s.outputs[0], {1, 3, 5, 5});
                },
                StatusCode::kKernelDimension, 1},
        Refusal{"another batch", ConvInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 3, 5, 6}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output too high", ConvInt8, [](TestOperator& s) { Resize(s.outputs[0], {1, 4, 5, 6}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output too wide", ConvInt8, [](TestOperator& s) { Resize(s.outputs[0], {1, 3, 6, 6}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output too deep", ConvInt8, [](TestOperator& s) { Resize(s.outputs[0], {1, 3, 5, 7}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a short bias", ConvInt8, [](TestOperator& s) { Resize(s.inputs[2], {5}); },
                StatusCode::kKernelElementCount, 2},
        Refusal{"a stride of zero", ConvInt8, [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).stride_h = 0; },
                StatusCode::kKernelOption, Option(KernelOption::kStrideHeight)},
        Refusal{"a negative stride", ConvInt8, [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).stride_w = -1; },
                StatusCode::kKernelOption, Option(KernelOption::kStrideWidth)},
        Refusal{"a dilation of zero", ConvInt8, [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).dilation_h = 0; },
                StatusCode::kKernelOption, Option(KernelOption::kDilationHeight)},
        Refusal{"a negative dilation", ConvInt8, [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).dilation_w = -2; },
                StatusCode::kKernelOption, Option(KernelOption::kDilationWidth)},
        Refusal{"a dilation that makes the filter wider than the image", ConvInt8,
                [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).dilation_w = std::numeric_limits<int>::max(); },
                StatusCode::kKernelOption, Option(KernelOption::kFilterWidth)},
        Refusal{"an unknown padding", ConvInt8,
                [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).padding = static_cast<Padding>(7); },
                StatusCode::kKernelOption, Option(KernelOption::kPadding)},
        Refusal{"an activation of sign bit", ConvInt8,
                [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).activation = Activation::kSignBit; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"too few channel scales", ConvInt8, [](TestOperator& s) { s.inputs[1].scales.resize(5); },
                StatusCode::kKernelScaleCount, 1},
        Refusal{"channel scales along the input", ConvInt8,
                [](TestOperator& s) { s.inputs[1].quantized_dimension = 3; }, StatusCode::kKernelOption,
                Option(KernelOption::kQuantizedDimension)},
        Refusal{"weights with a zero point", ConvInt8, [](TestOperator& s) { s.inputs[1].zero_points[4] = -1; },
                StatusCode::kKernelZeroPoint, 1},
        Refusal{"a multiplier of 2 to the 30th", ConvInt8, [](TestOperator& s) { s.outputs[0].scales = {1e-12f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Depthwise, Refusals,
    ::testing::Values(
        Refusal{"another multiplier than the shapes say", DepthwiseInt8,
                [](TestOperator& s) { OptionsOf<DepthwiseConv2DOptions>(s).depth_multiplier = 1; },
                StatusCode::kKernelOption, Option(KernelOption::kDepthMultiplier)},
        Refusal{"outputs that are no multiple of the inputs", DepthwiseInt8,
                [](TestOperator& s) { Resize(s.inputs[0], {2, 5, 6, 4}); }, StatusCode::kKernelDimension, 1},
        Refusal{"a filter batch", DepthwiseInt8, [](TestOperator& s) { Resize(s.inputs[1], {2, 3, 3, 6}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"fewer zero points than scales", DepthwiseInt8, [](TestOperator& s) { s.inputs[1].zero_points = {0}; },
                StatusCode::kKernelScaleCount, 1},
        Refusal{"channel scales along the batch", DepthwiseInt8,
                [](TestOperator& s) { s.inputs[1].quantized_dimension = 0; }, StatusCode::kKernelOption,
                Option(KernelOption::kQuantizedDimension)},
        Refusal{"a stride of zero", DepthwiseInt8,
                [](TestOperator& s) { OptionsOf<DepthwiseConv2DOptions>(s).stride_w = 0; }, StatusCode::kKernelOption,
                Option(KernelOption::kStrideWidth)},
        Refusal{"an output too high", DepthwiseInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 4, 3, 6}); },
                StatusCode::kKernelDimension, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Pool, Refusals,
    ::testing::Values(
        Refusal{"int16", AveragePoolInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"an output of another type", AveragePoolInt8, [](TestOperator& s) { Retype(s.outputs[0], kFloat); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a scale that differs", AveragePoolInt8, [](TestOperator& s) { s.outputs[0].scales = {0.500002f}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"a zero point that differs", AveragePoolInt8, [](TestOperator& s) { s.outputs[0].zero_points = {4}; },
                StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a filter of zero", AveragePoolInt8,
                [](TestOperator& s) { OptionsOf<Pool2DOptions>(s).filter_height = 0; }, StatusCode::kKernelOption,
                Option(KernelOption::kFilterHeight)},
        Refusal{"a filter wider than the image", AveragePoolInt8,
                [](TestOperator& s) { OptionsOf<Pool2DOptions>(s).filter_width = 7; }, StatusCode::kKernelOption,
                Option(KernelOption::kFilterWidth)},
        Refusal{"a stride of zero", AveragePoolInt8, [](TestOperator& s) { OptionsOf<Pool2DOptions>(s).stride_h = 0; },
                StatusCode::kKernelOption, Option(KernelOption::kStrideHeight)},
        Refusal{"an output of another depth", AveragePoolInt8,
                [](TestOperator& s) { Resize(s.outputs[0], {1, 2, 3, 4}); }, StatusCode::kKernelDimension,
                kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Softmax, Refusals,
    ::testing::Values(
        Refusal{"int16", SoftmaxInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"an output of int16", SoftmaxInt8, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"a scalar", SoftmaxInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {});
                  Resize(s.outputs[0], {});
                },
                StatusCode::kKernelRank, 0},
        Refusal{"an empty row", SoftmaxInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {2, 0});
                  Resize(s.outputs[0], {2, 0});
                },
                StatusCode::kKernelDimension, 0},
        Refusal{"another output shape", SoftmaxInt8, [](TestOperator& s) { Resize(s.outputs[0], {5, 2}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"another output scale", SoftmaxInt8, [](TestOperator& s) { s.outputs[0].scales = {0.0039f}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"another output zero point", SoftmaxInt8, [](TestOperator& s) { s.outputs[0].zero_points = {0}; },
                StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a beta that is no number", SoftmaxInt8,
                [](TestOperator& s) { OptionsOf<SoftmaxOptions>(s).beta = NAN; }, StatusCode::kKernelOption,
                Option(KernelOption::kBetaMillionths)},
        Refusal{"a negative beta", SoftmaxInt8, [](TestOperator& s) { OptionsOf<SoftmaxOptions>(s).beta = -1; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a row whose sum leaves 32 bits", SoftmaxInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {1, 8192});
                  Resize(s.outputs[0], {1, 8192});
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kSoftmaxRow)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Rearranging, Refusals,
    ::testing::Values(
        Refusal{"a reshape to another count", Reshape, [](TestOperator& s) { Resize(s.outputs[0], {3, 5}); },
                StatusCode::kKernelElementCount, kFirstOutput},
        Refusal{"a reshape to another type", Reshape, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a concatenation of int16", ConcatenationInt8,
                [](TestOperator& s) {
                  Retype(s.inputs[0], kInt16);
                  Retype(s.inputs[1], kInt16);
                  Retype(s.outputs[0], kInt16);
                },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"a concatenation of eleven", ConcatenationInt8,
                [](TestOperator& s) { s.inputs.resize(11, s.inputs[0]); }, StatusCode::kKernelOperandCount, 11},
        Refusal{"a concatenation with an activation", ConcatenationInt8,
                [](TestOperator& s) { OptionsOf<ConcatenationOptions>(s).activation = Activation::kRelu; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"a concatenation axis beyond the rank", ConcatenationInt8,
                [](TestOperator& s) { OptionsOf<ConcatenationOptions>(s).axis = 2; }, StatusCode::kKernelOption,
                Option(KernelOption::kAxis)},
        Refusal{"a concatenation axis before the first", ConcatenationInt8,
                [](TestOperator& s) { OptionsOf<ConcatenationOptions>(s).axis = -3; }, StatusCode::kKernelOption,
                Option(KernelOption::kAxis)},
        Refusal{"a concatenated extent that differs", ConcatenationInt8,
                [](TestOperator& s) { Resize(s.inputs[1], {3, 4}); }, StatusCode::kKernelDimension, 1},
        Refusal{"a concatenation that is too short", ConcatenationInt8,
                [](TestOperator& s) { Resize(s.inputs[1], {2, 3}); }, StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a concatenated scale that differs", ConcatenationInt8,
                [](TestOperator& s) { s.inputs[1].scales = {0.25f}; }, StatusCode::kKernelScale, 1},
        Refusal{"paddings that are computed", PadInt8, [](TestOperator& s) { s.inputs[1].constant = false; },
                StatusCode::kKernelNotConstant, 1},
        Refusal{"paddings of another shape", PadInt8, [](TestOperator& s) { Resize(s.inputs[1], {1, 2}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"a negative padding", PadInt8,
                [](TestOperator& s) { s.inputs[1] = Int32Constant({2, 2}, {1, 0, -1, 3}); }, StatusCode::kKernelOption,
                Option(KernelOption::kPaddingBefore)},
        Refusal{"a padding that the output does not have", PadInt8,
                [](TestOperator& s) { s.inputs[1] = Int32Constant({2, 2}, {1, 0, 0, 0x7FFFFFFF}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a pad value of two elements", PadInt8, [](TestOperator& s) { Resize(s.inputs[2], {2}); },
                StatusCode::kKernelElementCount, 2},
        Refusal{"a pad value of another scale", PadInt8, [](TestOperator& s) { s.inputs[2].scales = {1}; },
                StatusCode::kKernelScale, 2},
        Refusal{"a pad of int16", PadInt8, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Reducing, Refusals,
    ::testing::Values(
        Refusal{"int16", MeanInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"axes that are computed", MeanInt8, [](TestOperator& s) { s.inputs[1].constant = false; },
                StatusCode::kKernelNotConstant, 1},
        Refusal{"axes of int64", MeanInt8, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt64); },
                StatusCode::kKernelType, 1},
        Refusal{"an axis beyond the rank", MeanInt8, [](TestOperator& s) { s.inputs[1] = Int32Constant({1}, {3}); },
                StatusCode::kKernelOption, Option(KernelOption::kAxis)},
        Refusal{"an output of another shape", MeanInt8, [](TestOperator& s) { Resize(s.outputs[0], {3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a mean of nothing", MeanInt8, [](TestOperator& s) { Resize(s.inputs[0], {2, 0, 4}); },
                StatusCode::kKernelDimension, 0},
        Refusal{"a mean of more than 32 bits hold", MeanInt8,
                [](TestOperator& s) { Resize(s.inputs[0], {2, 8192, 1024}); }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kAccumulatorRange)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    ElementWise, Refusals,
    ::testing::Values(
        Refusal{"an addition of mixed types", AddInt8, [](TestOperator& s) { Retype(s.inputs[1], kFloat); },
                StatusCode::kKernelType, 1},
        Refusal{"an addition of int16", AddInt8,
                [](TestOperator& s) {
                  Retype(s.inputs[0], kInt16);
                  Retype(s.inputs[1], kInt16);
                  Retype(s.outputs[0], kInt16);
                },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"shapes that do not broadcast", AddInt8, [](TestOperator& s) { Resize(s.inputs[1], {2, 1}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"an output that is not the broadcast shape", AddInt8,
                [](TestOperator& s) { Resize(s.outputs[0], {2, 3, 5}); }, StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output of lower rank", AddInt8, [](TestOperator& s) { Resize(s.outputs[0], {6, 4}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"an output scale far below the inputs", AddInt8, [](TestOperator& s) { s.outputs[0].scales = {1e-8f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a product without quantization", MulInt8, [](TestOperator& s) { s.inputs[1].zero_points.clear(); },
                StatusCode::kKernelQuantizationMissing, 1},
        Refusal{"a product whose ratio is too large", MulInt8, [](TestOperator& s) { s.outputs[0].scales = {1e-12f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a logistic with another zero point", LogisticInt8,
                [](TestOperator& s) { s.outputs[0].zero_points = {0}; }, StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a logistic of int16", LogisticInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a tanh of another shape", TanhInt8, [](TestOperator& s) { Resize(s.outputs[0], {3, 2}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a relu of int16", ReluInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a relu6 without quantization", Relu6Int8, [](TestOperator& s) { s.inputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, 0},
        Refusal{"a quantize to int16", QuantizeFloat, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"a quantize without a scale", QuantizeFloat, [](TestOperator& s) { s.outputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, kFirstOutput},
        Refusal{"a dequantize to int8", DequantizeInt8, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a dequantize of int32", DequantizeInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0}),
    NameOf);

}  // namespace
}  // namespace arenaproof::testing
