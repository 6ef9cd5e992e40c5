// What prepare refuses of int16 activations, and of SUB, TRANSPOSE_CONV and BATCH_MATMUL.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Int16Weights, Refusals,
    ::testing::Values(
        Refusal{"a bias of int8", FullyConnectedInt16, [](TestOperator& s) { Retype(s.inputs[2], kInt8); },
                StatusCode::kKernelType, 2},
        Refusal{"weights of int4", FullyConnectedInt16, [](TestOperator& s) { RetypeToInt4(s.inputs[1]); },
                StatusCode::kKernelType, 1},
        Refusal{"weights of int16", FullyConnectedInt16, [](TestOperator& s) { Retype(s.inputs[1], kInt16); },
                StatusCode::kKernelType, 1},
        Refusal{"an output of int8", FullyConnectedInt16, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a ratio of 128", FullyConnectedInt16,
                [](TestOperator& s) {
                  s.inputs.resize(2);
                  s.outputs[0].scales = {0.0009765625f};
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kOperatorRatio)},
        Refusal{"more products than 32 bits hold", FullyConnectedInt16,
                [](TestOperator& s) {
                  Retype(s.inputs[2], kInt32);
                  Resize(s.inputs[0], {2, 512});
                  Resize(s.inputs[1], {4, 512});
                  std::fill(s.inputs[1].bytes.end() - 512, s.inputs[1].bytes.end(), std::byte{0x80});
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kAccumulatorRange)},
        Refusal{"a convolution of an input with a zero point", ConvInt16,
                [](TestOperator& s) { s.inputs[0].zero_points = {1}; }, StatusCode::kKernelZeroPoint, 0},
        Refusal{"a convolution to an output with a zero point", ConvInt16,
                [](TestOperator& s) { s.outputs[0].zero_points = {-1}; }, StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a convolution with a bias of int16", ConvInt16, [](TestOperator& s) { Retype(s.inputs[2], kInt16); },
                StatusCode::kKernelType, 2},
        Refusal{"a depthwise convolution with a bias of int32", DepthwiseInt16,
                [](TestOperator& s) { Retype(s.inputs[2], kInt32); }, StatusCode::kKernelType, 2},
        Refusal{"fewer zero points than scales", DepthwiseInt16, [](TestOperator& s) { s.inputs[1].zero_points = {0}; },
                StatusCode::kKernelScaleCount, 1}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    TransposeConv, Refusals,
    ::testing::Values(
        Refusal{"int32", TransposeConvInt8, [](TestOperator& s) { Retype(s.inputs[2], kInt32); },
                StatusCode::kKernelUnsupportedType, 2},
        Refusal{"int4 weights that are computed", TransposeConvInt8,
                [](TestOperator& s) {
                  Retype(s.inputs[1], TensorType::kInt4);
                  s.inputs[1].constant = false;
                },
                StatusCode::kKernelUnsupportedType, 1},
        Refusal{"int4 weights", TransposeConvInt8, [](TestOperator& s) { RetypeToInt4(s.inputs[1]); },
                StatusCode::kKernelUnsupportedType, 1},
        Refusal{"no input", TransposeConvInt8, [](TestOperator& s) { s.inputs.resize(2); },
                StatusCode::kKernelOperandCount, 2},
        Refusal{"an image of three dimensions", TransposeConvInt8,
                [](TestOperator& s) { Resize(s.inputs[2], {3, 2, 2}); }, StatusCode::kKernelRank, 2},
        Refusal{"a filter of another depth", TransposeConvInt8,
                [](TestOperator& s) { Resize(s.inputs[1], {4, 3, 3, 3}); }, StatusCode::kKernelDimension, 1},
        Refusal{"an output of another depth", TransposeConvInt8,
                [](TestOperator& s) { Resize(s.outputs[0], {1, 7, 5, 3}); }, StatusCode::kKernelDimension,
                kFirstOutput},
        Refusal{"another batch", TransposeConvInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 7, 5, 4}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output lower than the filter", TransposeConvInt8,
                [](TestOperator& s) { Resize(s.outputs[0], {1, 2, 5, 4}); }, StatusCode::kKernelOption,
                Option(KernelOption::kFilterHeight)},
        Refusal{"a stride of zero", TransposeConvInt8,
                [](TestOperator& s) { OptionsOf<TransposeConvOptions>(s).stride_w = 0; }, StatusCode::kKernelOption,
                Option(KernelOption::kStrideWidth)},
        Refusal{"a short bias", TransposeConvInt8, [](TestOperator& s) { Resize(s.inputs[3], {3}); },
                StatusCode::kKernelElementCount, 3},
        Refusal{"too few channel scales", TransposeConvInt8, [](TestOperator& s) { s.inputs[1].scales.resize(3); },
                StatusCode::kKernelScaleCount, 1},
        Refusal{"channel scales along the input", TransposeConvInt8,
                [](TestOperator& s) { s.inputs[1].quantized_dimension = 3; }, StatusCode::kKernelOption,
                Option(KernelOption::kQuantizedDimension)},
        Refusal{"int16 with a bias of int32", TransposeConvInt16, [](TestOperator& s) { Retype(s.inputs[3], kInt32); },
                StatusCode::kKernelType, 3},
        Refusal{"int16 with a zero point", TransposeConvInt16, [](TestOperator& s) { s.inputs[2].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, 2},
        Refusal{"an activation of sign bit", TransposeConvInt8,
                [](TestOperator& s) { OptionsOf<TransposeConvOptions>(s).activation = Activation::kSignBit; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    BatchMatmul, Refusals,
    ::testing::Values(
        Refusal{"int32", BatchMatmulInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"two types", BatchMatmulInt8, [](TestOperator& s) { Retype(s.inputs[1], kInt16); },
                StatusCode::kKernelType, 1},
        Refusal{"an output of int16", BatchMatmulInt8, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a vector", BatchMatmulInt8, [](TestOperator& s) { Resize(s.inputs[1], {5}); }, StatusCode::kKernelRank,
                1},
        Refusal{"six dimensions", BatchMatmulInt8, [](TestOperator& s) { Resize(s.inputs[0], {1, 1, 2, 1, 5, 3}); },
                StatusCode::kKernelRank, 0},
        Refusal{"an empty matrix", BatchMatmulInt8, [](TestOperator& s) { Resize(s.inputs[1], {4, 5, 0}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"depths that differ", BatchMatmulInt8, [](TestOperator& s) { Resize(s.inputs[1], {4, 4, 6}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"batches that do not broadcast", BatchMatmulInt8,
                [](TestOperator& s) { Resize(s.inputs[0], {2, 3, 5, 3}); }, StatusCode::kKernelDimension, 1},
        Refusal{"an output of lower rank", BatchMatmulInt8, [](TestOperator& s) { Resize(s.outputs[0], {8, 3, 6}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"an output of fewer batches", BatchMatmulInt8,
                [](TestOperator& s) { Resize(s.outputs[0], {2, 1, 3, 6}); }, StatusCode::kKernelDimension,
                kFirstOutput},
        Refusal{"an output of other rows", BatchMatmulInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 4, 5, 6}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output of other columns", BatchMatmulInt8,
                [](TestOperator& s) { Resize(s.outputs[0], {2, 4, 3, 5}); }, StatusCode::kKernelDimension,
                kFirstOutput},
        Refusal{"more products than 32 bits hold", BatchMatmulInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {2, 1, 33026, 3});
                  Resize(s.inputs[1], {4, 33026, 6});
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kAccumulatorRange)},
        Refusal{"no quantization", BatchMatmulInt8, [](TestOperator& s) { s.inputs[1].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, 1},
        Refusal{"int16 with a zero point", BatchMatmulInt16, [](TestOperator& s) { s.inputs[1].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, 1},
        Refusal{"int16 with a ratio of 128", BatchMatmulInt16,
                [](TestOperator& s) { s.outputs[0].scales = {0.0009765625f}; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kOperatorRatio)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Int16ElementWise, Refusals,
    ::testing::Values(
        Refusal{"a difference of int64", SubInt16,
                [](TestOperator& s) {
                  Retype(s.inputs[0], kInt64);
                  Retype(s.inputs[1], kInt64);
                  Retype(s.outputs[0], kInt64);
                },
                StatusCode::kKernelUnsupportedType, kFirstOutput},
        Refusal{"a difference with a zero point", SubInt16, [](TestOperator& s) { s.inputs[1].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, 1},
        Refusal{"a difference to a zero point", SubInt16, [](TestOperator& s) { s.outputs[0].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a difference at a scale far below the inputs", SubInt16,
                [](TestOperator& s) { s.outputs[0].scales = {1e-8f}; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a product with a zero point", MulInt16, [](TestOperator& s) { s.inputs[0].zero_points = {-1}; },
                StatusCode::kKernelZeroPoint, 0},
        Refusal{"a softmax to a zero point", SoftmaxInt16, [](TestOperator& s) { s.outputs[0].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a softmax to another scale", SoftmaxInt16, [](TestOperator& s) { s.outputs[0].scales = {3.06e-5f}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"a softmax to int8", SoftmaxInt16, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a softmax whose sum leaves 32 bits", SoftmaxInt16,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {1, 65539});
                  Resize(s.outputs[0], {1, 65539});
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kWideSoftmaxRow)},
        Refusal{"a softmax of steps of five", SoftmaxInt16, [](TestOperator& s) { s.inputs[0].scales = {5.1f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kWideSoftmaxScale)},
        Refusal{"a beta that is no number", SoftmaxInt16,
                [](TestOperator& s) { OptionsOf<SoftmaxOptions>(s).beta = NAN; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kInfiniteBeta)},
        Refusal{"a negative beta", SoftmaxInt16, [](TestOperator& s) { OptionsOf<SoftmaxOptions>(s).beta = -1; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a logistic with a zero point", LogisticInt16, [](TestOperator& s) { s.inputs[0].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, 0},
        Refusal{"a logistic to a zero point", LogisticInt16, [](TestOperator& s) { s.outputs[0].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a logistic to another scale", LogisticInt16, [](TestOperator& s) { s.outputs[0].scales = {3.1e-5f}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"a logistic of steps too wide", LogisticInt16, [](TestOperator& s) { s.inputs[0].scales = {2.667f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kSigmoidScale)},
        Refusal{"a logistic of steps too narrow", LogisticInt16, [](TestOperator& s) { s.inputs[0].scales = {3e-14f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kSigmoidScale)},
        Refusal{"a relu with a zero point", ReluInt16, [](TestOperator& s) { s.inputs[0].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, 0},
        Refusal{"a relu to a zero point", ReluInt16, [](TestOperator& s) { s.outputs[0].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, kFirstOutput}),
    NameOf);

}  // namespace
}  // namespace arenaproof::testing
