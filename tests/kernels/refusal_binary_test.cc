// What prepare refuses of element-wise operators with several operands.
#include <gtest/gtest.h>

#include "kernels/kernel_sets.h"
#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

TestOperator Binary(BuiltinOperator op, TensorType type, OperatorOptions options = std::monostate{}) {
  return {op, options, {Tensor(type, {2, 3, 4}), Tensor(type, {3, 1})}, {Tensor(type, {2, 3, 4})}};
}
TestOperator QuantizedBinary(BuiltinOperator op, TensorType type, std::int64_t zero_point,
                             OperatorOptions options = std::monostate{}) {
  TestOperator subject = Binary(op, type, options);
  for (TestTensor* tensor : {&subject.inputs[0], &subject.inputs[1], &subject.outputs[0]}) {
    tensor->scales = {0.5f};
    tensor->zero_points = {zero_point};
  }
  return subject;
}

void RetypeAll(TestOperator& subject, TensorType type) {
  for (TestTensor& input : subject.inputs) Retype(input, type);
  Retype(subject.outputs[0], type);
}
void Ones(TestTensor& tensor) { std::fill(tensor.bytes.begin(), tensor.bytes.end(), std::byte{1}); }

TestOperator MaximumInt64() { return Binary(BuiltinOperator::kMaximum, kInt64); }
TestOperator DivQuantized() { return QuantizedBinary(BuiltinOperator::kDiv, kInt8, 3, DivOptions{}); }
TestOperator DivInt32() {
  TestOperator subject = Binary(BuiltinOperator::kDiv, kInt32, DivOptions{});
  Ones(subject.inputs[1]);
  return subject;
}
TestOperator SquaredDifferenceInt8() { return QuantizedBinary(BuiltinOperator::kSquaredDifference, kInt8, 3); }
TestOperator SquaredDifferenceInt16() {
  TestOperator subject = QuantizedBinary(BuiltinOperator::kSquaredDifference, kInt16, 0);
  subject.outputs[0].scales = {1.5f};
  return subject;
}
TestOperator FloorModFloat() { return Binary(BuiltinOperator::kFloorMod, kFloat); }
TestOperator FloorDivFloat() {
  TestOperator subject = Binary(BuiltinOperator::kFloorDiv, kFloat);
  Ones(subject.inputs[1]);
  return subject;
}
TestOperator PreluInt8() { return QuantizedBinary(BuiltinOperator::kPrelu, kInt8, 3); }
TestOperator PreluInt16() {
  TestOperator subject = QuantizedBinary(BuiltinOperator::kPrelu, kInt16, 3);
  Retype(subject.inputs[1], kInt8);
  return subject;
}
TestOperator PreluFloat() { return Binary(BuiltinOperator::kPrelu, kFloat); }
TestOperator LogicalAnd() { return Binary(BuiltinOperator::kLogicalAnd, kBool); }
TestOperator AddNInt8() {
  const TestTensor tensor = QuantizedTensor(kInt8, {2, 3}, 0.5f, 3);
  return {BuiltinOperator::kAddN, std::monostate{}, {tensor, tensor, tensor}, {tensor}};
}
TestOperator SelectFloat() {
  return {BuiltinOperator::kSelectV2,
          std::monostate{},
          {Tensor(kBool, {2, 1}), Tensor(kFloat, {3}), Tensor(kFloat, {2, 3})},
          {Tensor(kFloat, {2, 3})}};
}

