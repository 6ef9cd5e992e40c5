// Values of types, signs and special numbers that no reference case has.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/kernel_sets.h"
#include "tests/kernels/int32_limits_support.h"
#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

template <typename Element>
TestTensor Of(TensorType type, const std::vector<Element>& values, std::vector<std::int32_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int32_t>(values.size())};
  TestTensor tensor = Tensor(type, std::move(shape));
  tensor.bytes = BytesOf(values);
  return tensor;
}
template <typename Element>
TestTensor Quantized(TensorType type, const std::vector<Element>& values, float scale, std::int64_t zero_point) {
  TestTensor tensor = Of(type, values);
  tensor.scales = {scale};
  tensor.zero_points = {zero_point};
  return tensor;
}

// The first output's elements.
template <typename Element>
std::vector<Element> Values(const TestOperator& subject) {
  const RunResult result = RunKernel(*FindKernelSet("reference"), subject);
  EXPECT_EQ(result.status, Ok());
  EXPECT_EQ(result.broken_promise, "");
  if (result.outputs.empty()) return {};
  std::vector<Element> values(result.outputs[0].size() / sizeof(Element));
  std::memcpy(values.data(), result.outputs[0].data(), result.outputs[0].size());
  return values;
}

template <typename Element>
void ExpectLargestAndSmallest(TensorType type) {
  constexpr Element kLeast = std::numeric_limits<Element>::min();
  constexpr Element kMost = std::numeric_limits<Element>::max();
  TestOperator subject{BuiltinOperator::kMaximum,
                       std::monostate{},
                       {Of<Element>(type, {kLeast, kMost, -1, 5}), Of<Element>(type, {kMost, kLeast, 0, 5})},
                       {Tensor(type, {4})}};
  EXPECT_EQ(Values<Element>(subject), (std::vector<Element>{kMost, kMost, 0, 5}));
  subject.op = BuiltinOperator::kMinimum;
  EXPECT_EQ(Values<Element>(subject), (std::vector<Element>{kLeast, kLeast, -1, 5}));
}

TEST(Maximum, TakesIntegersOfEveryWidth) {
  ExpectLargestAndSmallest<std::int8_t>(kInt8);
  ExpectLargestAndSmallest<std::int16_t>(kInt16);
  ExpectLargestAndSmallest<std::int32_t>(kInt32);
  ExpectLargestAndSmallest<std::int64_t>(kInt64);
}

TEST(Maximum, TakesTheSecondOperandBesideWhatIsNoNumber) {
  TestOperator subject{BuiltinOperator::kMaximum,
                       std::monostate{},
                       {Of<float>(kFloat, {NAN, 1.0f}), Of<float>(kFloat, {2.0f, NAN})},
                       {Tensor(kFloat, {2})}};
  for (const BuiltinOperator op : {BuiltinOperator::kMaximum, BuiltinOperator::kMinimum}) {
    subject.op = op;
    const std::vector<float> values = Values<float>(subject);
    EXPECT_EQ(values[0], 2.0f);
    EXPECT_TRUE(std::isnan(values[1]));
  }
}

TEST(Logical, TakesEveryByteButZeroAsTrue) {
  TestOperator subject{BuiltinOperator::kLogicalAnd,
                       std::monostate{},
                       {Of<std::uint8_t>(kBool, {0, 2, 255, 1}), Of<std::uint8_t>(kBool, {3, 4, 0, 1})},
                       {Tensor(kBool, {4})}};
  EXPECT_EQ(Values<std::uint8_t>(subject), (std::vector<std::uint8_t>{0, 1, 0, 1}));
  subject.op = BuiltinOperator::kLogicalOr;
  EXPECT_EQ(Values<std::uint8_t>(subject), (std::vector<std::uint8_t>{1, 1, 1, 1}));
  subject.op = BuiltinOperator::kLogicalNot;
  subject.inputs.pop_back();
  EXPECT_EQ(Values<std::uint8_t>(subject), (std::vector<std::uint8_t>{1, 0, 0, 0}));
  subject.op = BuiltinOperator::kCast;
  Retype(subject.outputs[0], kFloat);
  EXPECT_EQ(Values<float>(subject), (std::vector<float>{0.0f, 1.0f, 1.0f, 1.0f}));
}

