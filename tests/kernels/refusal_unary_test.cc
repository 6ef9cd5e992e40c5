// What prepare refuses of element-wise operators with one operand, and of CAST.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/kernel_sets.h"
#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

constexpr auto kUInt8 = TensorType::kUInt8;

TestOperator Unary(BuiltinOperator op, TensorType type) {
  return {op, std::monostate{}, {Tensor(type, {2, 3})}, {Tensor(type, {2, 3})}};
}
TestOperator QuantizedUnary(BuiltinOperator op, TensorType type, std::int64_t zero_point) {
  return {op,
          std::monostate{},
          {QuantizedTensor(type, {2, 3}, 0.5f, zero_point)},
          {QuantizedTensor(type, {2, 3}, 0.25f, zero_point)}};
}

TestOperator ExpFloat() { return Unary(BuiltinOperator::kExp, kFloat); }
TestOperator LogFloat() { return Unary(BuiltinOperator::kLog, kFloat); }
TestOperator LogicalNot() { return Unary(BuiltinOperator::kLogicalNot, TensorType::kBool); }
TestOperator CastFloat() {
  TestOperator subject = Unary(BuiltinOperator::kCast, kFloat);
  Retype(subject.outputs[0], kInt8);
  return subject;
}
TestOperator LeakyReluQuantized() {
  TestOperator subject = QuantizedUnary(BuiltinOperator::kLeakyRelu, kInt8, 3);
  subject.options = LeakyReluOptions{.alpha = 0.5f};
  return subject;
}
TestOperator HardSwishQuantized() { return QuantizedUnary(BuiltinOperator::kHardSwish, kInt8, 3); }
TestOperator EluQuantized() { return QuantizedUnary(BuiltinOperator::kElu, kInt8, 3); }
TestOperator AbsQuantized() { return QuantizedUnary(BuiltinOperator::kAbs, kInt8, 3); }
TestOperator AbsInt16() { return QuantizedUnary(BuiltinOperator::kAbs, kInt16, 0); }
TestOperator RsqrtQuantized() { return QuantizedUnary(BuiltinOperator::kRsqrt, kInt8, 0); }
TestOperator RsqrtInt16() { return QuantizedUnary(BuiltinOperator::kRsqrt, kInt16, 0); }

INSTANTIATE_TEST_SUITE_P(
    FloatElementWise, Refusals,
    ::testing::Values(
        Refusal{"an exponential of int8", ExpFloat,
                [](TestOperator& s) {
                  Retype(s.inputs[0], kInt8);
                  Retype(s.outputs[0], kInt8);
                },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"an exponential to int8", ExpFloat, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a logarithm of another shape", LogFloat, [](TestOperator& s) { Resize(s.outputs[0], {3, 2}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a logarithm of two operands", LogFloat, [](TestOperator& s) { s.inputs.push_back(s.inputs[0]); },
                StatusCode::kKernelOperandCount, 2},
        Refusal{"a negation of int8 truths", LogicalNot, [](TestOperator& s) { Retype(s.inputs[0], kInt8); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a negation to int8", LogicalNot, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Cast, Refusals,
    ::testing::Values(
        Refusal{"a cast from int64", CastFloat, [](TestOperator& s) { Retype(s.inputs[0], TensorType::kInt64); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a cast to int64", CastFloat, [](TestOperator& s) { Retype(s.outputs[0], TensorType::kInt64); },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"a cast to bool", CastFloat, [](TestOperator& s) { Retype(s.outputs[0], TensorType::kBool); },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"a cast of uint8", CastFloat, [](TestOperator& s) { Retype(s.inputs[0], kUInt8); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a cast of another count", CastFloat, [](TestOperator& s) { Resize(s.outputs[0], {7}); },
                StatusCode::kKernelElementCount, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    QuantizedElementWise, Refusals,
    ::testing::Values(
        Refusal{"a leaky relu of uint8", LeakyReluQuantized, [](TestOperator& s) { Retype(s.inputs[0], kUInt8); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a leaky relu without options", LeakyReluQuantized,
                [](TestOperator& s) { s.options = std::monostate{}; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kMissingOptions)},
        Refusal{"a leaky relu whose alpha is no number", LeakyReluQuantized,
                [](TestOperator& s) { OptionsOf<LeakyReluOptions>(s).alpha = NAN; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a leaky relu whose alpha is too large", LeakyReluQuantized,
                [](TestOperator& s) { OptionsOf<LeakyReluOptions>(s).alpha = -1e10f; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a hard swish of int16", HardSwishQuantized, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a hard swish that grows 128 times", HardSwishQuantized,
                [](TestOperator& s) { s.outputs[0].scales = {0.5f / 128.0f}; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kOperatorRatio)},
        Refusal{"an elu of another shape", EluQuantized, [](TestOperator& s) { Resize(s.outputs[0], {6}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"an elu without quantization", EluQuantized, [](TestOperator& s) { s.outputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, kFirstOutput},
        Refusal{"an abs of plain int8", AbsQuantized, [](TestOperator& s) { s.inputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, 0},
        Refusal{"an abs of int16 with a zero point", AbsInt16, [](TestOperator& s) { s.inputs[0].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, 0},
        Refusal{"an abs to int16 with a zero point", AbsInt16, [](TestOperator& s) { s.outputs[0].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"an abs to plain int16", AbsInt16, [](TestOperator& s) { s.outputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, kFirstOutput},
        Refusal{"an abs of int32", AbsInt16, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a reciprocal root of plain int16", RsqrtInt16, [](TestOperator& s) { s.inputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, 0},
        Refusal{"a reciprocal root of int16 with a zero point", RsqrtInt16,
                [](TestOperator& s) { s.inputs[0].zero_points = {-1}; }, StatusCode::kKernelZeroPoint, 0},
        Refusal{"a reciprocal root whose ratio passes 2 to the 20th", RsqrtQuantized,
                [](TestOperator& s) {
                  s.inputs[0].scales = {0.25f};
                  s.outputs[0].scales = {1e-6f};
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kOperatorRatio)}),
    NameOf);

// One step before the last refusal: 2^20 is exactly what the shift allows no longer, a little less is served.
TEST(ReciprocalRoot, IsServedUpToTheRatio) {
  TestOperator subject = RsqrtQuantized();
  subject.inputs[0].scales = {0.25f};
  subject.outputs[0].scales = {2e-6f};
  EXPECT_TRUE(PrepareStatus(*FindKernelSet("reference"), subject).ok());
}

}  // namespace
}  // namespace arenaproof::testing
