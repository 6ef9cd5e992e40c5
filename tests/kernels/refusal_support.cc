#include "tests/kernels/refusal_support.h"

#include <cctype>

#include "kernels/reference/reference_kernels.h"

namespace arenaproof::testing {
namespace {

TestTensor PerChannel(std::vector<std::int32_t> shape, std::size_t count, std::int32_t dimension) {
  TestTensor tensor = Constant(Tensor(kInt8, std::move(shape)));
  tensor.scales.assign(count, 0.25f);
  tensor.zero_points.assign(count, 0);
  tensor.quantized_dimension = dimension;
  return tensor;
}

TestOperator UnaryInt8(BuiltinOperator op, float output_scale, std::int64_t output_zero_point) {
  return {op,
          std::monostate{},
          {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3)},
          {QuantizedTensor(kInt8, {2, 3}, output_scale, output_zero_point)}};
}
}  // namespace

TestOperator FullyConnectedInt8() {
  return {BuiltinOperator::kFullyConnected,
          FullyConnectedOptions{},
          {QuantizedTensor(kInt8, {2, 6}, 0.5f, 3), Constant(QuantizedTensor(kInt8, {4, 6}, 0.25f, 0)),
           Constant(QuantizedTensor(kInt32, {4}, 0.125f, 0))},
          {QuantizedTensor(kInt8, {2, 4}, 1.0f, -5)}};
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

TestOperator SvdfInt8() {
  TestTensor state = QuantizedTensor(kInt16, {2, 20}, 0.125f, 0);
  state.variable = true;
  return {
      BuiltinOperator::kSvdf,
      SvdfOptions{.rank = 2},
      {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3), Constant(QuantizedTensor(kInt8, {4, 3}, 0.25f, 0)),
       Constant(QuantizedTensor(kInt16, {4, 5}, 0.5f, 0)), Constant(QuantizedTensor(kInt32, {2}, 0.0625f, 0)), state},
      {QuantizedTensor(kInt8, {2, 2}, 1.0f, -5)}};
}

TestOperator SvdfFloat() {
  TestTensor state = Tensor(kFloat, {2, 20});
  state.variable = true;
  return {BuiltinOperator::kSvdf,
          SvdfOptions{.rank = 2},
          {Tensor(kFloat, {2, 3}), Constant(Tensor(kFloat, {4, 3})), Constant(Tensor(kFloat, {4, 5})),
           Constant(Tensor(kFloat, {2})), state},
          {Tensor(kFloat, {2, 2})}};
}

TestOperator LessInt8() {
  return {BuiltinOperator::kLess,
          std::monostate{},
          {QuantizedTensor(kInt8, {2, 3, 4}, 0.5f, 3), QuantizedTensor(kInt8, {3, 1}, 0.25f, -3)},
          {Tensor(TensorType::kBool, {2, 3, 4})}};
}

TestOperator FullyConnectedInt16() {
  TestOperator subject = FullyConnectedInt8();
  subject.inputs[0] = QuantizedTensor(kInt16, {2, 6}, 0.5f, 3);
  Retype(subject.inputs[2], kInt64);
  subject.outputs[0] = QuantizedTensor(kInt16, {2, 4}, 1.0f, -5);
  return subject;
}

TestOperator ConvInt16() {
  TestOperator subject = ConvInt8();
  subject.inputs[0] = QuantizedTensor(kInt16, {1, 5, 6, 4}, 0.5f, 0);
  Retype(subject.inputs[2], kInt64);
  subject.outputs[0] = QuantizedTensor(kInt16, {1, 3, 5, 6}, 1.0f, 0);
  return subject;
}

TestOperator DepthwiseInt16() {
  TestOperator subject = DepthwiseInt8();
  subject.inputs[0] = QuantizedTensor(kInt16, {2, 5, 6, 3}, 0.5f, 0);
  Retype(subject.inputs[2], kInt64);
  subject.outputs[0] = QuantizedTensor(kInt16, {2, 3, 3, 6}, 1.0f, 0);
  return subject;
}

TestOperator TransposeConvInt8() {
  TransposeConvOptions options;
  options.padding = Padding::kValid;
  options.stride_h = options.stride_w = 2;
  return {BuiltinOperator::kTransposeConv,
          options,
          {Int32Constant({4}, {1, 7, 5, 4}), PerChannel({4, 3, 3, 2}, 4, 0),
           QuantizedTensor(kInt8, {1, 3, 2, 2}, 0.5f, 3), Constant(Tensor(kInt32, {4}))},
          {QuantizedTensor(kInt8, {1, 7, 5, 4}, 1.0f, -5)}};
}

