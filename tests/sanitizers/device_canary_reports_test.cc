// What the device's canary says of an operator: all that names it, as deep as calls go, and that it is blind where it
// reports what is legal.
#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

#include "core/model/call_tree.h"
#include "sanitizers/device/finding_text.h"
#include "tests/sanitizers/on_a_device.h"

namespace arenaproof::testing {
namespace {

TEST_F(OnADevice, NamesSubgraphOperatorPhaseAndKernel) {
  const OperandRange output = Output(128, 16);
  canary_.OnOperatorBegins({.phase = OperatorPhase::kPrepare,
                            .subgraph = 2,
                            .operator_index = 7,
                            .operator_name = "MOCK",
                            .kernel_name = "own",
                            .operands = {&output, 1}});
  *arena(144) = std::byte{0x1a};
  canary_.OnOperatorEnds();
  canary_.OnOperatorBegins({.phase = OperatorPhase::kInit, .operator_name = "LAST", .operands = {}});
  *arena(300) = std::byte{0x1a};
  canary_.OnOperatorEnds();
  ASSERT_EQ(canary_.finding_count(), 2U);
  const CanaryFinding& first = canary_.findings()[0];
  EXPECT_EQ(first.subgraph, 2);
  EXPECT_EQ(first.operator_index, 7);
  EXPECT_EQ(first.phase, OperatorPhase::kPrepare);
  EXPECT_STREQ(first.operator_name, "MOCK");
  EXPECT_STREQ(first.kernel_name, "own");
  EXPECT_EQ(first.operand.kind, OperandKind::kOutput);
  EXPECT_EQ(first.operand.index, 1);
  EXPECT_EQ(first.run.begin, reinterpret_cast<std::uintptr_t>(arena(144)));
  EXPECT_EQ(first.run.end, first.run.begin + 1);
  EXPECT_EQ(first.run.distance_bytes, 1U);
  const CanaryFinding& last = canary_.findings()[1];
  EXPECT_EQ(last.phase, OperatorPhase::kInit);
  EXPECT_STREQ(last.operator_name, "LAST");
  EXPECT_EQ(last.operand.data, nullptr) << "it has none, and the one before is not its own";
}

// One stretch of changed bytes may be charged to several operands, each with its own part.
TEST_F(OnADevice, ChargesEachPartOfAStretchToItsOperand) {
  Run({Input(128, 16), Output(160, 16)}, [&] { std::fill_n(arena(124), 36, std::byte{0x1a}); });
  std::vector<std::string> texts;
  for (const CanaryFinding& finding : canary_.findings()) texts.emplace_back(TextOf(finding).text());
  EXPECT_THAT(texts,
              ::testing::ElementsAre(
                  "MOCK (operator 0), kernel mock, writes up to 4 bytes before input tensor 0 (16 bytes) in invoke",
                  "MOCK (operator 0), kernel mock, writes 16 bytes inside input tensor 0 (16 bytes), which it may "
                  "only read in invoke",
                  "MOCK (operator 0), kernel mock, writes up to 16 bytes after input tensor 0 (16 bytes) in invoke"));
}

// Each operator on the way down sees its own operand, and so does it on the way up.
TEST_F(OnADevice, GoesAsDeepAsCallsDo) {
  std::array<OperandRange, kMaxCallDepth> room;
  std::array<CanaryFinding, 2 * kMaxCallDepth> findings;
  DeviceCanary deep({regions_, room, findings});
  Attach(deep);
  const auto descend = [&](auto&& self, std::size_t depth) -> void {
    if (depth == kMaxCallDepth) return;
    const OperandRange own = Output(4 * depth, 2);
    Run(
        deep, {&own, 1},
        [&] {
          *arena(4 * depth) = std::byte{0x1a};
          *arena(4 * depth + 2) = std::byte{0x1a};
          deep.OnRuntimeEnters();
          self(self, depth + 1);
          deep.OnRuntimeLeaves();
          *arena(4 * depth + 1) = std::byte{0x1a};
          *arena(4 * depth + 3) = std::byte{0x1a};
        },
        static_cast<std::int32_t>(depth));
  };
  descend(descend, 0);
  EXPECT_EQ(deep.watched_count(), kMaxCallDepth);
  EXPECT_EQ(deep.unwatched_count(), 0U);
  ASSERT_EQ(deep.finding_count(), 2 * kMaxCallDepth);
  for (std::size_t i = 0; i < 2 * kMaxCallDepth; ++i) {
    const std::size_t depth = i < kMaxCallDepth ? i : 2 * kMaxCallDepth - 1 - i;
    EXPECT_EQ(deep.findings()[i].operator_index, static_cast<std::int32_t>(depth));
    EXPECT_EQ(deep.findings()[i].operand.data, arena(4 * depth));
    EXPECT_EQ(deep.findings()[i].run.distance_bytes, i < kMaxCallDepth ? 1U : 2U);
  }
}

// A copy in the very bytes that it is of: whatever is covered seems to be written.
TEST_F(OnADevice, IsBlindWhereItReportsWhatIsLegal) {
  const std::array<CoveredRegion, 1> regions{{{arena_.data(), kBytes, arena_.data()}}};
  DeviceCanary canary({regions, operands_, findings_});
  Attach(canary);
  EXPECT_EQ(canary.status().code, StatusCode::kInstrumentBlind);
  EXPECT_EQ(canary.status().detail[0], 0U);
  EXPECT_GT(canary.status().detail[1], 0U);
  EXPECT_GT(canary.status().detail[2], 0U);
}

// Regions that touch share no byte, in whichever order they are given.
TEST_F(OnADevice, SeesAnArenaBesideAnotherRegion) {
  std::array<CoveredRegion, 2> regions{
      {{arena(0), 256, saved_.data()}, {arena(256), kBytes - 256, saved_.data() + 256}}};
  for (int turn = 0; turn < 2; ++turn) {
    DeviceCanary canary({regions, operands_, findings_});
    canary.OnAttach({{arena(0), 256}, {arena(256), kBytes - 256}}, {});
    EXPECT_EQ(canary.status(), Ok());
    Run(canary, {}, [&] { std::fill_n(arena(254), 4, std::byte{0x1a}); });
    EXPECT_EQ(canary.finding_count(), 2U) << "a stretch for each";
    std::swap(regions[0], regions[1]);
  }
}

TEST_F(OnADevice, IsBlindWhereNoRegionHasRoomForItsSelfTest) {
  std::array<std::byte, 64> small{}, small_saved{};
  const std::array<CoveredRegion, 1> regions{{{small.data(), small.size(), small_saved.data()}}};
  DeviceCanary canary({regions, operands_, findings_});
  canary.OnAttach({small.data(), small.size()}, {});
  EXPECT_EQ(canary.status(), Failure(StatusCode::kInstrumentBlind));
}

}  // namespace
}  // namespace arenaproof::testing
