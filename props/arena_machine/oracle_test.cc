// The oracles must be able to say no: each is shown steps that a correct arena never makes.
#include <gtest/gtest.h>

#include <array>

#include "core/arena/single_arena.h"
#include "core/arena/step.h"
#include "engine/oracles/arena/arena_history.h"
#include "engine/oracles/arena/temporary_tracker.h"

namespace arenaproof {
namespace {

using Word = std::uint32_t;

Transition<Word> GrantedAt(const ArenaState<Word>& before, Operation operation, Word size, Word result,
                           const ArenaState<Word>& after) {
  return {before, operation, {size, 1, 0}, Granted<Word>(result), after};
}

class HistoryOracle : public ::testing::Test {
 protected:
  // 64 bytes; head of 8, temporary of 8 at 8, persistent block of 16 at 48.
  void SetUp() override {
    Do(Operation::kReserveOverlay, {8, 1, 0});
    Do(Operation::kAllocateTemporary, {8, 1, 0});
    Do(Operation::kAllocatePersistent, {16, 1, 0});
  }

  void Do(Operation operation, const Arguments<Word>& arguments) {
    const Transition<Word> step = Step(state_, operation, arguments);
    ASSERT_EQ(FirstBroken(history_, step), nullptr);
    Record(history_, step);
    state_ = step.after;
  }

  ArenaState<Word> state_ = EmptyArena<Word>(0, 64);
  ArenaHistory<Word, 4> history_ = EmptyHistory<4>(state_);
};

TEST_F(HistoryOracle, SeesAPersistentBlockOverALiveTemporaryEvenIfTheCursorsAgree) {
  ArenaState<Word> lying = state_;
  lying.temporary_end = 8;  // the cursors have forgotten the temporary
  ArenaState<Word> after = lying;
  after.tail_begin = 12;
  EXPECT_STREQ(CheckHistory(history_, GrantedAt(lying, Operation::kAllocatePersistent, 36, 12, after)),
               "I4 tail crosses: a persistent block over a temporary");
}

TEST_F(HistoryOracle, SeesAPersistentBlockHandedOutTwice) {
  EXPECT_STREQ(CheckHistory(history_, GrantedAt(state_, Operation::kAllocatePersistent, 16, 48, state_)),
               "I3 persistence: a persistent block over an earlier one");
}

TEST_F(HistoryOracle, SeesATemporaryOverAnEarlierOneAndOverTheTail) {
  EXPECT_STREQ(CheckHistory(history_, GrantedAt(state_, Operation::kAllocateTemporary, 4, 12, state_)),
               "I11 temporary chain: a temporary over an earlier one");
  EXPECT_STREQ(CheckHistory(history_, GrantedAt(state_, Operation::kAllocateTemporary, 40, 16, state_)),
               "I4 tail crosses: a temporary over a persistent block");
}

TEST_F(HistoryOracle, SeesTheHeadMoveBeforeTheReset) {
  EXPECT_STREQ(CheckHistory(history_, GrantedAt(state_, Operation::kReserveOverlay, 4, 0, state_)),
               "I6 reset before head: the head moved over temporaries that were not reset");
}

TEST_F(HistoryOracle, SeesAResetOfLiveTemporariesAndARefusedRightfulFree) {
  EXPECT_STREQ(CheckHistory(history_, GrantedAt(state_, Operation::kResetTemporaries, 0, 0, state_)),
               "I7 reset rule: reset while a temporary is outstanding");
  const Transition<Word> refused{
      state_, Operation::kDeallocateTemporary, {0, 0, 8}, Refused<Word>(Refusal::kForeignTemporary), state_};
  EXPECT_STREQ(CheckHistory(history_, refused),
               "I12 temporary tracking: the free of an outstanding temporary was refused");
}

class CheckerOverArena : public ::testing::Test {
 protected:
  void SetUp() override {
    tracker_.OnAttach({buffer_.data(), buffer_.size()}, {});
    ASSERT_TRUE(arena_.Init(buffer_.data(), buffer_.size(), &tracker_).ok());
    for (std::byte*& block : blocks_) ASSERT_TRUE(arena_.AllocateTemporary(16, 16, &block).ok());
  }

  alignas(64) std::array<std::byte, 256> buffer_{};
  TemporaryTracker tracker_;
  SingleArena arena_;
  std::array<std::byte*, 4> blocks_{};
};

TEST_F(CheckerOverArena, NamesADoubleFreeThatTheArenaCannotTell) {
  ASSERT_TRUE(arena_.DeallocateTemporary(blocks_[1]).ok());
  EXPECT_TRUE(tracker_.findings().empty());
  ASSERT_TRUE(arena_.DeallocateTemporary(blocks_[1]).ok());
  ASSERT_EQ(tracker_.findings().size(), 1u);
  EXPECT_EQ(tracker_.Describe(tracker_.findings()[0]),
            "double free of the temporary at arena offset 16 (16 bytes), call 6 on head or temporaries");
  EXPECT_EQ(tracker_.outstanding_count(), 3u);
}

TEST_F(CheckerOverArena, NamesAForeignFreeInsideTheSection) {
  ASSERT_TRUE(arena_.DeallocateTemporary(blocks_[0] + 4).ok());
  ASSERT_EQ(tracker_.findings().size(), 1u);
  EXPECT_EQ(tracker_.findings()[0].fault, TemporaryFault::kForeignFree);
}

// Four frees of one address leave count and checksum as four rightful ones would: their addresses cancel out.
TEST_F(CheckerOverArena, NamesTheFreesAndTheResetThatOnlyLookBalanced) {
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(arena_.DeallocateTemporary(blocks_[0]).ok());
  ASSERT_TRUE(arena_.ResetTemporaries().ok());
  ASSERT_EQ(tracker_.findings().size(), 6u);
  EXPECT_EQ(tracker_.findings()[2].fault, TemporaryFault::kDoubleFree);
  EXPECT_EQ(tracker_.findings()[5].fault, TemporaryFault::kResetOverLive);
}

TEST(TemporaryTracker, TakesTwoTemporariesOfZeroBytesAtOneAddress) {
  alignas(16) std::array<std::byte, 64> buffer{};
  TemporaryTracker tracker;
  tracker.OnAttach({buffer.data(), buffer.size()}, {});
  SingleArena arena;
  ASSERT_TRUE(arena.Init(buffer.data(), buffer.size(), &tracker).ok());
  std::byte* first = nullptr;
  std::byte* second = nullptr;
  ASSERT_TRUE(arena.AllocateTemporary(0, 16, &first).ok());
  ASSERT_TRUE(arena.AllocateTemporary(0, 16, &second).ok());
  EXPECT_EQ(first, second);
  ASSERT_TRUE(arena.DeallocateTemporary(first).ok());
  ASSERT_TRUE(arena.DeallocateTemporary(second).ok());
  EXPECT_TRUE(arena.ResetTemporaries().ok());
  EXPECT_TRUE(tracker.findings().empty());
}

}  // namespace
}  // namespace arenaproof
