// What prepare refuses: CONV_2D, DEPTHWISE_CONV_2D and the pools.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Convolution, Refusals,
    ::testing::Values(
        Refusal{"int32", ConvInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"int4 weights of a byte each", ConvInt8,
                [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt4); }, StatusCode::kKernelElementCount, 1},
        Refusal{"an image of three dimensions", ConvInt8, [](TestOperator& s) { Resize(s.inputs[0], {5, 6, 4}); },
                StatusCode::kKernelRank, 0},
        Refusal{"a filter of two dimensions", ConvInt8, [](TestOperator& s) { Resize(s.inputs[1], {6, 12}); },
                StatusCode::kKernelRank, 1},
        Refusal{"an empty image", ConvInt8, [](TestOperator& s) { Resize(s.inputs[0], {1, 0, 6, 4}); },
                StatusCode::kKernelDimension, 0},
        Refusal{"a filter depth of zero", ConvInt8, [](TestOperator& s) { Resize(s.inputs[1], {6, 3, 2, 0}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"groups that do not divide the input", ConvInt8,
                [](TestOperator& s) { Resize(s.inputs[1], {6, 3, 2, 3}); }, StatusCode::kKernelDimension, 1},
        Refusal{"groups that do not divide the outputs", ConvInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[1], {5, 3, 2, 2});
                  Resize(s.inputs[2], {5});
                  Resize(s.outputs[0], {1, 3, 5, 5});
                },
                StatusCode::kKernelDimension, 1},
        Refusal{"another batch", ConvInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 3, 5, 6}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output too high", ConvInt8, [](TestOperator& s) { Resize(s.outputs[0], {1, 4, 5, 6}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output too wide", ConvInt8, [](TestOperator& s) { Resize(s.outputs[0], {1, 3, 6, 6}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output too deep", ConvInt8, [](TestOperator& s) { Resize(s.outputs[0], {1, 3, 5, 7}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a short bias", ConvInt8, [](TestOperator& s) { Resize(s.inputs[2], {5}); },
                StatusCode::kKernelElementCount, 2},
        Refusal{"a stride of zero", ConvInt8, [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).stride_h = 0; },
                StatusCode::kKernelOption, Option(KernelOption::kStrideHeight)},
        Refusal{"a negative stride", ConvInt8, [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).stride_w = -1; },
                StatusCode::kKernelOption, Option(KernelOption::kStrideWidth)},
        Refusal{"a dilation of zero", ConvInt8, [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).dilation_h = 0; },
                StatusCode::kKernelOption, Option(KernelOption::kDilationHeight)},
        Refusal{"a negative dilation", ConvInt8, [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).dilation_w = -2; },
                StatusCode::kKernelOption, Option(KernelOption::kDilationWidth)},
        Refusal{"a dilation that makes the filter wider than the image", ConvInt8,
                [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).dilation_w = std::numeric_limits<int>::max(); },
                StatusCode::kKernelOption, Option(KernelOption::kFilterWidth)},
        Refusal{"an unknown padding", ConvInt8,
                [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).padding = static_cast<Padding>(7); },
                StatusCode::kKernelOption, Option(KernelOption::kPadding)},
        Refusal{"an activation of sign bit", ConvInt8,
                [](TestOperator& s) { OptionsOf<Conv2DOptions>(s).activation = Activation::kSignBit; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"too few channel scales", ConvInt8, [](TestOperator& s) { s.inputs[1].scales.resize(5); },
                StatusCode::kKernelScaleCount, 1},
        Refusal{"channel scales along the input", ConvInt8,
                [](TestOperator& s) { s.inputs[1].quantized_dimension = 3; }, StatusCode::kKernelOption,
                Option(KernelOption::kQuantizedDimension)},
        Refusal{"weights with a zero point", ConvInt8, [](TestOperator& s) { s.inputs[1].zero_points[4] = -1; },
                StatusCode::kKernelZeroPoint, 1},
        Refusal{"a multiplier of 2 to the 30th", ConvInt8, [](TestOperator& s) { s.outputs[0].scales = {1e-12f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Depthwise, Refusals,
    ::testing::Values(
        Refusal{"another multiplier than the shapes say", DepthwiseInt8,
                [](TestOperator& s) { OptionsOf<DepthwiseConv2DOptions>(s).depth_multiplier = 1; },
                StatusCode::kKernelOption, Option(KernelOption::kDepthMultiplier)},
        Refusal{"outputs that are no multiple of the inputs", DepthwiseInt8,
                [](TestOperator& s) { Resize(s.inputs[0], {2, 5, 6, 4}); }, StatusCode::kKernelDimension, 1},
        Refusal{"a filter batch", DepthwiseInt8, [](TestOperator& s) { Resize(s.inputs[1], {2, 3, 3, 6}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"fewer zero points than scales", DepthwiseInt8, [](TestOperator& s) { s.inputs[1].zero_points = {0}; },
                StatusCode::kKernelScaleCount, 1},
        Refusal{"channel scales along the batch", DepthwiseInt8,
                [](TestOperator& s) { s.inputs[1].quantized_dimension = 0; }, StatusCode::kKernelOption,
                Option(KernelOption::kQuantizedDimension)},
        Refusal{"a stride of zero", DepthwiseInt8,
                [](TestOperator& s) { OptionsOf<DepthwiseConv2DOptions>(s).stride_w = 0; }, StatusCode::kKernelOption,
                Option(KernelOption::kStrideWidth)},
        Refusal{"an output too high", DepthwiseInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 4, 3, 6}); },
                StatusCode::kKernelDimension, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Pool, Refusals,
    ::testing::Values(
        Refusal{"int32", AveragePoolInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"an output of another type", AveragePoolInt8, [](TestOperator& s) { Retype(s.outputs[0], kFloat); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"a scale that differs", AveragePoolInt8, [](TestOperator& s) { s.outputs[0].scales = {0.500002f}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"a zero point that differs", AveragePoolInt8, [](TestOperator& s) { s.outputs[0].zero_points = {4}; },
                StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a filter of zero", AveragePoolInt8,
                [](TestOperator& s) { OptionsOf<Pool2DOptions>(s).filter_height = 0; }, StatusCode::kKernelOption,
                Option(KernelOption::kFilterHeight)},
        Refusal{"a filter wider than the image", AveragePoolInt8,
                [](TestOperator& s) { OptionsOf<Pool2DOptions>(s).filter_width = 7; }, StatusCode::kKernelOption,
                Option(KernelOption::kFilterWidth)},
        Refusal{"a stride of zero", AveragePoolInt8, [](TestOperator& s) { OptionsOf<Pool2DOptions>(s).stride_h = 0; },
                StatusCode::kKernelOption, Option(KernelOption::kStrideHeight)},
        Refusal{"an output of another depth", AveragePoolInt8,
                [](TestOperator& s) { Resize(s.outputs[0], {1, 2, 3, 4}); }, StatusCode::kKernelDimension,
                kFirstOutput}),
    NameOf);

}  // namespace
}  // namespace arenaproof::testing
