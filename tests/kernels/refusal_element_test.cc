// What prepare refuses: SOFTMAX, operators that rearrange or reduce, and those that work element by element.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Softmax, Refusals,
    ::testing::Values(
        Refusal{"int32", SoftmaxInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"an output of int16 at the scale of int8", SoftmaxInt8,
                [](TestOperator& s) { Retype(s.outputs[0], kInt16); }, StatusCode::kKernelScale, kFirstOutput},
        Refusal{"a scalar", SoftmaxInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {});
                  Resize(s.outputs[0], {});
                },
                StatusCode::kKernelRank, 0},
        Refusal{"an empty row", SoftmaxInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {2, 0});
                  Resize(s.outputs[0], {2, 0});
                },
                StatusCode::kKernelDimension, 0},
        Refusal{"another output shape", SoftmaxInt8, [](TestOperator& s) { Resize(s.outputs[0], {5, 2}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"another output scale", SoftmaxInt8, [](TestOperator& s) { s.outputs[0].scales = {0.0039f}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"another output zero point", SoftmaxInt8, [](TestOperator& s) { s.outputs[0].zero_points = {0}; },
                StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a beta that is no number", SoftmaxInt8,
                [](TestOperator& s) { OptionsOf<SoftmaxOptions>(s).beta = NAN; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kInfiniteBeta)},
        Refusal{"a negative beta", SoftmaxInt8, [](TestOperator& s) { OptionsOf<SoftmaxOptions>(s).beta = -1; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a row whose sum leaves 32 bits", SoftmaxInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {1, 8192});
                  Resize(s.outputs[0], {1, 8192});
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kSoftmaxRow)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Rearranging, Refusals,
    ::testing::Values(
        Refusal{"a reshape to another count", Reshape, [](TestOperator& s) { Resize(s.outputs[0], {3, 5}); },
                StatusCode::kKernelElementCount, kFirstOutput},
        Refusal{"a reshape to another type", Reshape, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a concatenation of uint8", ConcatenationInt8,
                [](TestOperator& s) { Retype(s.outputs[0], TensorType::kUInt8); }, StatusCode::kKernelUnsupportedType,
                kFirstOutput},
        Refusal{"a concatenation of int16 with a zero point", ConcatenationInt8,
                [](TestOperator& s) {
                  Retype(s.inputs[0], kInt16);
                  Retype(s.inputs[1], kInt16);
                  Retype(s.outputs[0], kInt16);
                  s.inputs[0].zero_points = s.outputs[0].zero_points = {0};
                },
                StatusCode::kKernelZeroPoint, 1},
        Refusal{"a concatenation of eleven", ConcatenationInt8,
                [](TestOperator& s) { s.inputs.resize(11, s.inputs[0]); }, StatusCode::kKernelOperandCount, 11},
        Refusal{"a concatenation with an activation", ConcatenationInt8,
                [](TestOperator& s) { OptionsOf<ConcatenationOptions>(s).activation = Activation::kRelu; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"a concatenation axis beyond the rank", ConcatenationInt8,
                [](TestOperator& s) { OptionsOf<ConcatenationOptions>(s).axis = 2; }, StatusCode::kKernelOption,
                Option(KernelOption::kAxis)},
        Refusal{"a concatenation axis before the first", ConcatenationInt8,
                [](TestOperator& s) { OptionsOf<ConcatenationOptions>(s).axis = -3; }, StatusCode::kKernelOption,
                Option(KernelOption::kAxis)},
        Refusal{"a concatenated extent that differs", ConcatenationInt8,
                [](TestOperator& s) { Resize(s.inputs[1], {3, 4}); }, StatusCode::kKernelDimension, 1},
        Refusal{"a concatenation that is too short", ConcatenationInt8,
                [](TestOperator& s) { Resize(s.inputs[1], {2, 3}); }, StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a concatenated scale that differs", ConcatenationInt8,
                [](TestOperator& s) { s.inputs[1].scales = {0.25f}; }, StatusCode::kKernelScale, 1},
        Refusal{"paddings that are computed", PadInt8, [](TestOperator& s) { s.inputs[1].constant = false; },
                StatusCode::kKernelNotConstant, 1},
        Refusal{"paddings of another shape", PadInt8, [](TestOperator& s) { Resize(s.inputs[1], {1, 2}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"a negative padding", PadInt8,
                [](TestOperator& s) { s.inputs[1] = Int32Constant({2, 2}, {1, 0, -1, 3}); }, StatusCode::kKernelOption,
                Option(KernelOption::kPaddingBefore)},
        Refusal{"a padding that the output does not have", PadInt8,
                [](TestOperator& s) { s.inputs[1] = Int32Constant({2, 2}, {1, 0, 0, 0x7FFFFFFF}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a pad value of two elements", PadInt8, [](TestOperator& s) { Resize(s.inputs[2], {2}); },
                StatusCode::kKernelElementCount, 2},
        Refusal{"a pad value of another scale", PadInt8, [](TestOperator& s) { s.inputs[2].scales = {1}; },
                StatusCode::kKernelScale, 2},
        Refusal{"a padv2 without its value", PadInt8,
                [](TestOperator& s) {
                  s.op = BuiltinOperator::kPadv2;
                  s.inputs.pop_back();
                },
                StatusCode::kKernelOperandCount, 2},
        Refusal{"a pad of uint8", PadInt8, [](TestOperator& s) { Retype(s.outputs[0], TensorType::kUInt8); },
                StatusCode::kKernelUnsupportedType, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Reducing, Refusals,
    ::testing::Values(
        Refusal{"int32", MeanInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"axes that are computed", MeanInt8, [](TestOperator& s) { s.inputs[1].constant = false; },
                StatusCode::kKernelNotConstant, 1},
        Refusal{"axes of int64", MeanInt8, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt64); },
                StatusCode::kKernelType, 1},
        Refusal{"an axis beyond the rank", MeanInt8, [](TestOperator& s) { s.inputs[1] = Int32Constant({1}, {3}); },
                StatusCode::kKernelOption, Option(KernelOption::kAxis)},
        Refusal{"an output of another shape", MeanInt8, [](TestOperator& s) { Resize(s.outputs[0], {3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a mean of nothing", MeanInt8, [](TestOperator& s) { Resize(s.inputs[0], {2, 0, 4}); },
                StatusCode::kKernelDimension, 0},
        Refusal{"a mean of more int16 than 32 bits hold", MeanInt8,
                [](TestOperator& s) {
                  Retype(s.outputs[0], kInt16);
                  s.inputs[0].type = kInt16;
                  Resize(s.inputs[0], {2, 8192, 4});
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kAccumulatorRange)},
        Refusal{"a mean of more than 32 bits hold", MeanInt8,
                [](TestOperator& s) { Resize(s.inputs[0], {2, 8192, 1024}); }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kAccumulatorRange)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    ElementWise, Refusals,
    ::testing::Values(
        Refusal{"an addition of mixed types", AddInt8, [](TestOperator& s) { Retype(s.inputs[1], kFloat); },
                StatusCode::kKernelType, 1},
        Refusal{"an addition of int64", AddInt8,
                [](TestOperator& s) {
                  Retype(s.inputs[0], kInt64);
                  Retype(s.inputs[1], kInt64);
                  Retype(s.outputs[0], kInt64);
                },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"shapes that do not broadcast", AddInt8, [](TestOperator& s) { Resize(s.inputs[1], {2, 1}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"an output that is not the broadcast shape", AddInt8,
                [](TestOperator& s) { Resize(s.outputs[0], {2, 3, 5}); }, StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output of lower rank", AddInt8, [](TestOperator& s) { Resize(s.outputs[0], {6, 4}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"an output scale far below the inputs", AddInt8, [](TestOperator& s) { s.outputs[0].scales = {1e-8f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a product without quantization", MulInt8, [](TestOperator& s) { s.inputs[1].zero_points.clear(); },
                StatusCode::kKernelQuantizationMissing, 1},
        Refusal{"a product whose ratio is too large", MulInt8, [](TestOperator& s) { s.outputs[0].scales = {1e-12f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a logistic with another zero point", LogisticInt8,
                [](TestOperator& s) { s.outputs[0].zero_points = {0}; }, StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a logistic of int32", LogisticInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a tanh of another shape", TanhInt8, [](TestOperator& s) { Resize(s.outputs[0], {3, 2}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a relu of int32", ReluInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a relu6 without quantization", Relu6Int8, [](TestOperator& s) { s.inputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, 0},
        Refusal{"a quantize of uint8 to int16", QuantizeFloat,
                [](TestOperator& s) {
                  Retype(s.inputs[0], TensorType::kUInt8);
                  Retype(s.outputs[0], kInt16);
                },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"a quantize of int64", QuantizeFloat, [](TestOperator& s) { Retype(s.inputs[0], kInt64); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a quantize of floats to int32", QuantizeFloat, [](TestOperator& s) { Retype(s.outputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"a quantize without a scale", QuantizeFloat, [](TestOperator& s) { s.outputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, kFirstOutput},
        Refusal{"a dequantize to int8", DequantizeInt8, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a dequantize of int32", DequantizeInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0}),
    NameOf);

}  // namespace
}  // namespace arenaproof::testing