TestOperator TransposeConvInt16() {
  TestOperator subject = TransposeConvInt8();
  subject.inputs[2] = QuantizedTensor(kInt16, {1, 3, 2, 2}, 0.5f, 0);
  Retype(subject.inputs[3], kInt16);
  subject.outputs[0] = QuantizedTensor(kInt16, {1, 7, 5, 4}, 1.0f, 0);
  return subject;
}

TestOperator BatchMatmulInt8() {
  return {BuiltinOperator::kBatchMatmul,
          BatchMatMulOptions{.adj_x = true},
          {QuantizedTensor(kInt8, {2, 1, 5, 3}, 0.5f, 3), QuantizedTensor(kInt8, {4, 5, 6}, 0.25f, -3)},
          {QuantizedTensor(kInt8, {2, 4, 3, 6}, 0.75f, 1)}};
}

TestOperator BatchMatmulInt16() {
  TestOperator subject = BatchMatmulInt8();
  for (TestTensor* tensor : {&subject.inputs[0], &subject.inputs[1], &subject.outputs[0]}) {
    Retype(*tensor, kInt16);
    tensor->zero_points = {0};
  }
  return subject;
}

TestOperator SubInt16() {
  return {BuiltinOperator::kSub,
          SubOptions{},
          {QuantizedTensor(kInt16, {2, 3, 4}, 0.5f, 0), QuantizedTensor(kInt16, {3, 1}, 0.25f, 0)},
          {QuantizedTensor(kInt16, {2, 3, 4}, 0.75f, 0)}};
}

TestOperator MulInt16() {
  TestOperator subject = SubInt16();
  subject.op = BuiltinOperator::kMul;
  subject.options = MulOptions{};
  return subject;
}

TestOperator SoftmaxInt16() {
  return {BuiltinOperator::kSoftmax,
          SoftmaxOptions{.beta = 1.0f},
          {QuantizedTensor(kInt16, {2, 5}, 0.001f, 3)},
          {QuantizedTensor(kInt16, {2, 5}, 1.0f / 32768.0f, 0)}};
}

TestOperator LogisticInt16() {
  return {BuiltinOperator::kLogistic,
          std::monostate{},
          {QuantizedTensor(kInt16, {2, 3}, 0.001f, 0)},
          {QuantizedTensor(kInt16, {2, 3}, 1.0f / 32768.0f, 0)}};
}

TestOperator ReluInt16() {
  return {BuiltinOperator::kRelu,
          std::monostate{},
          {QuantizedTensor(kInt16, {2, 3}, 0.001f, 0)},
          {QuantizedTensor(kInt16, {2, 3}, 0.002f, 0)}};
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

void RetypeToInt4(TestTensor& tensor) {
  Retype(tensor, TensorType::kInt4);
  tensor.bytes = PackedInt4(std::vector<int>(tensor.bytes.size()));
}

namespace {

std::string NameOfRule(const std::string& rule) {
  std::string name;
  for (const char letter : rule) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) name += letter;
    if (letter == ' ') name += '_';
  }
  return name;
}

}  // namespace

std::string NameOf(const ::testing::TestParamInfo<Refusal>& info) { return NameOfRule(info.param.rule); }

std::string NameOfValueRefusal(const ::testing::TestParamInfo<ValueRefusal>& info) {
  return NameOfRule(info.param.rule);
}

void SetNumbers(TestTensor& tensor, const std::vector<std::int64_t>& values) {
  tensor.bytes = tensor.type == TensorType::kInt64 ? BytesOf(values)
                                                   : BytesOf(std::vector<std::int32_t>(values.begin(), values.end()));
}

TEST_P(ValueRefusals, AreOfInvokeWhenComputedAndOfPrepareWhenConstant) {
  const ValueRefusal& refusal = GetParam();
  TestOperator subject = refusal.sound();
  for (TestTensor& input : subject.inputs) input.constant = false;
  ASSERT_EQ(RunKernel(ReferenceKernels(), subject).status, Ok()) << "the operator has to be sound at first";
  SetNumbers(subject.inputs[refusal.input], refusal.values);
  KernelHarness harness(ReferenceKernels(), subject);
  ASSERT_EQ(harness.Prepare(), Ok());
  const std::vector<std::byte> untouched = harness.output(0);
  EXPECT_EQ(harness.Invoke(), refusal.expected);
  EXPECT_EQ(harness.output(0), untouched) << "nothing is half written";
  for (TestTensor& input : subject.inputs) input.constant = true;
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), subject), refusal.expected);
}

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

}  // namespace arenaproof::testing