// x * -0.5: the sign comes behind the multiplication by 0.5.
TEST(LeakyRelu, MirrorsWithANegativeAlpha) {
  for (const TensorType type : {kInt8, kInt16}) {
    TestOperator subject{BuiltinOperator::kLeakyRelu,
                         LeakyReluOptions{.alpha = -0.5f},
                         {QuantizedTensor(type, {4}, 0.5f, 0)},
                         {QuantizedTensor(type, {4}, 0.5f, 0)}};
    if (type == kInt8) {
      subject.inputs[0].bytes = BytesOf<std::int8_t>({-100, -2, 0, 7});
      EXPECT_EQ(Values<std::int8_t>(subject), (std::vector<std::int8_t>{50, 1, 0, 7}));
    } else {
      subject.inputs[0].bytes = BytesOf<std::int16_t>({-30000, -2, 0, 7});
      EXPECT_EQ(Values<std::int16_t>(subject), (std::vector<std::int16_t>{15000, 1, 0, 7}));
    }
  }
}

TEST(LeakyRelu, DropsNegativeValuesWithAnAlphaOfZero) {
  const TestOperator subject{BuiltinOperator::kLeakyRelu,
                             LeakyReluOptions{.alpha = 0.0f},
                             {Quantized<std::int8_t>(kInt8, {-100, 5, 6}, 0.5f, 5)},
                             {QuantizedTensor(kInt8, {3}, 0.5f, 9)}};
  EXPECT_EQ(Values<std::int8_t>(subject), (std::vector<std::int8_t>{9, 9, 10}));
}

TEST(Abs, OfPlainInt16LeavesTheLeastNumber) {
  const TestOperator subject{
      BuiltinOperator::kAbs, std::monostate{}, {Of<std::int16_t>(kInt16, {-32768, -32767, 3})}, {Tensor(kInt16, {3})}};
  EXPECT_EQ(Values<std::int16_t>(subject), (std::vector<std::int16_t>{-32768, 32767, 3}));
}

TEST(Round, TakesHalvesToEvenNumbersAndNoSignToZero) {
  const TestOperator subject{BuiltinOperator::kRound,
                             std::monostate{},
                             {Of<float>(kFloat, {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -0.3f, 8388609.0f, INFINITY})},
                             {Tensor(kFloat, {8})}};
  const std::vector<float> values = Values<float>(subject);
  EXPECT_EQ(values, (std::vector<float>{0.0f, 2.0f, 2.0f, 0.0f, -2.0f, 0.0f, 8388609.0f, INFINITY}));
  EXPECT_FALSE(std::signbit(values[5]));
}

TEST(SquaredDifference, OfInt32Wraps) {
  const TestOperator subject{
      BuiltinOperator::kSquaredDifference,
      std::monostate{},
      {Of<std::int32_t>(kInt32, {5, kLeastInt32, 1 << 16}), Of<std::int32_t>(kInt32, {-3, 1, 1})},
      {Tensor(kInt32, {3})}};
  EXPECT_EQ(Values<std::int32_t>(subject), (std::vector<std::int32_t>{64, 1, -131071}));
}

TEST(Sum, OfInt16Saturates) {
  const TestOperator subject{
      BuiltinOperator::kSum,
      ReducerOptions{},
      {Quantized<std::int16_t>(kInt16, {1000, -2000, 30000, 30000}, 0.5f, 0), Int32Constant({1}, {1})},
      {QuantizedTensor(kInt16, {2}, 0.5f, 0)}};
  TestOperator rows = subject;
  rows.inputs[0].shape = {2, 2};
  EXPECT_EQ(Values<std::int16_t>(rows), (std::vector<std::int16_t>{-1000, 32767}));
}

TEST(ReduceMax, NeverTakesWhatIsNoNumber) {
  TestOperator subject{BuiltinOperator::kReduceMax,
                       ReducerOptions{},
                       {Of<float>(kFloat, {NAN, -INFINITY, 3.0f, NAN}, {2, 2}), Int32Constant({1}, {0})},
                       {Tensor(kFloat, {2})}};
  constexpr float kMost = std::numeric_limits<float>::max();
  EXPECT_EQ(Values<float>(subject), (std::vector<float>{3.0f, -kMost}));
  subject.op = BuiltinOperator::kReduceMin;
  EXPECT_EQ(Values<float>(subject), (std::vector<float>{3.0f, -INFINITY}));
}

TEST(ArgMax, KeepsTheFirstOfEqualValuesAndWhatIsNoNumberInFront) {
  const TestOperator subject{
      BuiltinOperator::kArgMax,
      std::monostate{},
      {Of<float>(kFloat, {-0.0f, 0.0f, -1.0f, NAN, 5.0f, 6.0f, 1.0f, NAN, 2.0f}, {3, 3}), Int32Constant({1}, {1})},
      {Tensor(kInt32, {3})}};
  EXPECT_EQ(Values<std::int32_t>(subject), (std::vector<std::int32_t>{0, 0, 2}));
}

