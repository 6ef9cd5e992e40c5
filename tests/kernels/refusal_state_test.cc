// What prepare refuses: SVDF and the comparisons.
#include <gtest/gtest.h>

#include "kernels/reference/reference_kernels.h"
#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Svdf, Refusals,
    ::testing::Values(
        Refusal{"no state", SvdfInt8, [](TestOperator& s) { s.inputs.resize(4); }, StatusCode::kKernelOperandCount, 4},
        Refusal{"an omitted state", SvdfInt8, [](TestOperator& s) { s.inputs[4] = Absent(); },
                StatusCode::kKernelOperandMissing, 4},
        Refusal{"a state that is no variable", SvdfInt8, [](TestOperator& s) { s.inputs[4].variable = false; },
                StatusCode::kKernelNotVariable, 4},
        Refusal{"a state of another type than the time weights", SvdfInt8,
                [](TestOperator& s) { Retype(s.inputs[4], kInt8); }, StatusCode::kKernelType, 4},
        Refusal{"time weights of int32", SvdfInt8, [](TestOperator& s) { Retype(s.inputs[2], kInt32); },
                StatusCode::kKernelUnsupportedType, 2},
        Refusal{"time weights of int8 for floats", SvdfFloat, [](TestOperator& s) { Retype(s.inputs[2], kInt8); },
                StatusCode::kKernelType, 2},
        Refusal{"an input of int16", SvdfInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"float feature weights of int8", SvdfInt8, [](TestOperator& s) { Retype(s.inputs[1], kFloat); },
                StatusCode::kKernelType, 1},
        Refusal{"a bias of int8", SvdfInt8, [](TestOperator& s) { Retype(s.inputs[3], kInt8); },
                StatusCode::kKernelType, 3},
        Refusal{"an output of int16", SvdfInt8, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"an input of three dimensions", SvdfInt8, [](TestOperator& s) { Resize(s.inputs[0], {2, 1, 3}); },
                StatusCode::kKernelRank, 0},
        Refusal{"an empty memory", SvdfInt8, [](TestOperator& s) { Resize(s.inputs[2], {4, 0}); },
                StatusCode::kKernelDimension, 2},
        Refusal{"a rank of zero", SvdfInt8, [](TestOperator& s) { OptionsOf<SvdfOptions>(s).rank = 0; },
                StatusCode::kKernelOption, Option(KernelOption::kSvdfRank)},
        Refusal{"more ranks than filters", SvdfInt8, [](TestOperator& s) { OptionsOf<SvdfOptions>(s).rank = 5; },
                StatusCode::kKernelOption, Option(KernelOption::kSvdfRank)},
        Refusal{"filters that the rank does not divide", SvdfInt8,
                [](TestOperator& s) { OptionsOf<SvdfOptions>(s).rank = 3; }, StatusCode::kKernelDimension, 1},
        Refusal{"feature weights of another depth", SvdfInt8, [](TestOperator& s) { Resize(s.inputs[1], {4, 2}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"time weights of other filters", SvdfInt8, [](TestOperator& s) { Resize(s.inputs[2], {3, 5}); },
                StatusCode::kKernelDimension, 2},
        Refusal{"a state of one batch", SvdfInt8, [](TestOperator& s) { Resize(s.inputs[4], {1, 20}); },
                StatusCode::kKernelDimension, 4},
        Refusal{"a state one element short", SvdfInt8, [](TestOperator& s) { Resize(s.inputs[4], {2, 19}); },
                StatusCode::kKernelDimension, 4},
        Refusal{"an output of one batch", SvdfInt8, [](TestOperator& s) { Resize(s.outputs[0], {1, 2}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output of too many units", SvdfInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 4}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a short bias", SvdfInt8, [](TestOperator& s) { Resize(s.inputs[3], {1}); },
                StatusCode::kKernelElementCount, 3},
        Refusal{"feature weights with a zero point", SvdfInt8, [](TestOperator& s) { s.inputs[1].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, 1},
        Refusal{"time weights with a zero point", SvdfInt8, [](TestOperator& s) { s.inputs[2].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, 2},
        Refusal{"a bias scale that does not fit", SvdfInt8, [](TestOperator& s) { s.inputs[3].scales = {0.0626f}; },
                StatusCode::kKernelScale, 3},
        Refusal{"a state without quantization", SvdfInt8, [](TestOperator& s) { s.inputs[4].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, 4},
        Refusal{"more products than 32 bits hold", SvdfInt8,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {2, 65794});
                  Resize(s.inputs[1], {4, 65794});
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kAccumulatorRange)},
        Refusal{"an activation of tanh on floats", SvdfFloat,
                [](TestOperator& s) { OptionsOf<SvdfOptions>(s).activation = Activation::kTanh; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"missing options", SvdfFloat, [](TestOperator& s) { s.options = std::monostate{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Comparisons, Refusals,
    ::testing::Values(
        Refusal{"int16", LessInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"an ordering of truth values", LessInt8,
                [](TestOperator& s) { Retype(s.inputs[0], TensorType::kBool); }, StatusCode::kKernelUnsupportedType, 0},
        Refusal{"operands of two types", LessInt8, [](TestOperator& s) { Retype(s.inputs[1], kFloat); },
                StatusCode::kKernelType, 1},
        Refusal{"an output that is no truth value", LessInt8, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"shapes that do not broadcast", LessInt8, [](TestOperator& s) { Resize(s.inputs[1], {2, 1}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"an output of another shape", LessInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 3, 3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"no quantization", LessInt8, [](TestOperator& s) { s.inputs[1].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, 1},
        Refusal{"a scale of one", LessInt8, [](TestOperator& s) { s.inputs[0].scales = {1.0f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kComparisonScale)}),
    NameOf);

TEST(Svdf, TreatsAnAbsentBiasAsZeros) {
  for (TestOperator subject : {SvdfInt8(), SvdfFloat()}) {
    for (TestTensor* tensor : {&subject.inputs[0], &subject.inputs[1], &subject.inputs[2]}) {
      for (std::size_t i = 0; i < tensor->bytes.size(); ++i) tensor->bytes[i] = static_cast<std::byte>(i % 5);
    }
    const RunResult zeros = RunKernel(ReferenceKernels(), subject);
    subject.inputs[3] = Absent();
    const RunResult absent = RunKernel(ReferenceKernels(), subject);
    ASSERT_EQ(zeros.status, Ok());
    ASSERT_EQ(absent.status, Ok());
    EXPECT_EQ(absent.outputs, zeros.outputs);
  }
}

}  // namespace
}  // namespace arenaproof::testing
