// What GATHER, GATHER_ND, EMBEDDING_LOOKUP and DYNAMIC_UPDATE_SLICE refuse, and what memory they ask for.
#include <gtest/gtest.h>

#include <limits>

#include "kernels/reference/reference_kernels.h"
#include "tests/kernels/int32_limits_support.h"
#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

TestOperator Gather() {
  return {BuiltinOperator::kGather,
          GatherOptions{.axis = 1, .batch_dims = 1},
          {Tensor(kInt8, {2, 4, 3}), Int32Constant({2, 2}, {0, 3, 1, 1})},
          {Tensor(kInt8, {2, 2, 3})}};
}

INSTANTIATE_TEST_SUITE_P(
    Gather, Refusals,
    ::testing::Values(
        Refusal{"no indices", Gather, [](TestOperator& s) { s.inputs.resize(1); }, StatusCode::kKernelOperandCount, 1},
        Refusal{"missing options", Gather, [](TestOperator& s) { s.options = std::monostate{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"int16", Gather, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"another output type", Gather, [](TestOperator& s) { Retype(s.outputs[0], kFloat); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"indices of int64", Gather, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt64); },
                StatusCode::kKernelType, 1},
        Refusal{"an axis out of range", Gather, [](TestOperator& s) { OptionsOf<GatherOptions>(s).axis = 3; },
                StatusCode::kKernelOption, Option(KernelOption::kAxis)},
        Refusal{"more batch dimensions than lie before the axis", Gather,
                [](TestOperator& s) { OptionsOf<GatherOptions>(s).batch_dims = 2; }, StatusCode::kKernelOption,
                Option(KernelOption::kBatchDimensions)},
        Refusal{"batch dimensions before the first", Gather,
                [](TestOperator& s) { OptionsOf<GatherOptions>(s).batch_dims = -3; }, StatusCode::kKernelOption,
                Option(KernelOption::kBatchDimensions)},
        Refusal{"batch dimensions from the end beyond the axis", Gather,
                [](TestOperator& s) {
                  OptionsOf<GatherOptions>(s).axis = 0;
                  OptionsOf<GatherOptions>(s).batch_dims = -1;
                },
                StatusCode::kKernelOption, Option(KernelOption::kBatchDimensions)},
        Refusal{"batches of another extent", Gather, [](TestOperator& s) { Resize(s.inputs[1], {1, 2}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"an output of another extent", Gather, [](TestOperator& s) { Resize(s.outputs[0], {2, 3, 3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output of another rank", Gather, [](TestOperator& s) { Resize(s.outputs[0], {2, 2, 3, 1}); },
                StatusCode::kKernelRank, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Gather, ValueRefusals,
    ::testing::Values(ValueRefusal{"an index in the second batch", Gather, 1, {0, 3, 1, 4}, IndexFailure(1, 3, 4, 3)},
                      ValueRefusal{"a negative index", Gather, 1, {0, -1, 1, 1}, IndexFailure(1, 1, -1, 0)},
                      ValueRefusal{
                          "the largest index", Gather, 1, {kMostInt32, 0, 0, 0}, IndexFailure(1, 0, kMostInt32, 3)}),
    NameOfValueRefusal);

TestOperator GatherNd() {
  return {BuiltinOperator::kGatherNd,
          std::monostate{},
          {Tensor(kFloat, {2, 4, 3}), Int32Constant({3, 2}, {0, 3, 1, 1, 0, 0})},
          {Tensor(kFloat, {3, 3})}};
}

INSTANTIATE_TEST_SUITE_P(
    GatherNd, Refusals,
    ::testing::Values(
        Refusal{"int16", GatherNd, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"another output type", GatherNd, [](TestOperator& s) { Retype(s.outputs[0], kInt32); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"indices of int64", GatherNd, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt64); },
                StatusCode::kKernelType, 1},
        Refusal{"scalar data", GatherNd, [](TestOperator& s) { Resize(s.inputs[0], {}); }, StatusCode::kKernelRank, 0},
        Refusal{"a scalar index", GatherNd, [](TestOperator& s) { Resize(s.inputs[1], {}); }, StatusCode::kKernelRank,
                1},
        Refusal{"more coordinates than dimensions", GatherNd, [](TestOperator& s) { Resize(s.inputs[1], {3, 4}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"six coordinates", GatherNd,
                [](TestOperator& s) {
                  Resize(s.inputs[0], {1, 1, 1, 1, 1, 1});
                  Resize(s.inputs[1], {3, 6});
                  Resize(s.outputs[0], {3});
                },
                StatusCode::kKernelDimension, 1},
        Refusal{"an output of another extent", GatherNd, [](TestOperator& s) { Resize(s.outputs[0], {3, 4}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output of another rank", GatherNd, [](TestOperator& s) { Resize(s.outputs[0], {9}); },
                StatusCode::kKernelRank, kFirstOutput}),
    NameOf);

// The place that both coordinates make together is inside the data for the first of these.
INSTANTIATE_TEST_SUITE_P(
    GatherNd, ValueRefusals,
    ::testing::Values(
        ValueRefusal{
            "a coordinate beyond its own dimension", GatherNd, 1, {0, 5, 0, 0, 0, 0}, IndexFailure(1, 1, 5, 3)},
        ValueRefusal{"a negative coordinate", GatherNd, 1, {1, -1, 0, 0, 0, 0}, IndexFailure(1, 1, -1, 0)},
        ValueRefusal{"the last row but one", GatherNd, 1, {0, 0, 0, 0, 2, 0}, IndexFailure(1, 4, 2, 1)}),
    NameOfValueRefusal);

TestOperator EmbeddingLookup() {
  return {BuiltinOperator::kEmbeddingLookup,
          std::monostate{},
          {Int32Constant({3}, {0, 2, 1}), QuantizedTensor(kInt8, {3, 4}, 0.5f, 0)},
          {Tensor(kFloat, {3, 4})}};
}

INSTANTIATE_TEST_SUITE_P(
    EmbeddingLookup, Refusals,
    ::testing::Values(
        Refusal{"an index of int64", EmbeddingLookup, [](TestOperator& s) { Retype(s.inputs[0], TensorType::kInt64); },
                StatusCode::kKernelType, 0},
        Refusal{"indices in two dimensions", EmbeddingLookup, [](TestOperator& s) { Resize(s.inputs[0], {3, 1}); },
                StatusCode::kKernelRank, 0},
        Refusal{"values of int16", EmbeddingLookup, [](TestOperator& s) { Retype(s.inputs[1], kInt16); },
                StatusCode::kKernelUnsupportedType, 1},
        Refusal{"values of one dimension", EmbeddingLookup, [](TestOperator& s) { Resize(s.inputs[1], {12}); },
                StatusCode::kKernelRank, 1},
        Refusal{"no rows", EmbeddingLookup, [](TestOperator& s) { Resize(s.inputs[1], {0, 4}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"floats to int8", EmbeddingLookup,
                [](TestOperator& s) {
                  Retype(s.inputs[1], kFloat);
                  Retype(s.outputs[0], kInt8);
                },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"an output for two rows", EmbeddingLookup, [](TestOperator& s) { Resize(s.outputs[0], {2, 4}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output of shorter rows", EmbeddingLookup, [](TestOperator& s) { Resize(s.outputs[0], {3, 3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an output of another rank", EmbeddingLookup, [](TestOperator& s) { Resize(s.outputs[0], {3, 2, 2}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"values with a zero point that become floats", EmbeddingLookup,
                [](TestOperator& s) { s.inputs[1].zero_points = {1}; }, StatusCode::kKernelZeroPoint, 1},
        Refusal{"values without quantization that become floats", EmbeddingLookup,
                [](TestOperator& s) { s.inputs[1].scales.clear(); }, StatusCode::kKernelQuantizationMissing, 1}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    EmbeddingLookup, ValueRefusals,
    ::testing::Values(ValueRefusal{"a row behind the last", EmbeddingLookup, 0, {0, 3, 0}, IndexFailure(0, 1, 3, 2)},
                      ValueRefusal{"a negative row", EmbeddingLookup, 0, {0, 0, -1}, IndexFailure(0, 2, -1, 0)}),
    NameOfValueRefusal);

TestOperator Update() {
  return {BuiltinOperator::kDynamicUpdateSlice,
          std::monostate{},
          {Tensor(kInt16, {3, 4}), Tensor(kInt16, {2, 2}), Int32Constant({2}, {1, 1})},
          {Tensor(kInt16, {3, 4})}};
}

INSTANTIATE_TEST_SUITE_P(
    DynamicUpdateSlice, Refusals,
    ::testing::Values(
        Refusal{"int64", Update, [](TestOperator& s) { Retype(s.inputs[0], TensorType::kInt64); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"an update of another type", Update, [](TestOperator& s) { Retype(s.inputs[1], kInt32); },
                StatusCode::kKernelType, 1},
        Refusal{"an output of another type", Update, [](TestOperator& s) { Retype(s.outputs[0], kInt32); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"an output of another shape", Update, [](TestOperator& s) { Resize(s.outputs[0], {4, 3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a scalar", Update, [](TestOperator& s) { Resize(s.inputs[0], {}); }, StatusCode::kKernelRank, 0},
        Refusal{"an update of another rank", Update, [](TestOperator& s) { Resize(s.inputs[1], {4}); },
                StatusCode::kKernelRank, 1},
        Refusal{"an update larger than the operand", Update, [](TestOperator& s) { Resize(s.inputs[1], {2, 5}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"starts of int16", Update, [](TestOperator& s) { Retype(s.inputs[2], kInt16); },
                StatusCode::kKernelUnsupportedType, 2},
        Refusal{"one start for two dimensions", Update, [](TestOperator& s) { Resize(s.inputs[2], {1}); },
                StatusCode::kKernelElementCount, 2}),
    NameOf);

// The reference writes the dims of these outputs over the file's, in a copy in the tail: 4 bytes, and 4 for each.
TEST(Gathering, KeepsRoomForTheOutputsDims) {
  for (const TestOperator& subject : {Gather(), GatherNd(), EmbeddingLookup()}) {
    KernelHarness harness(ReferenceKernels(), subject);
    ASSERT_EQ(harness.Prepare(), Ok());
    ASSERT_FALSE(harness.persistent_requests().empty());
    EXPECT_EQ(harness.persistent_requests().back(), 4 + 4 * subject.outputs[0].shape.size());
    EXPECT_TRUE(harness.scratch_requests().empty());
  }
}

TEST(DynamicUpdateSlice, MovesAStartThatIsOutOfRange) {
  for (const bool wide : {false, true}) {
    TestOperator subject = Update();
    subject.inputs[1].bytes = BytesOf<std::int16_t>({1, 2, 3, 4});
    if (wide) Retype(subject.inputs[2], TensorType::kInt64);
    SetNumbers(subject.inputs[2], {-7, wide ? std::numeric_limits<std::int64_t>::max() : kMostInt32});
    const RunResult result = RunKernel(ReferenceKernels(), subject);
    ASSERT_EQ(result.status, Ok());
    EXPECT_EQ(result.outputs[0], BytesOf<std::int16_t>({0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 0, 0}));
  }
}

}  // namespace
}  // namespace arenaproof::testing
