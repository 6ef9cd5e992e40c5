// One test for each rule of the kernels' prepare: a sound operator, one thing broken, the status that has to come.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/harness/kernels/kernel_harness.h"
#include "kernels/kernel_refusals.h"

namespace arenaproof::testing {

inline constexpr std::uint64_t kFirstOutput = kFirstOutputOperand;
inline constexpr auto kInt8 = TensorType::kInt8;
inline constexpr auto kInt16 = TensorType::kInt16;
inline constexpr auto kInt32 = TensorType::kInt32;
inline constexpr auto kInt64 = TensorType::kInt64;
inline constexpr auto kBool = TensorType::kBool;
inline constexpr auto kFloat = TensorType::kFloat32;

// ---- operators that prepare accepts

TestOperator FullyConnectedInt8();
TestOperator ConvInt8();
TestOperator DepthwiseInt8();
TestOperator AveragePoolInt8();
TestOperator SoftmaxInt8();
TestOperator Reshape();
TestOperator AddInt8();
TestOperator MulInt8();
TestOperator ConcatenationInt8();
TestOperator PadInt8();
TestOperator MeanInt8();
TestOperator LogisticInt8();
TestOperator TanhInt8();
TestOperator ReluInt8();
TestOperator Relu6Int8();
TestOperator QuantizeFloat();
TestOperator DequantizeInt8();
TestOperator SvdfInt8();
TestOperator SvdfFloat();
TestOperator LessInt8();
TestOperator FullyConnectedInt16();
TestOperator ConvInt16();
TestOperator DepthwiseInt16();
TestOperator TransposeConvInt8();
TestOperator TransposeConvInt16();
TestOperator BatchMatmulInt8();
TestOperator BatchMatmulInt16();
TestOperator SubInt16();
TestOperator MulInt16();
TestOperator SoftmaxInt16();
TestOperator LogisticInt16();
TestOperator ReluInt16();
TestTensor Int32Constant(std::vector<std::int32_t> shape, const std::vector<std::int32_t>& values);

// ---- how to break them

template <typename Options>
Options& OptionsOf(TestOperator& subject) {
  return *std::get_if<Options>(&subject.options);
}
// New shape or type, with bytes of the right size.
void Resize(TestTensor& tensor, std::vector<std::int32_t> shape);
void Retype(TestTensor& tensor, TensorType type);
// A constant of int4, two elements in a byte.
void RetypeToInt4(TestTensor& tensor);

struct Refusal {
  const char* rule;
  TestOperator (*sound)();
  void (*break_it)(TestOperator&);
  StatusCode code;
  std::uint64_t first = 0;  // the status's first number: the operand, option or feature
};

inline std::uint64_t Option(KernelOption option) { return static_cast<std::uint64_t>(option); }
inline std::uint64_t Feature(KernelFeature feature) { return static_cast<std::uint64_t>(feature); }

// What is expected when an operand holds a number that points nowhere or fits nothing.
inline Status IndexFailure(std::size_t operand, std::size_t position, std::int64_t found, std::int64_t limit) {
  return Failure(StatusCode::kKernelIndex, operand, position, found, limit);
}

class Refusals : public ::testing::TestWithParam<Refusal> {};
std::string NameOf(const ::testing::TestParamInfo<Refusal>& info);

// What depends on values that are known at run time only. Given as a constant of the model the same value is refused in
// prepare; computed, prepare accepts the operator and invoke refuses.
struct ValueRefusal {
  const char* rule;
  TestOperator (*sound)();
  std::size_t input;  // holds the values
  std::vector<std::int64_t> values;
  Status expected;
};
class ValueRefusals : public ::testing::TestWithParam<ValueRefusal> {};
std::string NameOfValueRefusal(const ::testing::TestParamInfo<ValueRefusal>& info);
// The tensor with these values, int32 or int64.
void SetNumbers(TestTensor& tensor, const std::vector<std::int64_t>& values);

}  // namespace arenaproof::testing
