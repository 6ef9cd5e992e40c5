// Types and parameters of operators that no reference case covers: the values follow from the definition, at scales
// that make every step exact.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "kernels/kernel_sets.h"
#include "tests/kernels/int32_limits_support.h"
#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

template <typename Element>
TestTensor With(TestTensor tensor, const std::vector<Element>& values) {
  EXPECT_EQ(tensor.bytes.size(), values.size() * sizeof(Element));
  tensor.bytes = BytesOf(values);
  return tensor;
}
template <typename Element>
void ExpectOutput(const TestOperator& subject, const std::vector<Element>& expected) {
  const RunResult result = RunKernel(*FindKernelSet("reference"), subject);
  ASSERT_EQ(result.status, Ok());
  ASSERT_EQ(result.broken_promise, "");
  std::vector<Element> found(expected.size());
  ASSERT_EQ(result.outputs[0].size(), expected.size() * sizeof(Element));
  std::memcpy(found.data(), result.outputs[0].data(), result.outputs[0].size());
  EXPECT_EQ(found, expected);
}

TestTensor Plain(const std::vector<std::int32_t>& values) {
  return With(Tensor(kInt32, {static_cast<std::int32_t>(values.size())}), values);
}
TestOperator PlainBinary(BuiltinOperator op, OperatorOptions options, const std::vector<std::int32_t>& a,
                         const std::vector<std::int32_t>& b) {
  return {op, options, {Plain(a), Plain(b)}, {Plain(a)}};
}

TEST(PlainIntegers, OfAddWrapAndIgnoreTheActivation) {
  ExpectOutput<std::int32_t>(PlainBinary(BuiltinOperator::kAdd, AddOptions{.activation = Activation::kRelu6},
                                         {kMostInt32, -5, 7, kLeastInt32}, {1, 2, 100, -1}),
                             {kLeastInt32, -3, 107, kMostInt32});
}

TEST(PlainIntegers, OfSubAndMulWrapAndTakeTheActivation) {
  ExpectOutput<std::int32_t>(PlainBinary(BuiltinOperator::kSub, SubOptions{}, {kLeastInt32, -5, 7}, {1, 2, 100}),
                             {kMostInt32, -7, -93});
  ExpectOutput<std::int32_t>(
      PlainBinary(BuiltinOperator::kSub, SubOptions{.activation = Activation::kRelu6}, {-5, 7, 8}, {2, 3, 1}),
      {0, 4, 6});
  ExpectOutput<std::int32_t>(PlainBinary(BuiltinOperator::kMul, MulOptions{}, {65536, -3, 1 << 30}, {65536, 5, 2}),
                             {0, -15, kLeastInt32});
  ExpectOutput<std::int32_t>(
      PlainBinary(BuiltinOperator::kMul, MulOptions{.activation = Activation::kReluN1To1}, {-5, 0, 8}, {2, 3, 1}),
      {-1, 0, 1});
  ExpectOutput<std::int32_t>(
      PlainBinary(BuiltinOperator::kMul, MulOptions{.activation = Activation::kRelu}, {-5, 9, 8}, {2, 3, 1}),
      {0, 27, 8});
}

TEST(AddInt16, TakesZeroPoints) {
  const TestTensor a = With<std::int16_t>(QuantizedTensor(kInt16, {3}, 1.0f, 10), {10, 32767, -32768});
  const TestTensor b = With<std::int16_t>(QuantizedTensor(kInt16, {3}, 1.0f, -20), {-20, -10, 32767});
  ExpectOutput<std::int16_t>({BuiltinOperator::kAdd, AddOptions{}, {a, b}, {QuantizedTensor(kInt16, {3}, 1.0f, 5)}},
                             {5, 32767, 14});
}

// Both zero points count, unlike those of convolutions.
TEST(FullyConnectedInt16, TakesZeroPoints) {
  TestOperator subject = FullyConnectedInt16();
  subject.inputs[0] = With<std::int16_t>(QuantizedTensor(kInt16, {1, 2}, 1.0f, -7), {-7, 1});
  subject.inputs[1] = Constant(With<std::int8_t>(QuantizedTensor(kInt8, {2, 2}, 1.0f, 0), {100, 3, -4, -128}));
  subject.outputs = {QuantizedTensor(kInt16, {1, 2}, 1.0f, 1000)};
  for (const TensorType bias : {kInt32, kInt64}) {
    SCOPED_TRACE(TensorTypeName(bias));
    subject.inputs[2] = Constant(QuantizedTensor(bias, {2}, 1.0f, 0));
    ExpectOutput<std::int16_t>(subject, {1024, -24});
  }
}

TEST(FullyConnectedInt16, HasSumsBeyond32BitsUnlessTheBiasIsNarrow) {
  TestOperator subject = FullyConnectedInt16();
  constexpr std::int32_t kDepth = 1024;
  subject.inputs[0] = With(QuantizedTensor(kInt16, {1, kDepth}, 1.0f, 0), std::vector<std::int16_t>(kDepth, -32768));
  subject.inputs[1] =
      Constant(With(QuantizedTensor(kInt8, {1, kDepth}, 1.0f, 0), std::vector<std::int8_t>(kDepth, -128)));
  subject.inputs[2] = Constant(With<std::int64_t>(QuantizedTensor(kInt64, {1}, 1.0f, 0), {std::int64_t{1} << 32}));
  subject.outputs = {QuantizedTensor(kInt16, {1, 1}, 2097152.0f, 0)};
  ExpectOutput<std::int16_t>(subject, {4096});
}