TEST(SelectV2, KeepsEveryBitOfWhatIsNoNumber) {
  const TestOperator subject{BuiltinOperator::kSelectV2,
                             std::monostate{},
                             {Of<std::uint8_t>(kBool, {2, 0}), Of<std::uint32_t>(kFloat, {0x7F800001, 1}),
                              Of<std::uint32_t>(kFloat, {7, 0xFFA5A5A5})},
                             {Tensor(kFloat, {2})}};
  EXPECT_EQ(Values<std::uint32_t>(subject), (std::vector<std::uint32_t>{0x7F800001, 0xFFA5A5A5}));
}

// ---- an LSTM of int16 beside the same one of floats

constexpr float kWeightScale = 1.0f / 64.0f;
constexpr float kInputScale = 1.0f / 1024.0f;
constexpr float kHiddenScale = 1.0f / 32768.0f;

// Whole numbers that stand for weights and inputs.
template <typename Whole>
std::vector<Whole> Wholes(std::size_t count, std::int32_t seed, std::int32_t most) {
  std::vector<Whole> values;
  for (std::size_t i = 0; i < count; ++i) {
    seed = (seed * 1103 + 12345) % 65536;
    values.push_back(static_cast<Whole>(seed % (2 * most + 1) - most));
  }
  return values;
}
template <typename Whole>
std::vector<float> Scaled(const std::vector<Whole>& wholes, float scale) {
  std::vector<float> values;
  for (const Whole whole : wholes) values.push_back(static_cast<float>(whole) * scale);
  return values;
}

TestOperator LstmOf(bool is_float) {
  const auto tensor = [&](auto wholes, TensorType type, std::vector<std::int32_t> shape, float scale) {
    if (is_float) return Of(kFloat, Scaled(wholes, scale), shape);
    TestTensor quantized = Of(type, wholes, shape);
    quantized.scales = {scale};
    quantized.zero_points = {0};
    return quantized;
  };
  TestOperator subject;
  subject.op = BuiltinOperator::kUnidirectionalSequenceLstm;
  subject.options = UnidirectionalSequenceLstmOptions{.activation = Activation::kTanh};
  subject.inputs.assign(24, Absent());
  subject.inputs[0] = tensor(Wholes<std::int16_t>(12, 1, 2000), kInt16, {1, 4, 3}, kInputScale);
  for (std::int32_t gate = 0; gate < 4; ++gate) {
    const auto at = static_cast<std::size_t>(gate);
    subject.inputs[1 + at] = tensor(Wholes<std::int8_t>(6, 2 + gate, 100), kInt8, {2, 3}, kWeightScale);
    subject.inputs[5 + at] = tensor(Wholes<std::int8_t>(4, 7 + gate, 100), kInt8, {2, 2}, kWeightScale);
    subject.inputs[12 + at] =
        tensor(Wholes<std::int64_t>(2, 11 + gate, 30000), kInt64, {2}, kInputScale * kWeightScale);
  }
  subject.inputs[18] = tensor(std::vector<std::int16_t>(2), kInt16, {1, 2}, kHiddenScale);
  subject.inputs[19] = tensor(std::vector<std::int16_t>(2), kInt16, {1, 2}, 1.0f / 4096.0f);
  subject.inputs[18].variable = subject.inputs[19].variable = true;
  subject.outputs = {tensor(std::vector<std::int16_t>(8), kInt16, {1, 4, 2}, kHiddenScale)};
  return subject;
}

TEST(Lstm, OfInt16FollowsTheOneOfFloats) {
  const std::vector<float> exact = Values<float>(LstmOf(true));
  const std::vector<float> found = Scaled(Values<std::int16_t>(LstmOf(false)), kHiddenScale);
  ASSERT_EQ(found.size(), exact.size());
  float farthest = 0.0f;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_NEAR(found[i], exact[i], 0.002f) << i;
    farthest = std::max(farthest, std::fabs(exact[i]));
  }
  EXPECT_GT(farthest, 0.2f) << "the network does nothing";
}

// However many lines without elements there are.
TEST(Cumsum, EndsAtOnceWithoutElements) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  TestOperator subject{BuiltinOperator::kCumsum,
                       CumsumOptions{},
                       {Tensor(kFloat, {kMost, 0, kMost}), Int32Constant({1}, {1})},
                       {Tensor(kFloat, {kMost, 0, kMost})}};
  const RunResult result = RunKernel(*FindKernelSet("reference"), subject);
  EXPECT_EQ(result.status, Ok());
  EXPECT_EQ(result.broken_promise, "");
}

}  // namespace
}  // namespace arenaproof::testing
