// What the device's canary makes of the events around operators: attach and detach, calls into the runtime, blocks that
// are given and taken. Whatever comes, memory is put back.
#include <algorithm>

#include "tests/sanitizers/on_a_device.h"

namespace arenaproof::testing {
namespace {

TEST_F(OnADevice, PutsBackWhatItsSelfTestAndItsOperatorsFind) {
  const auto expect_as_laid = [&](std::size_t except_from, std::size_t except_to) {
    for (std::size_t i = 0; i < kBytes; ++i) {
      if (i < except_from || i >= except_to) ASSERT_EQ(arena_[i], static_cast<std::byte>(i)) << i;
    }
  };
  expect_as_laid(0, 0);
  EXPECT_EQ(canary_.finding_count(), 0U);
  EXPECT_EQ(canary_.watched_count(), 0U);
  Run({Output(128, 16)}, [&] {
    std::fill_n(arena(120), 40, std::byte{0x1a});
    canary_.OnRuntimeEnters();
    expect_as_laid(128, 144);
    canary_.OnRuntimeLeaves();
  });
  expect_as_laid(128, 144);
  EXPECT_EQ(canary_.finding_count(), 2U);
}

// What is detached in the middle of an operator is as it was, and the next attach knows nothing of it.
TEST_F(OnADevice, EndsWhereItIsDetachedAndStartsAnew) {
  const OperandRange output = Output(128, 16);
  OperatorScope scope;
  scope.operands = {&output, 1};
  canary_.OnOperatorBegins(scope);
  *arena(64) = std::byte{0x1a};
  canary_.OnDetach();
  EXPECT_EQ(*arena(64), static_cast<std::byte>(64));
  EXPECT_EQ(canary_.finding_count(), 1U);
  canary_.OnDetach();
  canary_.OnRuntimeEnters();
  canary_.OnRuntimeLeaves();
  EXPECT_EQ(*arena(300), static_cast<std::byte>(300)) << "nobody's code runs";
  Run({Output(128, 16), Output(256, 16)}, [] {});
  Attach(canary_);
  EXPECT_EQ(canary_.status(), Ok());
  EXPECT_EQ(canary_.finding_count(), 0U);
  EXPECT_EQ(canary_.watched_count(), 0U);
  Run({Output(256, 16)}, [&] { *arena(128) = std::byte{0x1a}; });
  ASSERT_EQ(canary_.finding_count(), 1U);
  EXPECT_EQ(canary_.findings()[0].operand.data, arena(256));
  const std::vector<OperandRange> many(operands_.size() + 1, output);
  Run(canary_, many, [] {});
  EXPECT_EQ(canary_.unwatched_count(), 1U);
  Attach(canary_);
  EXPECT_EQ(canary_.unwatched_count(), 0U);
}

TEST_F(OnADevice, GivesAnOperatorWhatItGotInACallOnly) {
  canary_.OnTemporaryAllocated({arena(256), 16});
  canary_.OnTailAllocated({arena(400), 16});
  canary_.OnTemporaryFreed(arena(256));
  canary_.OnTemporariesReset();
  canary_.OnTailRewound(arena(kBytes));
  Run({Output(128, 16)}, [&] {
    canary_.OnTailAllocated({arena(200), 16});  // in the middle of the operator's own code: nobody's
    *arena(200) = *arena(256) = *arena(400) = std::byte{0x1a};
  });
  EXPECT_EQ(canary_.finding_count(), 3U);
  Run({Output(128, 16)}, [&] {
    canary_.OnRuntimeEnters();
    canary_.OnTemporaryAllocated({arena(256), 16});
    canary_.OnTemporaryAllocated({arena(288), 16});
    canary_.OnTailAllocated({arena(448), 16});
    canary_.OnTailAllocated({arena(400), 16});
    canary_.OnTemporariesReset();
    canary_.OnTailRewound(arena(448));
    canary_.OnRuntimeLeaves();
    *arena(448) = std::byte{0x1a};
    EXPECT_EQ(canary_.finding_count(), 3U);
    *arena(256) = *arena(288) = *arena(400) = std::byte{0x1a};
  });
  EXPECT_EQ(canary_.finding_count(), 6U);
}

// A block that its list does not hold: the operator is watched until then, and its caller further on.
TEST_F(OnADevice, StopsWatchingWhoIsGivenMoreThanItsListHolds) {
  const std::vector<OperandRange> callees(operands_.size() - 1, Output(256, 16));
  Run({Output(128, 16)}, [&] {
    canary_.OnRuntimeEnters();
    Run(canary_, callees, [&] {
      *arena(64) = std::byte{0x1a};
      canary_.OnRuntimeEnters();
      canary_.OnTailAllocated({arena(400), 16});
      canary_.OnRuntimeLeaves();
      *arena(300) = std::byte{0x1a};
    });
    EXPECT_EQ(canary_.unwatched_count(), 1U);
    EXPECT_EQ(canary_.watched_count(), 0U);
    canary_.OnRuntimeLeaves();
    *arena(65) = std::byte{0x1a};
  });
  EXPECT_EQ(canary_.watched_count(), 1U);
  EXPECT_EQ(*arena(300), std::byte{0x1a}) << "not put back: it was not watched";
  ASSERT_EQ(canary_.finding_count(), 2U);
  EXPECT_EQ(canary_.findings()[0].operand.data, arena(256));
  EXPECT_EQ(canary_.findings()[1].operand.data, arena(128));
}

// The self-test takes the first region with room for it, at whatever address; the arena lies in any.
TEST_F(OnADevice, SeesAnArenaInWhicheverRegion) {
  std::array<std::byte, 64> small{}, small_saved{};
  for (const std::size_t from : {0U, 1U, 7U}) {
    const std::array<CoveredRegion, 2> regions{
        {{small.data(), small.size(), small_saved.data()}, {arena(from), kBytes - from, saved_.data()}}};
    DeviceCanary canary({regions, operands_, findings_});
    canary.OnAttach({arena(from), kBytes - from}, {});
    EXPECT_EQ(canary.status(), Ok()) << from;
    canary.OnAttach({arena(from + 8), kBytes - from - 8}, {});
    EXPECT_EQ(canary.status(), Ok()) << from;
    if (from == 0) continue;
    canary.OnAttach({arena(from - 1), 64}, {});
    EXPECT_EQ(canary.status().code, StatusCode::kInstrumentBlind) << "its first byte is in none";
    canary.OnAttach({arena(from + 8), kBytes - from - 7}, {});
    EXPECT_EQ(canary.status().code, StatusCode::kInstrumentBlind) << "its last byte is in none";
  }
}

}  // namespace
}  // namespace arenaproof::testing
