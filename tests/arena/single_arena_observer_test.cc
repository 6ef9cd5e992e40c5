// The events that an arena sends: one for each success, with the visible bytes, none for a refusal or a question.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/harness/event_log.h"
#include "tests/arena/arena_support.h"

namespace arenaproof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

testing::EventLog LogFrom(const std::byte* origin) { return testing::EventLog({.places = true, .origin = origin}); }

TEST(SingleArenaObserver, ReceivesEverySuccessWithItsVisibleBytes) {
  ArenaUnderTest<256> arena;
  testing::EventLog log = LogFrom(arena.start());
  arena.set_observer(&log);
  EXPECT_TRUE(arena.ReserveOverlay(40, 16).ok());
  std::byte* block = arena.Temporary(5, 16);
  EXPECT_TRUE(arena.DeallocateTemporary(block).ok());
  EXPECT_TRUE(arena.ResetTemporaries().ok());
  arena.Persistent(10, 16);
  EXPECT_TRUE(arena.ResizeHead(arena.start(), 8, 1).ok());
  EXPECT_TRUE(arena.DeallocateResizable(arena.start()).ok());
  arena.Resizable(3, 1);
  EXPECT_THAT(log.lines, ElementsAre("head 0+40", "temporary 48+5", "free 48", "reset", "tail 240+10", "head 0+8",
                                     "head 0+0", "head 0+3"));
}

TEST(SingleArenaObserver, ReceivesNothingOfRefusalsAndQuestions) {
  ArenaUnderTest<256> arena;
  testing::EventLog log = LogFrom(arena.start());
  std::byte* block = arena.Temporary(8, 1);
  arena.set_observer(&log);
  EXPECT_FALSE(arena.AllocateTemporary(1000, 1, &block).ok());
  EXPECT_FALSE(arena.AllocatePersistent(1000, 1, &block).ok());
  EXPECT_FALSE(arena.AllocateResizable(1, 1, &block).ok());
  EXPECT_FALSE(arena.ResizeHead(arena.start(), 1, 1).ok());
  EXPECT_FALSE(arena.DeallocateResizable(arena.start()).ok());
  EXPECT_FALSE(arena.ReserveOverlay(1, 1).ok());
  EXPECT_FALSE(arena.DeallocateTemporary(arena.start() + 100).ok());
  EXPECT_FALSE(arena.ResetTemporaries().ok());
  EXPECT_FALSE(arena.AllTemporariesDeallocated());
  EXPECT_EQ(arena.AvailableBytes(1) + arena.UsedBytes(), 256u);
  EXPECT_THAT(log.lines, IsEmpty());
}

TEST(SingleArenaObserver, ReceivesTheArenaItselfFirst) {
  AlignedBuffer<256> buffer;
  testing::EventLog log = LogFrom(buffer.data());
  SingleArena* arena = nullptr;
  ASSERT_TRUE(SingleArena::Create(buffer.data(), 256, &log, &arena).ok());
  EXPECT_EQ(arena->observer(), &log);
  EXPECT_THAT(log.lines, ElementsAre("tail " + std::to_string(256 - sizeof(SingleArena)) + "+" +
                                     std::to_string(sizeof(SingleArena))));
}

}  // namespace
}  // namespace arenaproof
