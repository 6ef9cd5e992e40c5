// What only invoke can refuse: axes, divisors and values that are computed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/kernel_sets.h"
#include "tests/kernels/int32_limits_support.h"
#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

template <typename Element>
TestTensor Holding(TestTensor tensor, const std::vector<Element>& values) {
  tensor.bytes = BytesOf(values);
  return tensor;
}
TestTensor Axes(const std::vector<std::int32_t>& values) {
  return Holding(Tensor(kInt32, {static_cast<std::int32_t>(values.size())}), values);
}

// The status of invoke, after a prepare that has to accept the operator.
Status InvokeStatus(const TestOperator& subject) {
  EXPECT_EQ(PrepareStatus(*FindKernelSet("reference"), subject), Ok());
  return RunKernel(*FindKernelSet("reference"), subject).status;
}

TestOperator ReduceMaxAlong(const std::vector<std::int32_t>& axes) {
  return {
      BuiltinOperator::kReduceMax, ReducerOptions{}, {Tensor(kFloat, {2, 3, 4}), Axes(axes)}, {Tensor(kFloat, {2, 4})}};
}

TEST(RunTimeAxes, AreServedWhenTheyFitTheOutput) {
  EXPECT_EQ(InvokeStatus(ReduceMaxAlong({1})), Ok());
  EXPECT_EQ(InvokeStatus(ReduceMaxAlong({-2, 1})), Ok());
}

TEST(RunTimeAxes, AreRefusedBeyondTheRank) {
  EXPECT_EQ(InvokeStatus(ReduceMaxAlong({3})), Failure(StatusCode::kKernelIndex, 1, 0, 3, 3));
  EXPECT_EQ(InvokeStatus(ReduceMaxAlong({1, -4})), Failure(StatusCode::kKernelIndex, 1, 1, -4, 3));
}

TEST(RunTimeAxes, AreRefusedWhereTheyAskForAnotherOutput) {
  EXPECT_EQ(InvokeStatus(ReduceMaxAlong({0})), Failure(StatusCode::kKernelRunTimeShape, 1, 0, 2, 3));
  EXPECT_EQ(InvokeStatus(ReduceMaxAlong({0, 1})), Failure(StatusCode::kKernelRunTimeShape, 1, 0, 2, 4));
  TestOperator subject = ReduceMaxAlong({});
  EXPECT_EQ(InvokeStatus(subject), Failure(StatusCode::kKernelRunTimeShape, 1, 1, 4, 3));
  subject.outputs[0] = Tensor(kFloat, {2});
  EXPECT_EQ(InvokeStatus(subject), Failure(StatusCode::kKernelRunTimeShape, 1, 1, 1, 3));
}

TEST(RunTimeAxes, OfAllAndOfIndicesAreCheckedToo) {
  TestOperator all{
      BuiltinOperator::kReduceAll, ReducerOptions{}, {Tensor(kBool, {2, 3}), Axes({2})}, {Tensor(kBool, {2})}};
  EXPECT_EQ(InvokeStatus(all), Failure(StatusCode::kKernelIndex, 1, 0, 2, 2));
  all.inputs[1] = Axes({0});
  EXPECT_EQ(InvokeStatus(all), Failure(StatusCode::kKernelRunTimeShape, 1, 0, 2, 3));
  TestOperator index{
      BuiltinOperator::kArgMin, std::monostate{}, {Tensor(kFloat, {2, 3}), Axes({-3})}, {Tensor(kInt32, {2})}};
  EXPECT_EQ(InvokeStatus(index), Failure(StatusCode::kKernelIndex, 1, 0, -3, 2));
  index.inputs[1] = Axes({0});
  EXPECT_EQ(InvokeStatus(index), Failure(StatusCode::kKernelRunTimeShape, 1, 0, 2, 3));
  index.inputs[1] = Axes({1});
  EXPECT_EQ(InvokeStatus(index), Ok());
  TestOperator sums{
      BuiltinOperator::kCumsum, CumsumOptions{}, {Tensor(kFloat, {2, 3}), Axes({2})}, {Tensor(kFloat, {2, 3})}};
  EXPECT_EQ(InvokeStatus(sums), Failure(StatusCode::kKernelIndex, 1, 0, 2, 2));
}

TEST(Divisors, OfZeroAreRefused) {
  TestOperator floats{BuiltinOperator::kDiv,
                      DivOptions{},
                      {Tensor(kFloat, {2}), Holding<float>(Tensor(kFloat, {2}), {1.0f, -0.0f})},
                      {Tensor(kFloat, {2})}};
  EXPECT_EQ(InvokeStatus(floats), Failure(StatusCode::kKernelDivisor, 1, 1));
  floats.op = BuiltinOperator::kFloorDiv;
  EXPECT_EQ(InvokeStatus(floats), Failure(StatusCode::kKernelDivisor, 1, 1));
  const TestOperator bytes{
      BuiltinOperator::kDiv,
      DivOptions{},
      {QuantizedTensor(kInt8, {3}, 0.5f, 3), Holding<std::int8_t>(QuantizedTensor(kInt8, {3}, 0.5f, 7), {0, 6, 7})},
      {QuantizedTensor(kInt8, {3}, 0.5f, 3)}};
  EXPECT_EQ(InvokeStatus(bytes), Failure(StatusCode::kKernelDivisor, 1, 2));
}

