// What prepare refuses: rules of every operand, and of FULLY_CONNECTED.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

// Rules that every kernel takes from kernels/reference/checks.h, seen through one of them.
INSTANTIATE_TEST_SUITE_P(
    Operands, Refusals,
    ::testing::Values(
        Refusal{"too few inputs", FullyConnectedInt8, [](TestOperator& s) { s.inputs.resize(1); },
                StatusCode::kKernelOperandCount, 1},
        Refusal{"too many inputs", FullyConnectedInt8, [](TestOperator& s) { s.inputs.resize(4); },
                StatusCode::kKernelOperandCount, 4},
        Refusal{"a second output", FullyConnectedInt8, [](TestOperator& s) { s.outputs.push_back(s.outputs[0]); },
                StatusCode::kKernelOperandCount, 3},
        Refusal{"no output", FullyConnectedInt8, [](TestOperator& s) { s.outputs.clear(); },
                StatusCode::kKernelOperandCount, 3},
        Refusal{"an omitted input that is needed", FullyConnectedInt8, [](TestOperator& s) { s.inputs[1] = Absent(); },
                StatusCode::kKernelOperandMissing, 1},
        Refusal{"missing options", FullyConnectedInt8, [](TestOperator& s) { s.options = std::monostate{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"options of another operator", FullyConnectedInt8, [](TestOperator& s) { s.options = AddOptions{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"more than six dimensions", Reshape, [](TestOperator& s) { s.inputs[0].shape = {1, 1, 1, 1, 1, 2, 6}; },
                StatusCode::kKernelRank, 0},
        Refusal{"a negative extent", Reshape, [](TestOperator& s) { s.outputs[0].shape = {-3, -4}; },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"extents whose product overflows", Reshape,
                [](TestOperator& s) { s.inputs[0].shape = {1 << 30, 1 << 30, 1 << 30}; }, StatusCode::kSizeOverflow,
                std::uint64_t{1} << 60},
        Refusal{"fewer bytes than the shape asks for", Reshape, [](TestOperator& s) { s.inputs[0].bytes.resize(11); },
                StatusCode::kKernelElementCount, 0},
        Refusal{"a type without a size", Reshape, [](TestOperator& s) { s.inputs[0].type = TensorType::kString; },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"no quantization", FullyConnectedInt8, [](TestOperator& s) { s.inputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, 0},
        Refusal{"two scales where one counts", FullyConnectedInt8, [](TestOperator& s) { s.inputs[0].scales = {1, 1}; },
                StatusCode::kKernelScaleCount, 0},
        Refusal{"a scale of zero", FullyConnectedInt8, [](TestOperator& s) { s.inputs[0].scales = {0}; },
                StatusCode::kKernelScale, 0},
        Refusal{"a negative scale", FullyConnectedInt8, [](TestOperator& s) { s.outputs[0].scales = {-1}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"an infinite scale", FullyConnectedInt8,
                [](TestOperator& s) { s.outputs[0].scales = {std::numeric_limits<float>::infinity()}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"a scale that is no number", FullyConnectedInt8, [](TestOperator& s) { s.inputs[0].scales = {NAN}; },
                StatusCode::kKernelScale, 0},
        Refusal{"a zero point below the type", FullyConnectedInt8,
                [](TestOperator& s) { s.inputs[0].zero_points = {-129}; }, StatusCode::kKernelZeroPoint, 0},
        Refusal{"a zero point above the type", FullyConnectedInt8,
                [](TestOperator& s) { s.outputs[0].zero_points = {std::int64_t{1} << 40}; },
                StatusCode::kKernelZeroPoint, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    FullyConnected, Refusals,
    ::testing::Values(
        Refusal{"int32", FullyConnectedInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"int4 weights of a byte each", FullyConnectedInt8,
                [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt4); }, StatusCode::kKernelElementCount, 1},
        Refusal{"int4 weights that are computed", FullyConnectedInt8,
                [](TestOperator& s) {
                  Retype(s.inputs[1], TensorType::kInt4);
                  s.inputs[1].constant = false;
                },
                StatusCode::kKernelNotConstant, 1},
        Refusal{"int4 weights of several scales", FullyConnectedInt8,
                [](TestOperator& s) {
                  RetypeToInt4(s.inputs[1]);
                  s.inputs[1].scales.assign(4, 0.25f);
                  s.inputs[1].zero_points.assign(4, 0);
                },
                StatusCode::kKernelScaleCount, 1},
        Refusal{"float weights of int8", FullyConnectedInt8, [](TestOperator& s) { Retype(s.inputs[1], kFloat); },
                StatusCode::kKernelType, 1},
        Refusal{"a bias of int8", FullyConnectedInt8, [](TestOperator& s) { Retype(s.inputs[2], kInt8); },
                StatusCode::kKernelType, 2},
        Refusal{"an output of int16", FullyConnectedInt8, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"weights of three dimensions", FullyConnectedInt8,
                [](TestOperator& s) { Resize(s.inputs[1], {1, 4, 6}); }, StatusCode::kKernelRank, 1},
        Refusal{"a scalar output", FullyConnectedInt8, [](TestOperator& s) { Resize(s.outputs[0], {}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"a depth of zero", FullyConnectedInt8, [](TestOperator& s) { Resize(s.inputs[1], {4, 0}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"no outputs per batch", FullyConnectedInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 0}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"more outputs than rows", FullyConnectedInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 5}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an input of another size", FullyConnectedInt8, [](TestOperator& s) { Resize(s.inputs[0], {2, 5}); },
                StatusCode::kKernelElementCount, 0},
        Refusal{"a batch too few", FullyConnectedInt8, [](TestOperator& s) { Resize(s.inputs[0], {1, 6}); },
                StatusCode::kKernelElementCount, 0},
        Refusal{"a short bias", FullyConnectedInt8, [](TestOperator& s) { Resize(s.inputs[2], {3}); },
                StatusCode::kKernelElementCount, 2},
        Refusal{"a bias scale that does not fit", FullyConnectedInt8, [](TestOperator& s) { s.inputs[2].scales = {1}; },
                StatusCode::kKernelScale, 2},
        Refusal{"weights with a zero point", FullyConnectedInt8,
                [](TestOperator& s) { s.inputs[1].zero_points = {1}; }, StatusCode::kKernelZeroPoint, 1},
        Refusal{"too few channel scales", FullyConnectedInt8,
                [](TestOperator& s) { s.inputs[1].scales = {0.25f, 0.25f}; }, StatusCode::kKernelScaleCount, 1},
        Refusal{"channel scales along the depth", FullyConnectedInt8,
                [](TestOperator& s) {
                  s.inputs[1].scales.assign(4, 0.25f);
                  s.inputs[1].quantized_dimension = 1;
                },
                StatusCode::kKernelOption, Option(KernelOption::kQuantizedDimension)},
        Refusal{"fewer zero points than channel scales", FullyConnectedInt8,
                [](TestOperator& s) {
                  s.inputs[1].scales.assign(4, 0.25f);
                  s.inputs[1].zero_points.assign(3, 0);
                },
                StatusCode::kKernelScaleCount, 1},
        Refusal{"a channel scale of zero", FullyConnectedInt8,
                [](TestOperator& s) { s.inputs[1].scales = {0.25f, 0.25f, 0.0f, 0.25f}; }, StatusCode::kKernelScale,
                1},
        Refusal{"shuffled weights", FullyConnectedInt8,
                [](TestOperator& s) { OptionsOf<FullyConnectedOptions>(s).weights_format = 1; },
                StatusCode::kKernelOption, Option(KernelOption::kWeightsFormat)},
        Refusal{"an activation of tanh", FullyConnectedInt8,
                [](TestOperator& s) { OptionsOf<FullyConnectedOptions>(s).activation = Activation::kTanh; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"an activation that is none", FullyConnectedInt8,
                [](TestOperator& s) { OptionsOf<FullyConnectedOptions>(s).activation = static_cast<Activation>(99); },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"activation bounds beyond 32 bits", FullyConnectedInt8,
                [](TestOperator& s) {
                  OptionsOf<FullyConnectedOptions>(s).activation = Activation::kRelu6;
                  s.outputs[0].scales = {1e-20f};
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kActivationRange)},
        Refusal{"a multiplier of 2 to the 30th", FullyConnectedInt8,
                [](TestOperator& s) {
                  s.inputs.resize(2);
                  s.outputs[0].scales = {1e-12f};
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)},
        Refusal{"more products than 32 bits hold", FullyConnectedInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {2, 65794});
                  Resize(s.inputs[1], {4, 65794});
                  std::fill(s.inputs[1].bytes.begin(), s.inputs[1].bytes.end(), std::byte{0x80});
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kAccumulatorRange)}),
    NameOf);

}  // namespace
}  // namespace arenaproof::testing