INSTANTIATE_TEST_SUITE_P(
    TwoOperands, Refusals,
    ::testing::Values(
        Refusal{"a maximum of bool", MaximumInt64, [](TestOperator& s) { RetypeAll(s, kBool); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a maximum of mixed types", MaximumInt64, [](TestOperator& s) { Retype(s.inputs[1], kInt32); },
                StatusCode::kKernelType, 1},
        Refusal{"a maximum to another type", MaximumInt64, [](TestOperator& s) { Retype(s.outputs[0], kInt32); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a maximum of shapes that do not broadcast", MaximumInt64,
                [](TestOperator& s) { Resize(s.inputs[1], {2, 1}); }, StatusCode::kKernelDimension, 1},
        Refusal{"a maximum to another shape", MaximumInt64, [](TestOperator& s) { Resize(s.outputs[0], {2, 3, 1}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a division of int16", DivQuantized, [](TestOperator& s) { RetypeAll(s, kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a division without options", DivQuantized, [](TestOperator& s) { s.options = AddOptions{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"a division with an activation of tanh", DivQuantized,
                [](TestOperator& s) { OptionsOf<DivOptions>(s).activation = Activation::kTanh; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"a division whose ratio passes 2 to the 23rd", DivQuantized,
                [](TestOperator& s) { s.outputs[0].scales = {1.0f / 8388608.0f}; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kOperatorRatio)},
        Refusal{"a division of quantized int32", DivInt32,
                [](TestOperator& s) {
                  s.inputs[1].scales = {1.0f};
                  s.inputs[1].zero_points = {0};
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kQuantizedInt32)},
        Refusal{"a squared difference of int64", SquaredDifferenceInt8, [](TestOperator& s) { RetypeAll(s, kInt64); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a squared difference of int16 with a zero point", SquaredDifferenceInt16,
                [](TestOperator& s) { s.inputs[1].zero_points = {1}; }, StatusCode::kKernelZeroPoint, 1},
        Refusal{"a squared difference whose last shift goes left", SquaredDifferenceInt16,
                [](TestOperator& s) { s.outputs[0].scales = {1.0f}; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kOperatorRatio)},
        Refusal{"a floor division of int32", FloorDivFloat, [](TestOperator& s) { RetypeAll(s, kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a floor division of shapes that do not broadcast", FloorDivFloat,
                [](TestOperator& s) { Resize(s.inputs[1], {2}); }, StatusCode::kKernelDimension, 1},
        Refusal{"a remainder of int32", FloorModFloat, [](TestOperator& s) { RetypeAll(s, kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"an and of int8", LogicalAnd, [](TestOperator& s) { RetypeAll(s, kInt8); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a prelu of int32", PreluInt8, [](TestOperator& s) { RetypeAll(s, kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a prelu of int16 with an alpha of int16", PreluInt16,
                [](TestOperator& s) { Retype(s.inputs[1], kInt16); }, StatusCode::kKernelType, 1},
        Refusal{"a float prelu with an alpha of int8", PreluFloat, [](TestOperator& s) { Retype(s.inputs[1], kInt8); },
                StatusCode::kKernelType, 1},
        Refusal{"a prelu to another type", PreluInt16, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a float prelu of five dimensions", PreluFloat,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {1, 1, 2, 3, 4});
                  Resize(s.outputs[0], {1, 1, 2, 3, 4});
                },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"an alpha without quantization", PreluInt8, [](TestOperator& s) { s.inputs[1].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, 1}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    SeveralOperands, Refusals,
    ::testing::Values(
        Refusal{"a sum of one", AddNInt8, [](TestOperator& s) { s.inputs.resize(1); }, StatusCode::kKernelOperandCount,
                1},
        Refusal{"a sum of sixteen int8", AddNInt8, [](TestOperator& s) { s.inputs.resize(16, s.inputs[0]); },
                StatusCode::kKernelOperandCount, 16},
        Refusal{"a summand that is omitted", AddNInt8, [](TestOperator& s) { s.inputs[2] = Absent(); },
                StatusCode::kKernelOperandMissing, 2},
        Refusal{"a sum of int16", AddNInt8, [](TestOperator& s) { RetypeAll(s, kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a summand of another type", AddNInt8, [](TestOperator& s) { Retype(s.inputs[2], kFloat); },
                StatusCode::kKernelType, 2},
        Refusal{"a summand of another shape", AddNInt8, [](TestOperator& s) { Resize(s.inputs[1], {1, 3}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"a summand of another scale", AddNInt8, [](TestOperator& s) { s.inputs[2].scales = {0.25f}; },
                StatusCode::kKernelScale, 2},
        Refusal{"a summand of another zero point", AddNInt8, [](TestOperator& s) { s.inputs[1].zero_points = {2}; },
                StatusCode::kKernelZeroPoint, 1},
        Refusal{"a sum of another shape", AddNInt8, [](TestOperator& s) { Resize(s.outputs[0], {3, 2}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a sum whose scale is far below the summands", AddNInt8,
                [](TestOperator& s) { s.outputs[0].scales = {1.0f / 1048576.0f}; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kOperatorRatio)},
        Refusal{"a condition of int8", SelectFloat, [](TestOperator& s) { Retype(s.inputs[0], kInt8); },
                StatusCode::kKernelType, 0},
        Refusal{"a selection of int32", SelectFloat,
                [](TestOperator& s) {
                  Retype(s.inputs[1], kInt32);
                  Retype(s.inputs[2], kInt32);
                  Retype(s.outputs[0], kInt32);
                },
                StatusCode::kKernelUnsupportedType, 1},
        Refusal{"a selection of mixed types", SelectFloat, [](TestOperator& s) { Retype(s.inputs[2], kInt8); },
                StatusCode::kKernelType, 2},
        Refusal{"a selection to another type", SelectFloat, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a choice that does not broadcast with the others", SelectFloat,
                [](TestOperator& s) { Resize(s.inputs[2], {3, 3}); }, StatusCode::kKernelDimension, 2},
        Refusal{"a selection that is not the broadcast shape", SelectFloat,
                [](TestOperator& s) { Resize(s.outputs[0], {1, 3}); }, StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a selection of lower rank", SelectFloat, [](TestOperator& s) { Resize(s.outputs[0], {6}); },
                StatusCode::kKernelRank, kFirstOutput}),
    NameOf);

// Only single values may differ in rank.
TEST(SelectV2, TakesSingleValuesOfAnyRank) {
  TestOperator subject = SelectFloat();
  Resize(subject.inputs[0], {1, 1});
  Resize(subject.inputs[1], {});
  Resize(subject.inputs[2], {1, 1, 1});
  Resize(subject.outputs[0], {1});
  EXPECT_TRUE(PrepareStatus(*FindKernelSet("reference"), subject).ok());
}

}  // namespace
}  // namespace arenaproof::testing