TEST(Divisors, OfInt32MayNotOverflow) {
  TestOperator subject{BuiltinOperator::kDiv,
                       DivOptions{},
                       {Holding<std::int32_t>(Tensor(kInt32, {2}), {kLeastInt32, kLeastInt32}),
                        Holding<std::int32_t>(Tensor(kInt32, {2}), {1, 0})},
                       {Tensor(kInt32, {2})}};
  EXPECT_EQ(InvokeStatus(subject), Failure(StatusCode::kKernelDivisor, 1, 1));
  subject.inputs[1].bytes = BytesOf<std::int32_t>({1, -1});
  EXPECT_EQ(InvokeStatus(subject), Failure(StatusCode::kKernelDivisor, 1, 1));
  subject.inputs[1].bytes = BytesOf<std::int32_t>({1, -2});
  const RunResult result = RunKernel(*FindKernelSet("reference"), subject);
  EXPECT_EQ(result.status, Ok());
  EXPECT_EQ(result.outputs[0], BytesOf<std::int32_t>({kLeastInt32, 1 << 30}));
}

TEST(Remainders, OfZeroAreNoNumber) {
  const TestOperator subject{BuiltinOperator::kFloorMod,
                             std::monostate{},
                             {Holding<float>(Tensor(kFloat, {1}), {1.0f}), Tensor(kFloat, {1})},
                             {Tensor(kFloat, {1})}};
  const RunResult result = RunKernel(*FindKernelSet("reference"), subject);
  ASSERT_EQ(result.status, Ok());
  float remainder = 0.0f;
  std::memcpy(&remainder, result.outputs[0].data(), sizeof remainder);
  EXPECT_TRUE(std::isnan(remainder));
}

TEST(ReciprocalRoots, OfValuesBelowZeroAreRefused) {
  TestOperator subject{BuiltinOperator::kRsqrt,
                       std::monostate{},
                       {Holding<std::int8_t>(QuantizedTensor(kInt8, {3}, 0.5f, 5), {6, 5, 4})},
                       {QuantizedTensor(kInt8, {3}, 0.5f, -9)}};
  EXPECT_EQ(InvokeStatus(subject), Failure(StatusCode::kKernelDomain, 0, 2));
  subject.inputs[0].bytes = BytesOf<std::int8_t>({6, 5, 5});
  EXPECT_EQ(InvokeStatus(subject), Ok());
}

// What the reference leaves undefined and an engine saturates.
TEST(Casts, OfFloatsBeyondTheTargetSaturate) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  TestOperator subject{BuiltinOperator::kCast,
                       std::monostate{},
                       {Holding<float>(Tensor(kFloat, {6}), {NAN, kInfinity, -kInfinity, 2147483648.0f, -1.5f, 3e9f})},
                       {Tensor(kInt32, {6})}};
  EXPECT_EQ(RunKernel(*FindKernelSet("reference"), subject).outputs[0],
            BytesOf<std::int32_t>({0, kMostInt32, kLeastInt32, kMostInt32, -1, kMostInt32}));
  Retype(subject.outputs[0], TensorType::kUInt32);
  EXPECT_EQ(RunKernel(*FindKernelSet("reference"), subject).outputs[0],
            BytesOf<std::uint32_t>({0, 0xFFFFFFFFu, 0, 0x80000000u, 0, 3000000000u}));
  Retype(subject.outputs[0], kInt8);
  EXPECT_EQ(RunKernel(*FindKernelSet("reference"), subject).outputs[0],
            BytesOf<std::int8_t>({0, 127, -128, 127, -1, 127}));
}

TEST(RunningSums, SaturateWhere32BitsEnd) {
  // 17 terms of 255 steps with 19 fraction bits leave 32 bits; at this output scale the sum is halved 20 times.
  const TestOperator subject{
      BuiltinOperator::kCumsum,
      CumsumOptions{},
      {Holding<std::int8_t>(QuantizedTensor(kInt8, {20}, 1.0f, -128), std::vector<std::int8_t>(20, 127)), Axes({0})},
      {QuantizedTensor(kInt8, {20}, 64.0f, -128)}};
  const RunResult result = RunKernel(*FindKernelSet("reference"), subject);
  ASSERT_EQ(result.status, Ok());
  // The reference's surplus zero point is 128 steps.
  for (std::size_t i = 0; i < 20; ++i) {
    const double steps = std::min(128.0 + 255.0 * static_cast<double>(i + 1), 4096.0 - 1.0 / 524288.0);
    EXPECT_EQ(static_cast<std::int8_t>(result.outputs[0][i]), static_cast<int>(std::round(steps / 64.0)) - 128) << i;
  }
}

}  // namespace
}  // namespace arenaproof::testing
