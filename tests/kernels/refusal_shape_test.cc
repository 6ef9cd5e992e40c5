// What EXPAND_DIMS, SQUEEZE, SHAPE, FILL, ZEROS_LIKE, BROADCAST_TO and BROADCAST_ARGS refuse.
#include <gtest/gtest.h>

#include "kernels/reference/reference_kernels.h"
#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

TestOperator ExpandDims() {
  return {BuiltinOperator::kExpandDims,
          std::monostate{},
          {Tensor(kInt8, {2, 3}), Int32Constant({1}, {1})},
          {Tensor(kInt8, {2, 1, 3})}};
}
TestOperator Squeeze() {
  return {BuiltinOperator::kSqueeze, SqueezeOptions{}, {Tensor(kFloat, {2, 1, 3})}, {Tensor(kFloat, {2, 3})}};
}
TestOperator Shape() {
  return {BuiltinOperator::kShape, OtherOptions{55}, {Tensor(kInt16, {2, 1, 3})}, {Tensor(kInt32, {3})}};
}
TestOperator Fill() {
  return {BuiltinOperator::kFill,
          OtherOptions{68},
          {Int32Constant({2}, {2, 3}), Tensor(kFloat, {})},
          {Tensor(kFloat, {2, 3})}};
}
TestOperator ZerosLike() {
  return {BuiltinOperator::kZerosLike,
          OtherOptions{67},
          {Tensor(TensorType::kInt64, {2, 3})},
          {Tensor(TensorType::kInt64, {2, 3})}};
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Refusals,
    ::testing::Values(
        Refusal{"expanding without an axis", ExpandDims, [](TestOperator& s) { s.inputs.resize(1); },
                StatusCode::kKernelOperandCount, 1},
        Refusal{"expanding to another count", ExpandDims, [](TestOperator& s) { Resize(s.outputs[0], {2, 2, 3}); },
                StatusCode::kKernelElementCount, kFirstOutput},
        Refusal{"expanding to another type", ExpandDims, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"squeezing to another count", Squeeze, [](TestOperator& s) { Resize(s.outputs[0], {2, 2}); },
                StatusCode::kKernelElementCount, kFirstOutput},
        Refusal{"squeezing two operands", Squeeze, [](TestOperator& s) { s.inputs.push_back(s.inputs[0]); },
                StatusCode::kKernelOperandCount, 2},
        Refusal{"a shape in int64", Shape, [](TestOperator& s) { Retype(s.outputs[0], TensorType::kInt64); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a shape of two numbers for three", Shape, [](TestOperator& s) { Resize(s.outputs[0], {2}); },
                StatusCode::kKernelElementCount, kFirstOutput},
        Refusal{"a shape in two dimensions", Shape, [](TestOperator& s) { Resize(s.outputs[0], {3, 1}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"filling int16", Fill, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"filling with another type", Fill, [](TestOperator& s) { Retype(s.inputs[1], kInt8); },
                StatusCode::kKernelType, 1},
        Refusal{"filling with a list", Fill, [](TestOperator& s) { Resize(s.inputs[1], {1}); }, StatusCode::kKernelRank,
                1},
        Refusal{"computed dims", Fill, [](TestOperator& s) { s.inputs[0].constant = false; },
                StatusCode::kKernelNotConstant, 0},
        Refusal{"dims that are floats", Fill, [](TestOperator& s) { Retype(s.inputs[0], kFloat); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"dims of another count", Fill, [](TestOperator& s) { Resize(s.inputs[0], {3}); },
                StatusCode::kKernelElementCount, 0},
        Refusal{"dims of another shape", Fill, [](TestOperator& s) { SetNumbers(s.inputs[0], {3, 2}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"zeros of int16", ZerosLike, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"zeros of another type", ZerosLike, [](TestOperator& s) { Retype(s.outputs[0], kFloat); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"zeros of another shape", ZerosLike, [](TestOperator& s) { Resize(s.outputs[0], {3, 2}); },
                StatusCode::kKernelDimension, kFirstOutput}),
    NameOf);

TestOperator BroadcastTo() {
  return {BuiltinOperator::kBroadcastTo,
          std::monostate{},
          {Tensor(TensorType::kComplex128, {1, 3}), Int32Constant({3}, {2, 4, 3})},
          {Tensor(TensorType::kComplex128, {2, 4, 3})}};
}

INSTANTIATE_TEST_SUITE_P(
    BroadcastTo, Refusals,
    ::testing::Values(Refusal{"another output type", BroadcastTo, [](TestOperator& s) { Retype(s.outputs[0], kFloat); },
                              StatusCode::kKernelType, kFirstOutput},
                      Refusal{"six dimensions", BroadcastTo,
                              [](TestOperator& s) { Resize(s.outputs[0], {1, 1, 1, 2, 4, 3}); },
                              StatusCode::kKernelRank, kFirstOutput},
                      Refusal{"an input of more dimensions", BroadcastTo,
                              [](TestOperator& s) { Resize(s.inputs[0], {1, 1, 1, 3}); }, StatusCode::kKernelRank, 0},
                      Refusal{"a computed shape", BroadcastTo, [](TestOperator& s) { s.inputs[1].constant = false; },
                              StatusCode::kKernelNotConstant, 1},
                      Refusal{"a shape of int16", BroadcastTo, [](TestOperator& s) { Retype(s.inputs[1], kInt16); },
                              StatusCode::kKernelUnsupportedType, 1},
                      Refusal{"a shape of two numbers", BroadcastTo, [](TestOperator& s) { Resize(s.inputs[1], {2}); },
                              StatusCode::kKernelElementCount, 1},
                      Refusal{"another shape than the output", BroadcastTo,
                              [](TestOperator& s) { SetNumbers(s.inputs[1], {2, 3, 3}); }, StatusCode::kKernelDimension,
                              kFirstOutput},
                      Refusal{"an input that does not repeat", BroadcastTo,
                              [](TestOperator& s) { Resize(s.inputs[0], {2, 3}); }, StatusCode::kKernelDimension, 0}),
    NameOf);

TestOperator BroadcastArgs() {
  return {BuiltinOperator::kBroadcastArgs,
          std::monostate{},
          {Int32Constant({2}, {3, 1}), Int32Constant({3}, {2, 1, 4})},
          {Tensor(kInt32, {3})}};
}

INSTANTIATE_TEST_SUITE_P(
    BroadcastArgs, Refusals,
    ::testing::Values(Refusal{"int16", BroadcastArgs, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                              StatusCode::kKernelUnsupportedType, 0},
                      Refusal{"shapes of two types", BroadcastArgs,
                              [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt64); }, StatusCode::kKernelType,
                              1},
                      Refusal{"an output of another type", BroadcastArgs,
                              [](TestOperator& s) { Retype(s.outputs[0], TensorType::kInt64); },
                              StatusCode::kKernelType, kFirstOutput},
                      Refusal{"a shape in two dimensions", BroadcastArgs,
                              [](TestOperator& s) { Resize(s.inputs[1], {3, 1}); }, StatusCode::kKernelRank, 1},
                      Refusal{"an output of the shorter length", BroadcastArgs,
                              [](TestOperator& s) { Resize(s.outputs[0], {2}); }, StatusCode::kKernelDimension,
                              kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    BroadcastArgs, ValueRefusals,
    ::testing::Values(ValueRefusal{"extents that do not fit", BroadcastArgs, 1, {2, 2, 4}, IndexFailure(1, 1, 2, 3)},
                      ValueRefusal{"an extent of none", BroadcastArgs, 0, {3, 0}, IndexFailure(1, 2, 4, 0)}),
    NameOfValueRefusal);

TEST(BroadcastArgs, NarrowsToThirtyTwoBitsAsTheReferenceDoes) {
  TestOperator subject = BroadcastArgs();
  for (TestTensor* tensor : {&subject.inputs[0], &subject.inputs[1], &subject.outputs[0]}) {
    Retype(*tensor, TensorType::kInt64);
  }
  SetNumbers(subject.inputs[0], {(std::int64_t{1} << 32) + 1, 0xFFFFFFFF});
  SetNumbers(subject.inputs[1], {7, 5, 1});
  const RunResult result = RunKernel(ReferenceKernels(), subject);
  ASSERT_EQ(result.status, Ok());
  EXPECT_EQ(result.outputs[0], BytesOf<std::int64_t>({7, 5, -1}));
}

}  // namespace
}  // namespace arenaproof::testing
