// What STRIDED_SLICE, SLICE, SPLIT, SPLIT_V, PACK, UNPACK, TRANSPOSE and REVERSE_V2 refuse.
#include <gtest/gtest.h>

#include "kernels/reference/reference_kernels.h"
#include "tests/kernels/int32_limits_support.h"
#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

TestOperator StridedSlice() {
  return {BuiltinOperator::kStridedSlice,
          StridedSliceOptions{},
          {Tensor(kInt16, {4, 6}), Int32Constant({2}, {1, 0}), Int32Constant({2}, {4, 6}), Int32Constant({2}, {2, 3})},
          {Tensor(kInt16, {2, 2})}};
}

INSTANTIATE_TEST_SUITE_P(
    StridedSlice, Refusals,
    ::testing::Values(
        Refusal{"no strides", StridedSlice, [](TestOperator& s) { s.inputs.resize(3); },
                StatusCode::kKernelOperandCount, 3},
        Refusal{"missing options", StridedSlice, [](TestOperator& s) { s.options = std::monostate{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"int64", StridedSlice, [](TestOperator& s) { Retype(s.inputs[0], TensorType::kInt64); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"another output type", StridedSlice, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"five dimensions", StridedSlice, [](TestOperator& s) { Resize(s.inputs[0], {4, 6, 1, 1, 1}); },
                StatusCode::kKernelRank, 0},
        Refusal{"computed begins", StridedSlice, [](TestOperator& s) { s.inputs[1].constant = false; },
                StatusCode::kKernelNotConstant, 1},
        Refusal{"ends of int64", StridedSlice, [](TestOperator& s) { Retype(s.inputs[2], TensorType::kInt64); },
                StatusCode::kKernelType, 2},
        Refusal{"one begin for two dimensions", StridedSlice, [](TestOperator& s) { Resize(s.inputs[1], {1}); },
                StatusCode::kKernelElementCount, 1},
        Refusal{"strides of two dimensions", StridedSlice, [](TestOperator& s) { Resize(s.inputs[3], {2, 1}); },
                StatusCode::kKernelRank, 3},
        Refusal{"a stride of zero", StridedSlice, [](TestOperator& s) { SetNumbers(s.inputs[3], {2, 0}); },
                StatusCode::kKernelIndex, 3},
        Refusal{"an output of another extent", StridedSlice, [](TestOperator& s) { Resize(s.outputs[0], {2, 3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an axis shrunk and kept", StridedSlice,
                [](TestOperator& s) { OptionsOf<StridedSliceOptions>(s).shrink_axis_mask = 1; },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"an axis shrunk behind its end", StridedSlice,
                [](TestOperator& s) {
                  OptionsOf<StridedSliceOptions>(s).shrink_axis_mask = 1;
                  SetNumbers(s.inputs[1], {4, 0});
                  Resize(s.outputs[0], {2});
                },
                StatusCode::kKernelIndex, 1},
        Refusal{"an axis shrunk backwards", StridedSlice,
                [](TestOperator& s) {
                  OptionsOf<StridedSliceOptions>(s).shrink_axis_mask = 1;
                  SetNumbers(s.inputs[3], {-1, 3});
                  Resize(s.outputs[0], {2});
                },
                StatusCode::kKernelIndex, 3}),
    NameOf);

TestOperator Slice() {
  return {BuiltinOperator::kSlice,
          std::monostate{},
          {Tensor(TensorType::kBool, {4, 6}), Int32Constant({2}, {1, 0}), Int32Constant({2}, {2, -1})},
          {Tensor(TensorType::kBool, {2, 6})}};
}
TestOperator SliceByInt64() {
  TestOperator subject = Slice();
  Retype(subject.inputs[1], TensorType::kInt64);
  Retype(subject.inputs[2], TensorType::kInt64);
  SetNumbers(subject.inputs[1], {2, 0});
  SetNumbers(subject.inputs[2], {-1, 6});
  return subject;
}

INSTANTIATE_TEST_SUITE_P(
    Slice, Refusals,
    ::testing::Values(
        Refusal{"no sizes", Slice, [](TestOperator& s) { s.inputs.resize(2); }, StatusCode::kKernelOperandCount, 2},
        Refusal{"int64", Slice, [](TestOperator& s) { Retype(s.inputs[0], TensorType::kInt64); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"another output type", Slice, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"six dimensions", Slice, [](TestOperator& s) { Resize(s.inputs[0], {4, 6, 1, 1, 1, 1}); },
                StatusCode::kKernelRank, 0},
        Refusal{"another output rank", Slice, [](TestOperator& s) { Resize(s.outputs[0], {12}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"begins of int16", Slice, [](TestOperator& s) { Retype(s.inputs[1], kInt16); },
                StatusCode::kKernelUnsupportedType, 1},
        Refusal{"begins and sizes of two types", Slice,
                [](TestOperator& s) { Retype(s.inputs[2], TensorType::kInt64); }, StatusCode::kKernelType, 2},
        Refusal{"three sizes", Slice, [](TestOperator& s) { Resize(s.inputs[2], {3}); },
                StatusCode::kKernelElementCount, 2},
        Refusal{"an output wider than the data", Slice, [](TestOperator& s) { Resize(s.outputs[0], {2, 7}); },
                StatusCode::kKernelDimension, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Slice, ValueRefusals,
    ::testing::Values(ValueRefusal{"a negative begin", Slice, 1, {-1, 0}, IndexFailure(1, 0, -1, 0)},
                      ValueRefusal{"a window over the end", Slice, 1, {3, 0}, IndexFailure(1, 0, 3, 2)},
                      ValueRefusal{"the least begin", Slice, 1, {kLeastInt32, 0}, IndexFailure(1, 0, kLeastInt32, 0)},
                      ValueRefusal{"a begin that leaves another rest", Slice, 1, {1, 1}, IndexFailure(1, 1, 1, 0)},
                      ValueRefusal{"another size than the output", Slice, 2, {1, -1}, IndexFailure(2, 0, 1, 2)},
                      ValueRefusal{"a size of minus two", Slice, 2, {2, -2}, IndexFailure(2, 1, -2, 6)},
                      ValueRefusal{"a begin beyond 32 bits",
                                   SliceByInt64,
                                   1,
                                   {2 + (std::int64_t{1} << 32), 0},
                                   IndexFailure(1, 0, 2 + (std::int64_t{1} << 32), 2)}),
    NameOfValueRefusal);

TestOperator Split() {
  return {BuiltinOperator::kSplit,
          SplitOptions{2},
          {Int32Constant({1}, {-1}), Tensor(kFloat, {2, 6})},
          {Tensor(kFloat, {2, 3}), Tensor(kFloat, {2, 3})}};
}
TestOperator SplitV() {
  return {BuiltinOperator::kSplitV,
          SplitOptions{2},
          {Tensor(kInt32, {2, 6}), Int32Constant({2}, {1, 5}), Int32Constant({}, {1})},
          {Tensor(kInt32, {2, 1}), Tensor(kInt32, {2, 5})}};
}

INSTANTIATE_TEST_SUITE_P(
    Splitting, Refusals,
    ::testing::Values(
        Refusal{"no data", Split, [](TestOperator& s) { s.inputs.resize(1); }, StatusCode::kKernelOperandCount, 1},
        Refusal{"no outputs", Split, [](TestOperator& s) { s.outputs.clear(); }, StatusCode::kKernelOperandCount, 2},
        Refusal{"bool", Split, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kBool); },
                StatusCode::kKernelUnsupportedType, 1},
        Refusal{"an output of another type", Split, [](TestOperator& s) { Retype(s.outputs[1], kInt32); },
                StatusCode::kKernelType, kFirstOutput + 1},
        Refusal{"a computed axis", Split, [](TestOperator& s) { s.inputs[0].constant = false; },
                StatusCode::kKernelNotConstant, 0},
        Refusal{"an axis of int64", Split, [](TestOperator& s) { Retype(s.inputs[0], TensorType::kInt64); },
                StatusCode::kKernelType, 0},
        Refusal{"two axes", Split, [](TestOperator& s) { Resize(s.inputs[0], {2}); }, StatusCode::kKernelElementCount,
                0},
        Refusal{"an axis out of range", Split, [](TestOperator& s) { SetNumbers(s.inputs[0], {2}); },
                StatusCode::kKernelOption, Option(KernelOption::kAxis)},
        Refusal{"unequal parts", Split,
                [](TestOperator& s) {
                  Resize(s.outputs[0], {2, 2});
                  Resize(s.outputs[1], {2, 4});
                },
                StatusCode::kKernelDimension, kFirstOutput + 1},
        Refusal{"parts that leave a rest", Split,
                [](TestOperator& s) {
                  Resize(s.outputs[0], {2, 2});
                  Resize(s.outputs[1], {2, 2});
                },
                StatusCode::kKernelDimension, 1},
        Refusal{"a part of another extent", Split, [](TestOperator& s) { Resize(s.outputs[1], {1, 3}); },
                StatusCode::kKernelDimension, kFirstOutput + 1},
        Refusal{"a part of another rank", Split, [](TestOperator& s) { Resize(s.outputs[1], {2, 3, 1}); },
                StatusCode::kKernelRank, kFirstOutput + 1},
        Refusal{"sized parts and no axis", SplitV, [](TestOperator& s) { s.inputs.resize(2); },
                StatusCode::kKernelOperandCount, 2},
        Refusal{"sized parts and a computed axis", SplitV, [](TestOperator& s) { s.inputs[2].constant = false; },
                StatusCode::kKernelNotConstant, 2},
        Refusal{"sized parts that do not fit", SplitV, [](TestOperator& s) { Resize(s.outputs[1], {2, 4}); },
                StatusCode::kKernelDimension, 0}),
    NameOf);

TestOperator Pack() {
  return {BuiltinOperator::kPack,
          PackOptions{.values_count = 2, .axis = -1},
          {Tensor(TensorType::kInt64, {2, 3}), Tensor(TensorType::kInt64, {2, 3})},
          {Tensor(TensorType::kInt64, {2, 3, 2})}};
}
TestOperator Unpack() {
  return {BuiltinOperator::kUnpack,
          UnpackOptions{.num = 2, .axis = 0},
          {Tensor(kInt16, {2, 3})},
          {Tensor(kInt16, {3}), Tensor(kInt16, {3})}};
}

INSTANTIATE_TEST_SUITE_P(
    Packing, Refusals,
    ::testing::Values(
        Refusal{"no values", Pack, [](TestOperator& s) { s.inputs.clear(); }, StatusCode::kKernelOperandCount, 0},
        Refusal{"an omitted value", Pack, [](TestOperator& s) { s.inputs[1] = Absent(); },
                StatusCode::kKernelOperandMissing, 1},
        Refusal{"missing options", Pack, [](TestOperator& s) { s.options = std::monostate{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"another number of values in the options", Pack,
                [](TestOperator& s) { OptionsOf<PackOptions>(s).values_count = 3; }, StatusCode::kKernelOption,
                Option(KernelOption::kValuesCount)},
        Refusal{"bool", Pack, [](TestOperator& s) { Retype(s.outputs[0], TensorType::kBool); },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"a value of another type", Pack, [](TestOperator& s) { Retype(s.inputs[1], kInt32); },
                StatusCode::kKernelType, 1},
        Refusal{"a value of another rank", Pack, [](TestOperator& s) { Resize(s.inputs[1], {2, 3, 1}); },
                StatusCode::kKernelRank, 1},
        Refusal{"a value of another extent", Pack, [](TestOperator& s) { Resize(s.inputs[1], {2, 2}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"an axis beyond the output", Pack, [](TestOperator& s) { OptionsOf<PackOptions>(s).axis = 3; },
                StatusCode::kKernelOption, Option(KernelOption::kAxis)},
        Refusal{"an output for three", Pack, [](TestOperator& s) { Resize(s.outputs[0], {2, 3, 3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output that is a scalar", Pack, [](TestOperator& s) { Resize(s.outputs[0], {}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"unpacking int64", Unpack, [](TestOperator& s) { Retype(s.inputs[0], TensorType::kInt64); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"unpacking another number", Unpack, [](TestOperator& s) { OptionsOf<UnpackOptions>(s).num = 1; },
                StatusCode::kKernelOption, Option(KernelOption::kValuesCount)},
        Refusal{"unpacking beyond the last axis", Unpack,
                [](TestOperator& s) { OptionsOf<UnpackOptions>(s).axis = -3; }, StatusCode::kKernelOption,
                Option(KernelOption::kAxis)},
        Refusal{"unpacking three into two", Unpack, [](TestOperator& s) { Resize(s.inputs[0], {3, 3}); },
                StatusCode::kKernelDimension, 0},
        Refusal{"unpacking to another extent", Unpack, [](TestOperator& s) { Resize(s.outputs[1], {2}); },
                StatusCode::kKernelDimension, kFirstOutput + 1}),
    NameOf);

// An extent of 0 hides how large the others are.
TEST(Packing, OfNothingTakesNoStep) {
  TestOperator subject = Pack();
  for (TestTensor& input : subject.inputs) Resize(input, {kMostInt32, kMostInt32, 0});
  Resize(subject.outputs[0], {kMostInt32, kMostInt32, 0, 2});
  const StatusCode expected = sizeof(std::size_t) == 8 ? StatusCode::kOk : StatusCode::kSizeOverflow;
  EXPECT_EQ(RunKernel(ReferenceKernels(), subject).status.code, expected);
}

TestOperator Transpose() {
  return {BuiltinOperator::kTranspose,
          std::monostate{},
          {Tensor(kInt16, {2, 3, 4}), Int32Constant({3}, {2, 0, 1})},
          {Tensor(kInt16, {4, 2, 3})}};
}

INSTANTIATE_TEST_SUITE_P(
    Transpose, Refusals,
    ::testing::Values(
        Refusal{"int32", Transpose, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"another output type", Transpose, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"six dimensions", Transpose, [](TestOperator& s) { Resize(s.inputs[0], {2, 3, 4, 1, 1, 1}); },
                StatusCode::kKernelRank, 0},
        Refusal{"a computed permutation", Transpose, [](TestOperator& s) { s.inputs[1].constant = false; },
                StatusCode::kKernelNotConstant, 1},
        Refusal{"a permutation of int64", Transpose, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt64); },
                StatusCode::kKernelType, 1},
        Refusal{"a short permutation", Transpose, [](TestOperator& s) { Resize(s.inputs[1], {2}); },
                StatusCode::kKernelElementCount, 1},
        Refusal{"a dimension out of range", Transpose, [](TestOperator& s) { SetNumbers(s.inputs[1], {2, 0, 3}); },
                StatusCode::kKernelIndex, 1},
        Refusal{"a negative dimension", Transpose, [](TestOperator& s) { SetNumbers(s.inputs[1], {-1, 0, 1}); },
                StatusCode::kKernelIndex, 1},
        Refusal{"a dimension twice", Transpose, [](TestOperator& s) { SetNumbers(s.inputs[1], {2, 0, 0}); },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kRepeatedAxis)},
        Refusal{"an output that is not permuted", Transpose, [](TestOperator& s) { Resize(s.outputs[0], {2, 3, 4}); },
                StatusCode::kKernelDimension, kFirstOutput}),
    NameOf);

TestOperator Reverse() {
  return {BuiltinOperator::kReverseV2,
          std::monostate{},
          {Tensor(TensorType::kUInt8, {2, 3, 4}), Int32Constant({2}, {-1, 1})},
          {Tensor(TensorType::kUInt8, {2, 3, 4})}};
}

INSTANTIATE_TEST_SUITE_P(
    ReverseV2, Refusals,
    ::testing::Values(
        Refusal{"a complex type", Reverse, [](TestOperator& s) { Retype(s.inputs[0], TensorType::kComplex64); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"another output type", Reverse, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"another output shape", Reverse, [](TestOperator& s) { Resize(s.outputs[0], {2, 4, 3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"axes of int64", Reverse, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt64); },
                StatusCode::kKernelType, 1},
        Refusal{"axes in two dimensions", Reverse, [](TestOperator& s) { Resize(s.inputs[1], {1, 2}); },
                StatusCode::kKernelRank, 1},
        Refusal{"no axes", Reverse, [](TestOperator& s) { Resize(s.inputs[1], {0}); }, StatusCode::kKernelDimension, 1},
        Refusal{"more axes than dimensions", Reverse, [](TestOperator& s) { Resize(s.inputs[1], {4}); },
                StatusCode::kKernelDimension, 1}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    ReverseV2, ValueRefusals,
    ::testing::Values(ValueRefusal{"an axis beyond the last", Reverse, 1, {1, 3}, IndexFailure(1, 1, 3, 2)},
                      ValueRefusal{"an axis before the first", Reverse, 1, {-4, 1}, IndexFailure(1, 0, -4, -3)},
                      ValueRefusal{"axes that are no neighbours", Reverse, 1, {0, 2}, IndexFailure(1, 1, 2, 1)},
                      ValueRefusal{"an axis twice", Reverse, 1, {1, -2}, IndexFailure(1, 1, 1, 3)}),
    NameOfValueRefusal);

}  // namespace
}  // namespace arenaproof::testing
