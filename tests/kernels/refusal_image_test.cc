// What operators that move the places of images refuse: SPACE_TO_DEPTH, DEPTH_TO_SPACE, BATCH_TO_SPACE_ND,
// SPACE_TO_BATCH_ND, RESIZE_NEAREST_NEIGHBOR, RESIZE_BILINEAR and MIRROR_PAD; and what memory they ask for.
#include <gtest/gtest.h>

#include "kernels/reference/reference_kernels.h"
#include "tests/kernels/int32_limits_support.h"
#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

TestOperator SpaceToDepth() {
  return {BuiltinOperator::kSpaceToDepth,
          SpaceToDepthOptions{.block_size = 2},
          {Tensor(kInt8, {1, 4, 6, 3})},
          {Tensor(kInt8, {1, 2, 3, 12})}};
}
TestOperator DepthToSpace() {
  return {BuiltinOperator::kDepthToSpace,
          DepthToSpaceOptions{.block_size = 2},
          {Tensor(kFloat, {1, 2, 3, 12})},
          {Tensor(kFloat, {1, 4, 6, 3})}};
}

INSTANTIATE_TEST_SUITE_P(
    Depth, Refusals,
    ::testing::Values(
        Refusal{"missing options", SpaceToDepth, [](TestOperator& s) { s.options = std::monostate{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"a block of none", SpaceToDepth,
                [](TestOperator& s) { OptionsOf<SpaceToDepthOptions>(s).block_size = 0; }, StatusCode::kKernelOption,
                Option(KernelOption::kBlockSize)},
        Refusal{"a negative block", DepthToSpace,
                [](TestOperator& s) { OptionsOf<DepthToSpaceOptions>(s).block_size = -2; }, StatusCode::kKernelOption,
                Option(KernelOption::kBlockSize)},
        Refusal{"the largest block", SpaceToDepth,
                [](TestOperator& s) { OptionsOf<SpaceToDepthOptions>(s).block_size = kMostInt32; },
                StatusCode::kKernelDimension, 0},
        Refusal{"int16", SpaceToDepth, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"another output type", DepthToSpace, [](TestOperator& s) { Retype(s.outputs[0], kInt32); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"three dimensions", SpaceToDepth, [](TestOperator& s) { Resize(s.inputs[0], {4, 6, 3}); },
                StatusCode::kKernelRank, 0},
        Refusal{"a height that the block does not divide", SpaceToDepth,
                [](TestOperator& s) { Resize(s.inputs[0], {1, 5, 6, 3}); }, StatusCode::kKernelDimension, 0},
        Refusal{"another width", DepthToSpace, [](TestOperator& s) { Resize(s.outputs[0], {1, 4, 5, 3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"another depth", SpaceToDepth, [](TestOperator& s) { Resize(s.outputs[0], {1, 2, 3, 6}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a depth that the block does not divide", DepthToSpace,
                [](TestOperator& s) { Resize(s.inputs[0], {1, 2, 3, 13}); }, StatusCode::kKernelDimension, 0},
        Refusal{"another batch count", DepthToSpace, [](TestOperator& s) { Resize(s.inputs[0], {2, 2, 3, 12}); },
                StatusCode::kKernelDimension, 0}),
    NameOf);

TestOperator SpaceToBatch() {
  return {
      BuiltinOperator::kSpaceToBatchNd,
      std::monostate{},
      {QuantizedTensor(kInt8, {2, 3, 4, 1}, 0.5f, 7), Int32Constant({2}, {2, 3}), Int32Constant({2, 2}, {1, 0, 0, 2})},
      {QuantizedTensor(kInt8, {12, 2, 2, 1}, 0.5f, 7)}};
}
TestOperator BatchToSpace() {
  return {BuiltinOperator::kBatchToSpaceNd,
          std::monostate{},
          {Tensor(kFloat, {12, 2, 2, 1}), Int32Constant({2}, {2, 3}), Int32Constant({2, 2}, {1, 0, 0, 2})},
          {Tensor(kFloat, {2, 3, 4, 1})}};
}

INSTANTIATE_TEST_SUITE_P(
    Batches, Refusals,
    ::testing::Values(
        Refusal{"no paddings", SpaceToBatch, [](TestOperator& s) { s.inputs.resize(2); },
                StatusCode::kKernelOperandCount, 2},
        Refusal{"int16", SpaceToBatch, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"another output type", BatchToSpace, [](TestOperator& s) { Retype(s.outputs[0], kInt32); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"two dimensions", BatchToSpace, [](TestOperator& s) { Resize(s.inputs[0], {12, 4}); },
                StatusCode::kKernelRank, 0},
        Refusal{"another output rank", BatchToSpace, [](TestOperator& s) { Resize(s.outputs[0], {2, 3, 4}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"other channels", SpaceToBatch, [](TestOperator& s) { Resize(s.outputs[0], {12, 2, 2, 2}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a block of int64", SpaceToBatch, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt64); },
                StatusCode::kKernelType, 1},
        Refusal{"crops of int64", BatchToSpace, [](TestOperator& s) { Retype(s.inputs[2], TensorType::kInt64); },
                StatusCode::kKernelType, 2},
        Refusal{"a block of one dimension", SpaceToBatch, [](TestOperator& s) { Resize(s.inputs[1], {1}); },
                StatusCode::kKernelDimension, 1},
        Refusal{"crops of one dimension", BatchToSpace, [](TestOperator& s) { Resize(s.inputs[2], {1, 2}); },
                StatusCode::kKernelDimension, 2},
        Refusal{"an output without quantization", SpaceToBatch, [](TestOperator& s) { s.outputs[0].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, kFirstOutput}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Batches, ValueRefusals,
    ::testing::Values(
        ValueRefusal{"a block of none", SpaceToBatch, 1, {0, 3}, IndexFailure(1, 0, 0, 1)},
        ValueRefusal{"a negative block", BatchToSpace, 1, {2, -3}, IndexFailure(1, 1, -3, 1)},
        ValueRefusal{"the largest block",
                     SpaceToBatch,
                     1,
                     {kMostInt32, 3},
                     IndexFailure(2, 1, 0, 2 * std::int64_t{kMostInt32} - 4)},
        ValueRefusal{"a block for other batches", BatchToSpace, 1, {2, 4}, IndexFailure(2, 3, 2, 4)},
        ValueRefusal{"a negative crop", BatchToSpace, 2, {-1, 2, 0, 2}, IndexFailure(2, 0, -1, 0)},
        ValueRefusal{"a negative padding after", SpaceToBatch, 2, {2, -1, 0, 2}, IndexFailure(2, 1, -1, 0)},
        ValueRefusal{"paddings for another height", SpaceToBatch, 2, {1, 1, 0, 2}, IndexFailure(2, 1, 1, 0)},
        ValueRefusal{"crops for another width", BatchToSpace, 2, {1, 0, 2, 2}, IndexFailure(2, 3, 2, 0)}),
    NameOfValueRefusal);

// Height and width agree, the batches do not.
TEST(Batches, HaveToBeAsManyAsTheBlockHasPlaces) {
  TestOperator subject = SpaceToBatch();
  Resize(subject.outputs[0], {18, 2, 2, 1});
  EXPECT_EQ(PrepareStatus(ReferenceKernels(), subject), IndexFailure(1, 1, 3, 9));
}

TestOperator ResizeTo(BuiltinOperator op, TensorType type, std::int32_t from, std::int32_t to) {
  OperatorOptions options = ResizeBilinearOptions{};
  if (op == BuiltinOperator::kResizeNearestNeighbor) options = ResizeNearestNeighborOptions{};
  return {op, options, {Tensor(type, {1, from, 1, 1}), Int32Constant({2}, {to, 1})}, {Tensor(type, {1, to, 1, 1})}};
}
TestOperator ResizeNearest() { return ResizeTo(BuiltinOperator::kResizeNearestNeighbor, kInt16, 3, 5); }
TestOperator ResizeBilinear() { return ResizeTo(BuiltinOperator::kResizeBilinear, kInt8, 3, 5); }
TestOperator ResizeBilinearFloat() { return ResizeTo(BuiltinOperator::kResizeBilinear, kFloat, 3, 5); }

INSTANTIATE_TEST_SUITE_P(
    Resizing, Refusals,
    ::testing::Values(
        Refusal{"missing options", ResizeNearest, [](TestOperator& s) { s.options = std::monostate{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"int32", ResizeNearest, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"int16 between neighbours", ResizeBilinear, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"another output type", ResizeBilinear, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"three dimensions", ResizeNearest, [](TestOperator& s) { Resize(s.inputs[0], {3, 1, 1}); },
                StatusCode::kKernelRank, 0},
        Refusal{"an empty image", ResizeNearest, [](TestOperator& s) { Resize(s.inputs[0], {1, 0, 1, 1}); },
                StatusCode::kKernelDimension, 0},
        Refusal{"a computed size", ResizeBilinear, [](TestOperator& s) { s.inputs[1].constant = false; },
                StatusCode::kKernelNotConstant, 1},
        Refusal{"a size of int64", ResizeNearest, [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt64); },
                StatusCode::kKernelType, 1},
        Refusal{"a size of three", ResizeNearest, [](TestOperator& s) { Resize(s.inputs[1], {3}); },
                StatusCode::kKernelElementCount, 1},
        Refusal{"an output of another height", ResizeNearest,
                [](TestOperator& s) { Resize(s.outputs[0], {1, 4, 1, 1}); }, StatusCode::kKernelDimension,
                kFirstOutput},
        Refusal{"an output of more channels", ResizeBilinear,
                [](TestOperator& s) { Resize(s.outputs[0], {1, 5, 1, 2}); }, StatusCode::kKernelDimension,
                kFirstOutput},
        Refusal{"a height of none", ResizeBilinear,
                [](TestOperator& s) {
                  SetNumbers(s.inputs[1], {0, 1});
                  Resize(s.outputs[0], {1, 0, 1, 1});
                },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"aligned corners and half pixels", ResizeBilinearFloat,
                [](TestOperator& s) { s.options = ResizeBilinearOptions{true, true}; }, StatusCode::kKernelOption,
                Option(KernelOption::kHalfPixelCenters)}),
    NameOf);

// The first sizes at which the rounded steps of the reference leave the image.
TEST(ResizeBilinearInt8, RefusesWhereTheReferenceReadsBehindTheImage) {
  struct Case {
    std::int32_t from, to;
    ResizeBilinearOptions options;
  };
  for (const Case& at : {Case{1, 55, {}}, Case{2, 65, {}}, Case{3, 89, {}}, Case{2, 2049, {true, false}},
                         Case{1, 1537, {false, true}}}) {
    const auto status = [&](std::int32_t to) {
      TestOperator subject = ResizeTo(BuiltinOperator::kResizeBilinear, kInt8, at.from, to);
      subject.options = at.options;
      return RunKernel(ReferenceKernels(), subject).status;
    };
    for (std::int32_t to = 1; to < at.to; ++to) ASSERT_EQ(status(to), Ok()) << at.from << " to " << to;
    EXPECT_EQ(status(at.to), Failure(StatusCode::kKernelUnsupported, KernelFeature::kResizeOverread))
        << at.from << " to " << at.to;
  }
}

TestOperator MirrorPad() {
  return {BuiltinOperator::kMirrorPad,
          MirrorPadOptions{MirrorPadMode::kReflect},
          {Tensor(kInt8, {3, 4}), Int32Constant({2, 2}, {2, 1, 0, 3})},
          {Tensor(kInt8, {6, 7})}};
}
TestOperator SymmetricPad() {
  TestOperator subject = MirrorPad();
  subject.options = MirrorPadOptions{MirrorPadMode::kSymmetric};
  SetNumbers(subject.inputs[1], {3, 0, 4, 4});
  Resize(subject.outputs[0], {6, 12});
  return subject;
}

INSTANTIATE_TEST_SUITE_P(
    MirrorPad, Refusals,
    ::testing::Values(Refusal{"missing options", MirrorPad, [](TestOperator& s) { s.options = std::monostate{}; },
                              StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
                      Refusal{"a mode that is none", MirrorPad,
                              [](TestOperator& s) { s.options = MirrorPadOptions{static_cast<MirrorPadMode>(2)}; },
                              StatusCode::kKernelOption, Option(KernelOption::kMirrorPadMode)},
                      Refusal{"int16", MirrorPad, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                              StatusCode::kKernelUnsupportedType, 0},
                      Refusal{"another output type", MirrorPad, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                              StatusCode::kKernelType, kFirstOutput},
                      Refusal{"another output rank", MirrorPad, [](TestOperator& s) { Resize(s.outputs[0], {42}); },
                              StatusCode::kKernelRank, kFirstOutput},
                      Refusal{"paddings of int8", MirrorPad, [](TestOperator& s) { Retype(s.inputs[1], kInt8); },
                              StatusCode::kKernelUnsupportedType, 1},
                      Refusal{"paddings of one dimension", MirrorPad,
                              [](TestOperator& s) { Resize(s.inputs[1], {1, 2}); }, StatusCode::kKernelDimension, 1},
                      Refusal{"an output of another extent", MirrorPad,
                              [](TestOperator& s) { Resize(s.outputs[0], {6, 8}); }, StatusCode::kKernelIndex, 1}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    MirrorPad, ValueRefusals,
    ::testing::Values(ValueRefusal{"a reflection of the edge", MirrorPad, 1, {3, 0, 0, 3}, IndexFailure(1, 0, 3, 2)},
                      ValueRefusal{"a negative padding", MirrorPad, 1, {2, 1, -1, 3}, IndexFailure(1, 2, -1, 0)},
                      ValueRefusal{"paddings for another output", MirrorPad, 1, {2, 0, 0, 3}, IndexFailure(1, 1, 0, 1)},
                      ValueRefusal{"more than all mirrored", SymmetricPad, 1, {3, 0, 3, 5}, IndexFailure(1, 3, 5, 4)}),
    NameOfValueRefusal);

TEST(MirrorPad, AsksForTwoTablesOfItsDimensions) {
  const TestOperator subject = MirrorPad();
  KernelHarness harness(ReferenceKernels(), subject);
  ASSERT_EQ(harness.Prepare(), Ok());
  EXPECT_EQ(harness.scratch_requests(), (std::vector<std::size_t>{8, 8}));
}

TEST(Depth, KeepsRoomForTheOutputsDims) {
  for (const TestOperator& subject : {SpaceToDepth(), DepthToSpace()}) {
    KernelHarness harness(ReferenceKernels(), subject);
    ASSERT_EQ(harness.Prepare(), Ok());
    EXPECT_EQ(harness.persistent_requests(), (std::vector<std::size_t>{20}));
  }
}

}  // namespace
}  // namespace arenaproof::testing
