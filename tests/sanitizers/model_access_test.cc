#include <gmock/gmock.h>

#include "tests/sanitizers/checked_model.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

std::filesystem::path TwentyToSixtyFour() {
  return SourceFolder() / "corpus/models/fully_connected_20_to_64_int8.tflite";
}

class ModelAccess : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!MakeInstrument(GetParam())->Available().ok()) {
      GTEST_SKIP() << "the instrument " << GetParam() << " is not compiled into this build";
    }
  }
};
INSTANTIATE_TEST_SUITE_P(By, ModelAccess, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(ModelAccess, OfTheFaultyTwinReachesTwelveBytesBeforeAndAfterTheActivationInTheDilatedLayout) {
  CheckedModel model(GetParam(), Layout::kDilated);
  ASSERT_TRUE(model.Run(TwentyToSixtyFour(), "aligned-faulty").ok());
  ASSERT_EQ(model.groups().size(), 2U);
  bool before = false, after = false;
  for (const Violation& violation : model.groups()) {
    EXPECT_EQ(violation.op.name, "FULLY_CONNECTED");
    EXPECT_EQ(violation.op.index, 0);
    EXPECT_EQ(violation.op.kernel, "aligned-faulty");
    EXPECT_EQ(violation.op.phase, OperatorPhase::kInvoke);
    EXPECT_EQ(violation.operand.kind, OperandKind::kInput);
    EXPECT_EQ(violation.operand.bytes, 20U);
    EXPECT_FALSE(violation.write);
    EXPECT_EQ(violation.distance_bytes, 12U);
    EXPECT_EQ(violation.min_width_bytes, 16U);
    EXPECT_EQ(violation.max_width_bytes, 16U);
    // 64 rows in groups of four: of every four groups three start off alignment, three end off it.
    EXPECT_EQ(violation.count, 12U);
    before |= violation.side == ViolationSide::kBefore;
    after |= violation.side == ViolationSide::kAfter;
  }
  EXPECT_TRUE(before);
  EXPECT_TRUE(after);
}

TEST_P(ModelAccess, OfTheFaultyTwinIsReportedInTheFaithfulLayoutWhereItLeavesTheOperands) {
  CheckedModel model(GetParam(), Layout::kFaithful);
  ASSERT_TRUE(model.Run(TwentyToSixtyFour(), "aligned-faulty").ok());
  // The output lies right before the input: what is read there is the operator's own.
  ASSERT_EQ(model.groups().size(), 1U);
  EXPECT_EQ(model.groups()[0].side, ViolationSide::kAfter);
  EXPECT_EQ(model.groups()[0].distance_bytes, 12U);
}

TEST_P(ModelAccess, OfTheSoundTwinAndTheReferenceIsCleanWithTheSameOutputs) {
  CheckedModel faulty(GetParam(), Layout::kDilated);
  ASSERT_TRUE(faulty.Run(TwentyToSixtyFour(), "aligned-faulty").ok());
  const std::vector<std::byte> expected = faulty.FirstOutput();
  for (const Layout layout : {Layout::kFaithful, Layout::kDilated}) {
    for (const char* kernels : {"aligned", "reference"}) {
      // One instrument at a time may be attached.
      CheckedModel model(GetParam(), layout);
      ASSERT_TRUE(model.Run(TwentyToSixtyFour(), kernels).ok());
      EXPECT_THAT(model.groups(), ::testing::IsEmpty()) << kernels << " " << LayoutName(layout);
      EXPECT_EQ(model.FirstOutput(), expected) << kernels << " " << LayoutName(layout);
    }
  }
}

TEST_P(ModelAccess, OfReferenceKernelsOnTheSeedModelsIsClean) {
  for (const char* name : {"keyword_spotting_int8", "keyword_spotting_float", "residual_int8"}) {
    for (const Layout layout : {Layout::kFaithful, Layout::kDilated}) {
      CheckedModel model(GetParam(), layout);
      const auto path = SourceFolder() / "corpus/models" / (std::string(name) + ".tflite");
      ASSERT_TRUE(model.Run(path, "reference").ok()) << name;
      EXPECT_THAT(model.groups(), ::testing::IsEmpty()) << name << " " << LayoutName(layout);
    }
  }
}

TEST_P(ModelAccess, OfReferenceKernelsOnRealModelsIsClean) {
  for (const char* name : {"hello_world_int8", "micro_speech_quantized", "person_detect"}) {
    const std::string relative = "models/" + std::string(name) + ".tflite";
    const auto path = SharedFile(relative);
    if (!path) GTEST_SKIP() << SharedAbsent(relative);
    CheckedModel model(GetParam(), Layout::kDilated);
    ASSERT_TRUE(model.Run(*path, "reference").ok()) << name;
    EXPECT_THAT(model.groups(), ::testing::IsEmpty()) << name;
  }
}

// The extents of sound kernels are those of their operands, read and written to the last byte.
TEST_P(ModelAccess, LeavesExtentsOfWholeOperands) {
  if (GetParam() != "shadow") GTEST_SKIP() << "only the byte shadow keeps extents";
  CheckedModel model(GetParam(), Layout::kDilated);
  ASSERT_TRUE(model.Run(TwentyToSixtyFour(), "reference").ok());
  const auto& extents = model.instrument().extents();
  const Extent& input = extents.at({0, 0, OperatorPhase::kInvoke, OperandKind::kInput, 0});
  EXPECT_EQ(input.lowest_read, 0);
  EXPECT_EQ(input.highest_read, 19);
  const Extent& weights = extents.at({0, 0, OperatorPhase::kInvoke, OperandKind::kConstant, 1});
  EXPECT_EQ(weights.highest_read, 20 * 64 - 1);
  EXPECT_FALSE(weights.written);
  const Extent& output = extents.at({0, 0, OperatorPhase::kInvoke, OperandKind::kOutput, 3});
  EXPECT_TRUE(output.written);
  EXPECT_EQ(output.highest_written, 63);
}

}  // namespace
}  // namespace arenaproof::testing
