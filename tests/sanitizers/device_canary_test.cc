// The device's canary: what it finds is what the host's finds, it has no more memory than it is given, and where that
// is too little it says so.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <random>

#include "sanitizers/device/finding_text.h"
#include "sanitizers/instrument/filling/canary_instrument.h"
#include "tests/sanitizers/on_a_device.h"

namespace arenaproof::testing {
namespace {

// Of random operands and writes each finding is one of the host's, in the same order.
TEST_F(OnADevice, FindsWhatTheHostFinds) {
  std::mt19937 random(1);
  const auto draw = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(random); };
  std::size_t found = 0;
  for (int turn = 0; turn < 300; ++turn) {
    const OperandRange operands[] = {Input(draw(480), draw(32)), Output(draw(480), draw(32)), Output(draw(480), 0)};
    std::vector<std::pair<std::size_t, std::size_t>> writes(1 + draw(2));
    for (auto& [begin, bytes] : writes) begin = draw(kBytes - 40), bytes = 1 + draw(39);
    const auto write = [&] {
      for (const auto& [begin, bytes] : writes) std::fill_n(arena(begin), bytes, std::byte{0x1a});
    };
    const std::array<std::byte, kBytes> before = arena_;

    CanaryInstrument host;
    host.SkipSelfTest();
    Attach(host);
    Run(host, operands, write);
    host.OnDetach();
    const std::array<std::byte, kBytes> behind_host = std::exchange(arena_, before);
    const std::size_t first = canary_.finding_count();
    Run(canary_, operands, write);
    EXPECT_EQ(arena_, behind_host);

    ASSERT_LT(canary_.finding_count(), findings_.size());
    const std::span<const CanaryFinding> findings = canary_.findings().subspan(first);
    found += findings.size();
    std::uint64_t accesses = 0;
    for (const Violation& group : host.log().groups()) accesses += group.count;
    ASSERT_EQ(findings.size(), accesses);
    for (const CanaryFinding& finding : findings) {
      EXPECT_TRUE(std::ranges::any_of(host.log().groups(), [&](const Violation& group) {
        return group.side == finding.run.side && group.operand.data == finding.operand.data &&
               group.operand.kind == finding.operand.kind && group.distance_bytes >= finding.run.distance_bytes;
      })) << TextOf(finding).text();
    }
    Attach(canary_);
  }
  EXPECT_GT(found, 300U);
}

TEST_F(OnADevice, SaysWhoWroteWhere) {
  Run({Input(64, 20), Output(128, 16)}, [&] {
    *arena(64) = std::byte{0x1a};
    *arena(145) = std::byte{0x1a};
    *arena(300) = std::byte{0x1a};
  });
  std::vector<std::string> texts;
  for (const CanaryFinding& finding : canary_.findings()) texts.emplace_back(TextOf(finding).text());
  EXPECT_THAT(texts,
              ::testing::ElementsAre(
                  "MOCK (operator 0), kernel mock, writes 1 byte inside input tensor 0 (20 bytes), which it may "
                  "only read in invoke",
                  "MOCK (operator 0), kernel mock, writes up to 2 bytes after output tensor 1 (16 bytes) in invoke",
                  "MOCK (operator 0), kernel mock, writes 156 bytes away from output tensor 1 (16 bytes) in "
                  "invoke"));
}

TEST_F(OnADevice, CountsWhatItsListDoesNotHold) {
  for (int i = 0; i < 100; ++i) Run({Output(128, 16)}, [&] { *arena(144) = std::byte{0x1a}; });
  EXPECT_EQ(canary_.finding_count(), 100U);
  EXPECT_EQ(canary_.findings().size(), findings_.size());
  EXPECT_EQ(canary_.watched_count(), 100U);
}

TEST_F(OnADevice, SaysWhichOperatorsHadMoreOperandsThanItsList) {
  const std::vector<OperandRange> many(operands_.size() + 1, Output(128, 16));
  Run(canary_, many, [&] { *arena(144) = std::byte{0x1a}; });
  EXPECT_EQ(canary_.unwatched_count(), 1U);
  EXPECT_EQ(canary_.finding_count(), 0U);
  Run(canary_, std::span(many).first(operands_.size()), [&] { *arena(144) = std::byte{0x1b}; });
  EXPECT_EQ(canary_.watched_count(), 1U);
  EXPECT_EQ(canary_.finding_count(), 1U);
}

// A caller's operands are closed while an operator runs that it calls, and its own again afterwards.
TEST_F(OnADevice, KeepsTheCallersOperands) {
  Run({Output(128, 16)}, [&] {
    canary_.OnRuntimeEnters();
    Run({Output(256, 16)}, [&] {
      *arena(256) = std::byte{0x1a};
      *arena(128) = std::byte{0x1a};
    });
    *arena(64) = std::byte{0x1a};  // the runtime's own work
    canary_.OnRuntimeLeaves();
    *arena(129) = std::byte{0x1a};
    *arena(257) = std::byte{0x1a};
  });
  EXPECT_EQ(*arena(64), std::byte{0x1a});
  ASSERT_EQ(canary_.finding_count(), 2U);
  EXPECT_EQ(canary_.findings()[0].operand.data, arena(256));
  EXPECT_EQ(canary_.findings()[1].operand.data, arena(128));
}

TEST_F(OnADevice, OpensBlocksThatTheOperatorIsGivenUntilTheyAreTaken) {
  Run({Output(128, 16)}, [&] {
    canary_.OnRuntimeEnters();
    canary_.OnTemporaryAllocated({arena(256), 16});
    canary_.OnTailAllocated({arena(400), 16});
    canary_.OnRuntimeLeaves();
    *arena(256) = *arena(400) = std::byte{0x1a};
    canary_.OnRuntimeEnters();
    canary_.OnTemporaryFreed(arena(256));
    canary_.OnTailRewound(arena(kBytes));
    canary_.OnRuntimeLeaves();
    EXPECT_EQ(canary_.finding_count(), 0U);
    *arena(257) = *arena(401) = std::byte{0x1a};
  });
  EXPECT_EQ(canary_.finding_count(), 2U);
}

TEST_F(OnADevice, IsBlindWhereItSeesOneArenaOfTwo) {
  std::array<std::byte, 64> tail{}, tail_saved{};
  DeviceCanary of_one({regions_, operands_, findings_});
  of_one.OnAttach({{arena_.data(), kBytes}, {tail.data(), tail.size()}}, {});
  EXPECT_EQ(of_one.status().code, StatusCode::kInstrumentBlind);
  const std::array<CoveredRegion, 2> both{
      {{arena_.data(), kBytes, saved_.data()}, {tail.data(), tail.size(), tail_saved.data()}}};
  DeviceCanary of_both({both, operands_, findings_});
  of_both.OnAttach({{arena_.data(), kBytes}, {tail.data(), tail.size()}}, {});
  EXPECT_EQ(of_both.status(), Ok());
  Run(of_both, {}, [&] { tail[8] = std::byte{0x1a}; });
  EXPECT_EQ(of_both.finding_count(), 1U);
}

TEST_F(OnADevice, IsBlindWhereItCannotSeeTheArena) {
  std::array<std::byte, kBytes> more_saved{};
  const std::array<CoveredRegion, 1> too_small{{{arena_.data(), kBytes - 1, saved_.data()}}};
  const std::array<CoveredRegion, 1> no_copy{{{arena_.data(), kBytes, nullptr}}};
  const std::array<CoveredRegion, 2> twice{
      {{arena_.data(), kBytes, saved_.data()}, {arena_.data() + 500, 12, more_saved.data()}}};
  for (const std::span<const CoveredRegion> regions : {std::span<const CoveredRegion>(too_small), {no_copy}, {twice}}) {
    DeviceCanary canary({regions, operands_, findings_});
    Attach(canary);
    EXPECT_EQ(canary.status().code, StatusCode::kInstrumentBlind);
    Run(canary, {}, [&] { *arena(144) = std::byte{0x1a}; });
    EXPECT_EQ(canary.finding_count(), 0U);
  }
  DeviceCanary without_list({regions_, {}, findings_});  // no operand fits: it misses all that is planted
  Attach(without_list);
  EXPECT_EQ(without_list.status().code, StatusCode::kInstrumentBlind);
  EXPECT_GT(without_list.status().detail[0], 0U);
  EXPECT_EQ(without_list.status().detail[0], without_list.status().detail[1]);
}

}  // namespace
}  // namespace arenaproof::testing
