// RELU6 on floats, which no reference case covers: the values follow from its definition, min(max(x, 0), 6).
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "engine/harness/kernels/kernel_harness.h"
#include "kernels/kernel_sets.h"

namespace arenaproof::testing {
namespace {

TEST(Relu6, ClampsFloatsToZeroAndSix) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {-kInfinity, -1.5f, 0.0f, 0.25f, 5.999f, 6.0f, 6.5f, kInfinity};
  const std::vector<float> expected = {0.0f, 0.0f, 0.0f, 0.25f, 5.999f, 6.0f, 6.0f, 6.0f};
  TestTensor input = Tensor(TensorType::kFloat32, {2, 4});
  input.bytes = BytesOf(values);
  const TestOperator relu6{BuiltinOperator::kRelu6, {}, {input}, {Tensor(TensorType::kFloat32, {2, 4})}};
  KernelHarness harness(*FindKernelSet("reference"), relu6);
  ASSERT_NE(harness.kernel(), nullptr);
  ASSERT_TRUE(harness.Prepare().ok());
  ASSERT_TRUE(harness.Invoke().ok());
  EXPECT_EQ(harness.output(0), BytesOf(expected));
}

}  // namespace
}  // namespace arenaproof::testing
