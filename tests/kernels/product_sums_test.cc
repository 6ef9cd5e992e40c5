// How many products 32 bits hold is said by the weights where they are constant.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/harness/kernels/kernel_harness.h"
#include "kernels/kernel_refusals.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof::testing {
namespace {

// One row of `depth` weights of 1 but for the last, times activations at the far end of their type.
TestOperator Row(TensorType type, std::int32_t depth, int last_weight) {
  const bool wide = type == TensorType::kInt16;
  TestOperator made{BuiltinOperator::kFullyConnected,
                    FullyConnectedOptions{},
                    {QuantizedTensor(type, {1, depth}, 1.0f, wide ? 0 : 127),
                     Constant(QuantizedTensor(TensorType::kInt8, {1, depth}, 1.0f, 0)),
                     Constant(QuantizedTensor(TensorType::kInt32, {1}, 1.0f, 0))},
                    {QuantizedTensor(type, {1, 1}, 65536.0f, 0)}};
  std::vector<std::byte>& activations = made.inputs[0].bytes;
  for (std::size_t i = 0; i < activations.size(); ++i) {
    activations[i] = wide && i % 2 == 0 ? std::byte{0x00} : std::byte{0x80};
  }
  std::fill(made.inputs[1].bytes.begin(), made.inputs[1].bytes.end(), std::byte{1});
  made.inputs[1].bytes.back() = static_cast<std::byte>(last_weight);
  return made;
}

Status Refused() { return Failure(StatusCode::kKernelUnsupported, KernelFeature::kAccumulatorRange); }

// 65535 * 32768 is the largest sum below 2^31.
TEST(ProductSums, OfInt16AreAsLongAsTheirWeightsAllow) {
  const RunResult result = RunKernel(ReferenceKernels(), Row(TensorType::kInt16, 65535, 1));
  ASSERT_TRUE(result.status.ok());
  const std::vector<std::int16_t> expected{-32768};  // 65535 halves, rounded
  EXPECT_EQ(result.outputs[0], BytesOf(expected));
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), Row(TensorType::kInt16, 65535, -2)), Refused());
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), Row(TensorType::kInt16, 65536, 1)), Refused());
}

// 8421504 * 255 is the largest sum below 2^31; a last weight of -128 stands for 128 of them.
TEST(ProductSums, OfInt8AreAsLongAsTheirWeightsAllow) {
  constexpr std::int32_t kMost = 8421504;
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), Row(TensorType::kInt8, kMost - 127, -128)), Ok());
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), Row(TensorType::kInt8, kMost - 126, -128)), Refused());
}

// Filters that are computed may hold the largest weights.
TEST(ProductSums, OfComputedWeightsAreBoundByTheLargest) {
  TestOperator made = Row(TensorType::kInt8, 65793, 1);
  made.inputs[1].constant = false;
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), made), Ok());
  made = Row(TensorType::kInt8, 65794, 1);
  made.inputs[1].constant = false;
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), made), Refused());
}

// The weights of one channel lie apart in a depthwise filter; of four bits two share a byte.
TEST(ProductSums, OfDepthwiseInt4AreSummedByChannel) {
  constexpr std::int32_t kHeight = 1052600;  // times 8 times 255 is just below 2^31
  const auto made = [](std::int32_t height, std::byte weights) {
    TestOperator depthwise{BuiltinOperator::kDepthwiseConv2d,
                           DepthwiseConv2DOptions{Padding::kValid, 1, 1, 1, Activation::kNone, 1, 1},
                           {QuantizedTensor(TensorType::kInt8, {1, height, 1, 2}, 1.0f, 0),
                            Constant(QuantizedTensor(TensorType::kInt4, {1, height, 1, 2}, 1.0f, 0))},
                           {QuantizedTensor(TensorType::kInt8, {1, 1, 1, 2}, 1.0f, 0)}};
    depthwise.inputs[1].bytes.assign(static_cast<std::size_t>(height), weights);
    return depthwise;
  };
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), made(kHeight, std::byte{0x88})), Ok());
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), made(kHeight + 100, std::byte{0x88})), Refused());
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), made(kHeight + 100, std::byte{0x80})), Refused());
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), made(kHeight + 100, std::byte{0x77})), Ok());
}

}  // namespace
}  // namespace arenaproof::testing
