// How far operands were really read and written, over all invokes, by the byte shadow.
#include <gtest/gtest.h>

#include <utility>

#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

class AccessExtents : public MockOperators {
 protected:
  const Extent& Of(OperandKind kind, std::int32_t index) {
    return instrument_->extents().at({0, 0, OperatorPhase::kInvoke, kind, index});
  }
};
INSTANTIATE_TEST_SUITE_P(By, AccessExtents, ::testing::Values("shadow"),
                         [](const auto& instance) { return instance.param; });

TEST_P(AccessExtents, AreTheWidestOfAllInvokes) {
  EXPECT_TRUE(instrument_->extents().empty()) << "of the self-test";
  const auto run = [&](std::size_t bytes, std::size_t from, std::size_t to) {
    Run({Scratch(arena(256), bytes)}, [&] {
      for (const std::size_t at : {from, to}) {
        Load<std::uint8_t>(arena(256 + at));
        Store<std::uint8_t>(arena(256 + at));
      }
    });
  };
  const auto expect = [&](std::size_t bytes, std::ptrdiff_t from, std::ptrdiff_t to) {
    const Extent& extent = Of(OperandKind::kScratch, 0);
    EXPECT_EQ(extent.bytes, bytes);
    EXPECT_TRUE(extent.read && extent.written);
    EXPECT_EQ(extent.lowest_read, from);
    EXPECT_EQ(extent.highest_read, to);
    EXPECT_EQ(extent.lowest_written, from);
    EXPECT_EQ(extent.highest_written, to);
  };
  run(64, 20, 30);
  expect(64, 20, 30);
  run(64, 25, 26);
  expect(64, 20, 30);
  run(96, 28, 90);
  expect(96, 20, 90);
  run(32, 0, 31);
  expect(96, 0, 90);
}

TEST_P(AccessExtents, OfAnInputEndWhereItsOutputIsWrittenInItsBytes) {
  Run({{arena(128), 16, AccessRight::kReadInPlace, OperandKind::kInput, 1},
       {arena(128), 16, AccessRight::kReadWriteInPlace, OperandKind::kOutput, 2}},
      [&] {
        Load<std::uint32_t>(arena(132));
        Store<std::uint32_t>(arena(132));
      });
  EXPECT_TRUE(Of(OperandKind::kInput, 1).read);
  EXPECT_FALSE(Of(OperandKind::kInput, 1).written);
  EXPECT_EQ(Of(OperandKind::kOutput, 2).lowest_written, 4);
}

// Two operands in the same bytes grant their rights together, whichever is listed first.
TEST_P(AccessExtents, OfBytesThatTwoOperandsShareAreOfBothRights) {
  for (const std::int32_t index : {1, 2}) {
    std::vector<OperandRange> operands = {Input(arena(128), 16, 2 * index), Output(arena(128), 16, 2 * index + 1)};
    if (index == 2) std::swap(operands[0], operands[1]);
    Run(operands, [&] {
      Store<std::uint8_t>(arena(130));
      Load<std::uint8_t>(arena(131));
    });
    EXPECT_TRUE(groups().empty());
    EXPECT_EQ(Of(OperandKind::kInput, 2 * index).lowest_read, 3);
    EXPECT_FALSE(Of(OperandKind::kInput, 2 * index).written);
    EXPECT_TRUE(Of(OperandKind::kOutput, 2 * index + 1).written);
    EXPECT_EQ(Of(OperandKind::kOutput, 2 * index + 1).lowest_written, 2);
  }
}

TEST_P(AccessExtents, ReachAsFarAsAnOperandIsReadBesideIt) {
  const std::vector<OperandRange> operands = {Input(arena(128), 16, 0), Input(arena(256), 16, 1),
                                              Constant(model(64), 16, 1)};
  const std::vector<OperandRange> allowed = {{arena(256) - 8, 8, AccessRight::kRead, OperandKind::kInput, 1},
                                             {arena(256) + 16, 8, AccessRight::kRead, OperandKind::kInput, 1},
                                             {arena(512), 8, AccessRight::kRead, OperandKind::kOutput, 1}};
  OperatorScope scope;
  scope.operands = operands;
  scope.read_allowances = allowed;
  instrument_->OnOperatorBegins(scope);
  for (const std::size_t at : {256u - 3, 256u, 256u + 17, 512u}) Load<std::uint8_t>(arena(at));
  instrument_->OnOperatorEnds();
  EXPECT_TRUE(groups().empty());
  EXPECT_EQ(Of(OperandKind::kInput, 1).lowest_read, -3);
  EXPECT_EQ(Of(OperandKind::kInput, 1).highest_read, 17);
  EXPECT_EQ(Of(OperandKind::kInput, 1).bytes, 16u);
  EXPECT_FALSE(Of(OperandKind::kInput, 0).read);
  EXPECT_FALSE(Of(OperandKind::kConstant, 1).read);
  EXPECT_EQ(instrument_->extents().size(), 3u);
}

TEST_P(AccessExtents, AreOfOperatorsAndOfWhatHasBytes) {
  const OperandRange filled[] = {{arena(512), 16, AccessRight::kWrite, OperandKind::kDestination, 3}};
  Run({Output(arena(128), 0, 1), Output(nullptr, 16, 2)}, [&] {
    instrument_->OnRuntimeEnters();
    instrument_->OnRuntimeWorkBegins({RuntimeWork::kVariableFill, -1, filled});
    Store<std::uint8_t>(arena(512));
    instrument_->OnRuntimeWorkEnds();
    instrument_->OnRuntimeLeaves();
  });
  EXPECT_TRUE(instrument_->extents().empty());
}

}  // namespace
}  // namespace arenaproof::testing
