// The canary: writes that leave another byte behind are measured and undone, reads are not noticed.
#include <gmock/gmock.h>

#include "tests/sanitizers/checked_model.h"
#include "tests/sanitizers/mock_operator.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

class Canary : public MockOperators {
 protected:
  static void Write(std::byte* address, std::size_t bytes) { std::memset(address, 0x1a, bytes); }
};
INSTANTIATE_TEST_SUITE_P(By, Canary, ::testing::Values("canary"), [](const auto& instance) { return instance.param; });

TEST_P(Canary, MeasuresWritesOnBothSides) {
  Run({Input(arena(128), 20), Output(arena(512), 60)}, [&] {
    Write(arena(512 - 3), 3 + 60);
    Write(arena(512 + 60), 7);
  });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kBefore);
  EXPECT_EQ(groups()[0].distance_bytes, 3U);
  EXPECT_EQ(groups()[1].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[1].distance_bytes, 7U);
  for (const Violation& group : groups()) {
    EXPECT_TRUE(group.write);
    EXPECT_EQ(group.operand.data, arena(512));
    EXPECT_EQ(group.op.name, "MOCK");
    EXPECT_EQ(group.state_kind, ByteState::kGap);
  }
}

// Changed bytes with bytes in between that may be written are two stretches.
TEST_P(Canary, KeepsWritesOnBothSidesOfAnOutputApart) {
  Run({Output(arena(512), 16)}, [&] { Write(arena(511), 18); });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kBefore);
  EXPECT_EQ(groups()[1].side, ViolationSide::kAfter);
  for (const Violation& group : groups()) {
    EXPECT_EQ(group.distance_bytes, 1U);
    EXPECT_EQ(group.max_width_bytes, 1U);
  }
}

TEST_P(Canary, SeesWritesToInputsConstantsAndTheModelFile) {
  Run({Input(arena(128), 20), Constant(model(64), 32)}, [&] {
    Write(arena(131), 1);
    Write(model(64), 4);
    Write(model(96), 4);
    Write(model(512), 1);
  });
  std::vector<ViolationSide> sides;
  for (const Violation& group : groups()) sides.push_back(group.side);
  EXPECT_THAT(sides, ::testing::UnorderedElementsAre(ViolationSide::kInside, ViolationSide::kInside,
                                                     ViolationSide::kAfter, ViolationSide::kFar));
}

// A write in front of the arena's first byte and one behind its last: the closed bytes of the checker.
TEST_P(Canary, SeesWritesThatLeaveTheArena) {
  Run({Output(arena(0), 16)}, [&] { Write(arena(0) - 8, 8); });
  Run({Output(arena(4080), 16)}, [&] { Write(arena(4096), 8); }, 1);
  ASSERT_EQ(groups().size(), 2U);
  for (const Violation& group : groups()) EXPECT_EQ(group.state_kind, ByteState::kGuard);
}

TEST_P(Canary, NoticesNoReadAndNothingLegal) {
  std::memset(arena(128), 0x33, 20);
  Run({Input(arena(128), 20), Output(arena(512), 64)}, [&] {
    Load<Vector16>(arena(128 - 12));
    EXPECT_EQ(*arena(128), std::byte{0x33});
    Write(arena(512), 64);
  });
  EXPECT_EQ(instrument_->log().access_count(), 0U);
  EXPECT_EQ(*arena(512 + 63), std::byte{0x1a});
}

TEST_P(Canary, PutsEverythingBackSoThatTheNextOperatorIsCheckedAsBefore) {
  for (std::size_t i = 0; i < arena_.bytes(); ++i) *arena(i) = static_cast<std::byte>(i);
  for (std::int32_t index = 0; index < 2; ++index) {
    Run(
        {Input(arena(128), 16), Output(arena(512), 16)},
        [&] {
          Write(arena(120), 16);
          Write(arena(512), 16);
        },
        index);
    ASSERT_EQ(groups().size(), static_cast<std::size_t>(2 * index + 2));  // before the input and inside it
  }
  for (std::size_t i = 0; i < arena_.bytes(); ++i) {
    if (i < 512 || i >= 528) ASSERT_EQ(*arena(i), static_cast<std::byte>(i)) << i;
  }
}

// The runtime, which an operator calls, finds everything in its place.
TEST_P(Canary, GivesTheRuntimeItsBytes) {
  std::memset(arena(1024), 0x44, 16);
  Run({Output(arena(512), 16)}, [&] {
    EXPECT_NE(*arena(1024), std::byte{0x44});
    instrument_->OnRuntimeEnters();
    EXPECT_EQ(*arena(1024), std::byte{0x44});
    *arena(1024) = std::byte{0x45};
    instrument_->OnRuntimeLeaves();
    EXPECT_NE(*arena(1024), std::byte{0x45});
  });
  EXPECT_EQ(*arena(1024), std::byte{0x45});
  EXPECT_EQ(instrument_->log().access_count(), 0U);
}

Status WriteBehindOutput(const InvokeContext& context) {
  const Operand& output = context.outputs[0];
  std::memset(output.data, 1, output.bytes + 5);
  return Ok();
}

TEST(CanaryOnAModel, SeesAKernelThatNobodyCompiledForIt) {
  const Kernel kernels[] = {{.op = BuiltinOperator::kFullyConnected, .name = "own", .invoke = WriteBehindOutput}};
  const KernelSet set{.name = "own", .kernels = kernels};
  for (const Layout layout : {Layout::kFaithful, Layout::kDilated}) {
    CheckedModel model("canary", layout, 0, 1 << 14);  // which is filled and compared for each operator, instrumented
    ASSERT_EQ(model.Run(ReadFileBytes(SourceFolder() / "corpus/models/fully_connected_20_to_64_int8.tflite"), set),
              Ok());
    ASSERT_EQ(model.groups().size(), 2U) << LayoutName(layout);  // of two operators
    // The faithful layout puts the input right behind the output.
    const bool dilated = layout == Layout::kDilated;
    EXPECT_EQ(model.groups()[0].side, dilated ? ViolationSide::kAfter : ViolationSide::kInside);
    EXPECT_EQ(model.groups()[0].operand.kind, dilated ? OperandKind::kOutput : OperandKind::kInput);
    if (dilated) EXPECT_EQ(model.groups()[0].distance_bytes, 5U);
  }
}

}  // namespace
}  // namespace arenaproof::testing
