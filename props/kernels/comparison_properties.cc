// The six comparisons hang together, whatever the operands: what is less is not equal, not greater, and its negation
// says the opposite.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "engine/harness/kernels/kernel_harness.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof {
namespace {

using testing::BytesOf;
using testing::QuantizedTensor;
using testing::Tensor;
using testing::TestOperator;
using testing::TestTensor;

std::vector<std::byte> Compare(BuiltinOperator op, const TestTensor& first, const TestTensor& second) {
  const TestOperator subject{op, std::monostate{}, {first, second}, {Tensor(TensorType::kBool, first.shape)}};
  const testing::RunResult result = testing::RunKernel(ReferenceKernels(), subject);
  RC_ASSERT(result.status.ok());
  RC_ASSERT(result.broken_promise.empty());
  return result.outputs[0];
}

std::vector<std::byte> Not(std::vector<std::byte> truth) {
  for (std::byte& each : truth) each ^= std::byte{1};
  return truth;
}

void CheckAll(const TestTensor& first, const TestTensor& second) {
  using enum BuiltinOperator;
  const auto less = Compare(kLess, first, second);
  const auto equal = Compare(kEqual, first, second);
  const auto greater = Compare(kGreater, first, second);
  RC_ASSERT(Compare(kGreaterEqual, first, second) == Not(less));
  RC_ASSERT(Compare(kNotEqual, first, second) == Not(equal));
  RC_ASSERT(Compare(kLessEqual, first, second) == Not(greater));
  RC_ASSERT(Compare(kGreater, second, first) == less);
  for (std::size_t i = 0; i < less.size(); ++i) {
    RC_ASSERT(std::to_integer<int>(less[i]) + std::to_integer<int>(equal[i]) + std::to_integer<int>(greater[i]) == 1);
  }
}

template <typename Element>
TestTensor Draw(TestTensor tensor, std::int32_t count) {
  tensor.bytes = BytesOf(*rc::gen::container<std::vector<Element>>(
      static_cast<std::size_t>(count),
      rc::gen::oneOf(rc::gen::arbitrary<Element>(), rc::gen::inRange<Element>(-2, 3))));
  return tensor;
}

RC_GTEST_PROP(Comparisons, OfIntegersHangTogether, ()) {
  const auto count = *rc::gen::inRange<std::int32_t>(1, 20);
  CheckAll(Draw<std::int32_t>(Tensor(TensorType::kInt32, {count}), count),
           Draw<std::int32_t>(Tensor(TensorType::kInt32, {count}), count));
  CheckAll(Draw<std::int64_t>(Tensor(TensorType::kInt64, {count}), count),
           Draw<std::int64_t>(Tensor(TensorType::kInt64, {count}), count));
}

RC_GTEST_PROP(Comparisons, OfInt8HangTogetherAtAnyScale, ()) {
  const auto count = *rc::gen::inRange<std::int32_t>(1, 20);
  const auto draw = [count] {
    const float scale = static_cast<float>(*rc::gen::inRange(1, 1000)) / 1024.0f;
    const auto zero_point = *rc::gen::inRange(-128, 128);
    return Draw<std::int8_t>(QuantizedTensor(TensorType::kInt8, {count}, scale, zero_point), count);
  };
  const TestTensor first = draw();
  CheckAll(first, draw());
}

}  // namespace
}  // namespace arenaproof