TEST(Int4Weights, AreUnpackedWithTheirSigns) {
  TestOperator subject = FullyConnectedInt8();
  subject.inputs = {With<std::int8_t>(QuantizedTensor(kInt8, {1, 3}, 1.0f, 0), {1, 10, 100}),
                    Constant(QuantizedTensor(TensorType::kInt4, {3, 3}, 1.0f, 0))};
  subject.inputs[1].bytes = PackedInt4({7, -8, 1, -1, 0, -1, 0, 7, 0});
  subject.outputs = {QuantizedTensor(kInt8, {1, 3}, 1.0f, 0)};
  ExpectOutput<std::int8_t>(subject, {27, -101, 70});
  for (const char* set : {"reference", "aligned"}) {
    KernelHarness harness(*FindKernelSet(set), subject);
    ASSERT_TRUE(harness.Prepare().ok());
    EXPECT_EQ(harness.scratch_requests(), std::vector<std::size_t>{9});
    EXPECT_STREQ(harness.kernel()->name, "reference");
  }
}

TEST(Pad, FillsWithZerosAndWithAnyValue) {
  const TestTensor paddings = Int32Constant({1, 2}, {1, 1});
  ExpectOutput<std::int16_t>({BuiltinOperator::kPad,
                              std::monostate{},
                              {With<std::int16_t>(QuantizedTensor(kInt16, {2}, 1.0f, 9), {-300, 300}), paddings},
                              {QuantizedTensor(kInt16, {4}, 1.0f, 9)}},
                             {0, -300, 300, 0});
  ExpectOutput<std::int32_t>(
      {BuiltinOperator::kPadv2,
       std::monostate{},
       {Plain({kLeastInt32, kMostInt32}), paddings, With<std::int32_t>(Tensor(kInt32, {1}), {-70000})},
       {Tensor(kInt32, {4})}},
      {-70000, kLeastInt32, kMostInt32, -70000});
}

TEST(Concatenation, CopiesElementsOfOneAndOfEightBytes) {
  const auto of = [](TensorType type) {
    return TestOperator{BuiltinOperator::kConcatenation,
                        ConcatenationOptions{.axis = 1, .activation = Activation::kNone},
                        {Tensor(type, {2, 1}), Tensor(type, {2, 2})},
                        {Tensor(type, {2, 3})}};
  };
  TestOperator wide = of(kInt64);
  wide.inputs[0] = With<std::int64_t>(wide.inputs[0], {1, std::int64_t{1} << 40});
  wide.inputs[1] = With<std::int64_t>(wide.inputs[1], {3, 4, 5, 6});
  ExpectOutput<std::int64_t>(wide, {1, 3, 4, std::int64_t{1} << 40, 5, 6});
  TestOperator truths = of(TensorType::kBool);
  truths.inputs[0] = With<std::uint8_t>(truths.inputs[0], {1, 0});
  truths.inputs[1] = With<std::uint8_t>(truths.inputs[1], {0, 0, 1, 1});
  ExpectOutput<std::uint8_t>(truths, {1, 0, 0, 0, 1, 1});
  TestOperator plain = of(kInt32);
  plain.inputs[0] = With<std::int32_t>(plain.inputs[0], {1, 2});
  plain.inputs[1] = With<std::int32_t>(plain.inputs[1], {3, 4, 5, 6});
  ExpectOutput<std::int32_t>(plain, {1, 3, 4, 2, 5, 6});
  TestOperator unquantized = of(kInt16);
  unquantized.inputs[0] = With<std::int16_t>(unquantized.inputs[0], {1, 2});
  unquantized.inputs[1] = With<std::int16_t>(unquantized.inputs[1], {3, 4, 5, 6});
  ExpectOutput<std::int16_t>(unquantized, {1, 3, 4, 2, 5, 6});
}

TEST(Relu, OfInt16) {
  TestOperator subject = ReluInt16();
  subject.inputs = {With<std::int16_t>(QuantizedTensor(kInt16, {4}, 0.5f, 0), {-32768, -1, 4, 32767})};
  subject.outputs = {QuantizedTensor(kInt16, {4}, 0.25f, 0)};
  ExpectOutput<std::int16_t>(subject, {0, 0, 8, 32767});
  subject.op = BuiltinOperator::kRelu6;
  subject.inputs[0].zero_points = {2};
  ExpectOutput<std::int16_t>(subject, {2, 2, 4, 14});
}

TEST(Quantize, OfFloatsToInt16Saturates) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const TestTensor floats = With<float>(Tensor(kFloat, {6}), {0.25f, -0.25f, 1e9f, -1e9f, kInfinity, -kInfinity});
  ExpectOutput<std::int16_t>(
      {BuiltinOperator::kQuantize, std::monostate{}, {floats}, {QuantizedTensor(kInt16, {6}, 0.5f, -100)}},
      {-99, -101, 32767, -32768, 32767, -32768});
}

// Scales that are no power of two go through a multiplier: here 0.001 * 12288, doubled until it is 25165 / 2^11.
TEST(LogisticInt16, OfAnyScale) {
  TestOperator subject = LogisticInt16();
  subject.inputs = {With<std::int16_t>(QuantizedTensor(kInt16, {5}, 0.001f, 0), {0, 1000, -1000, 32767, -32768})};
  subject.outputs = {QuantizedTensor(kInt16, {5}, 1.0f / 32768.0f, 0)};
  // Within one of 32768 / (1 + e^-1) = 23955.4, 8812.6 of the other sign, and 32768 * tanh(1) = 24956.0.
  ExpectOutput<std::int16_t>(subject, {16384, 23956, 8812, 32767, 1});
  subject.op = BuiltinOperator::kTanh;
  ExpectOutput<std::int16_t>(subject, {0, 24956, -24956, 32767, -32767});
}

}  // namespace
}  // namespace arenaproof::testing
