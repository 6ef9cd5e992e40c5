// The reference's own unit tests of its single-arena allocator, restated, and their neighbours.
#include "core/arena/single_arena.h"

#include <gtest/gtest.h>

#include "tests/arena/arena_support.h"

namespace arenaproof {
namespace {

using Arena1024 = ArenaUnderTest<1024>;

TEST(SingleArena, ResizesTheHeadUpAndDown) {
  Arena1024 arena;
  std::byte* head = arena.Resizable(0, 1);
  ASSERT_EQ(head, arena.start());
  for (const std::size_t size : {100u, 10u, 1000u}) {
    EXPECT_TRUE(arena.ResizeHead(head, size, 1).ok());
    EXPECT_EQ(arena.NonPersistentUsedBytes(), size);
  }
}

TEST(SingleArena, SecondAllocateResizableResizesTheBlock) {
  Arena1024 arena;
  std::byte* const first = arena.Resizable(100, 16);
  EXPECT_EQ(arena.Resizable(40, 16), first);
  EXPECT_EQ(arena.NonPersistentUsedBytes(), 40u);
}

TEST(SingleArena, MisalignedHeadLeavesTheRestAvailable) {
  Arena1024 arena;
  std::byte* head = arena.Resizable(0, 12);
  for (const std::size_t size : {100u, 10u, 1000u}) {
    EXPECT_TRUE(arena.ResizeHead(head, size, 12).ok());
    EXPECT_LE(arena.AvailableBytes(12), 1024 - size);
    EXPECT_GE(arena.AvailableBytes(12) + 24, 1024 - size);
  }
}

TEST(SingleArena, TemporariesReduceWhatIsAvailableUntilTheReset) {
  Arena1024 arena;
  std::byte* block = arena.Temporary(100, 1);
  EXPECT_EQ(arena.AvailableBytes(1), 924u);
  EXPECT_EQ(arena.UsedBytes(), 100u);
  EXPECT_TRUE(arena.DeallocateTemporary(block).ok());
  EXPECT_EQ(arena.AvailableBytes(1), 924u) << "freeing is book-keeping only";
  EXPECT_TRUE(arena.ResetTemporaries().ok());
  EXPECT_EQ(arena.AvailableBytes(1), 1024u);
  EXPECT_EQ(arena.UsedBytes(), 0u);
}

TEST(SingleArena, PersistentBlocksAreAligned) {
  Arena1024 arena;
  arena.Persistent(1, 1);
  std::byte* block = arena.Persistent(16, 4);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 4, 0u);
  EXPECT_EQ(block, arena.start() + 1004);
  EXPECT_EQ(arena.PersistentUsedBytes(), 20u);
}

TEST(SingleArena, TemporariesFormAChain) {
  Arena1024 arena;
  std::byte* first = arena.Temporary(100, 1);
  std::byte* second = arena.Temporary(100, 1);
  EXPECT_EQ(second - first, 100);
}

TEST(SingleArena, HeadMovesOnlyAfterTheReset) {
  Arena1024 arena;
  std::byte* head = arena.Resizable(0, 1);
  std::byte* block = arena.Temporary(100, 1);
  ExpectRefused(arena, StatusCode::kArenaTemporariesLive, [&] { return arena.ResizeHead(head, 100, 1); });
  EXPECT_TRUE(arena.DeallocateTemporary(block).ok());
  ExpectRefused(arena, StatusCode::kArenaTemporariesLive, [&] { return arena.ResizeHead(head, 100, 1); });
  EXPECT_TRUE(arena.ResetTemporaries().ok());
  EXPECT_TRUE(arena.ResizeHead(head, 0, 1).ok());
  EXPECT_EQ(block, arena.OverlayAddress());
}

TEST(SingleArena, UsesEveryByte) {
  Arena1024 arena;
  arena.Resizable(500, 1);
  arena.Temporary(24, 1);
  arena.Persistent(500, 1);
  EXPECT_EQ(arena.UsedBytes(), 1024u);
  EXPECT_EQ(arena.TotalBytes(), 1024u);
  EXPECT_EQ(arena.AvailableBytes(1), 0u);
  std::byte* block = nullptr;
  ExpectRefused(arena, StatusCode::kArenaTemporaryDoesNotFit, [&] { return arena.AllocateTemporary(1, 1, &block); });
  ExpectRefused(arena, StatusCode::kArenaPersistentDoesNotFit, [&] { return arena.AllocatePersistent(1, 1, &block); });
  EXPECT_EQ(block, nullptr);
}

TEST(SingleArena, ReservesTheOverlayAtTheFirstAlignedByte) {
  ArenaUnderTest<256, 8> arena;
  EXPECT_TRUE(arena.ReserveOverlay(100, 16).ok());
  EXPECT_EQ(arena.NonPersistentUsedBytes(), 108u);
  EXPECT_EQ(arena.OverlayAddress(), arena.start()) << "whatever alignment the reserve used";
}

TEST(SingleArena, GivesBackTheResizableBlockOnlyWhereTheArenaBegins) {
  ArenaUnderTest<256, 8> arena;
  std::byte* aligned = arena.Resizable(10, 16);
  ExpectRefused(arena, StatusCode::kArenaNotTheHeadBlock, [&] { return arena.DeallocateResizable(aligned); });
  std::byte* first = arena.Resizable(10, 8);
  ASSERT_EQ(first, arena.start());
  EXPECT_TRUE(arena.DeallocateResizable(first).ok());
  EXPECT_EQ(arena.NonPersistentUsedBytes(), 0u);
}

TEST(SingleArena, ZeroBytesAreALegalRequest) {
  ArenaUnderTest<256, 3> arena;
  std::byte* temporary = arena.Temporary(0, 8);
  EXPECT_EQ(temporary, arena.start() + 5);
  EXPECT_FALSE(arena.AllTemporariesDeallocated());
  EXPECT_TRUE(arena.DeallocateTemporary(temporary).ok());
  EXPECT_TRUE(arena.ResetTemporaries().ok());

  std::byte* persistent = arena.Persistent(0, 16);
  EXPECT_EQ(persistent, arena.start() + 253) << "rounding may lower the tail even for nothing";
  EXPECT_EQ(arena.PersistentUsedBytes(), 3u);
}

TEST(SingleArena, TwoTemporariesOfZeroBytesMayShareAnAddress) {
  Arena1024 arena;
  std::byte* first = arena.Temporary(0, 16);
  std::byte* second = arena.Temporary(0, 16);
  EXPECT_EQ(first, second);
  EXPECT_TRUE(arena.DeallocateTemporary(first).ok());
  EXPECT_FALSE(arena.AllTemporariesDeallocated());
  EXPECT_TRUE(arena.DeallocateTemporary(second).ok());
  EXPECT_TRUE(arena.ResetTemporaries().ok());
}

TEST(SingleArena, OutstandingTemporaryOfZeroBytesKeepsTheHeadStill) {
  Arena1024 arena;
  std::byte* block = arena.Temporary(0, 1);
  ExpectRefused(arena, StatusCode::kArenaTemporariesLive, [&] { return arena.ReserveOverlay(16, 16); });
  EXPECT_TRUE(arena.DeallocateTemporary(block).ok());
  EXPECT_TRUE(arena.ReserveOverlay(16, 16).ok());
}

TEST(SingleArena, AvailableBytesCanReallyBeHad) {
  for (const std::size_t alignment : {1u, 3u, 8u, 12u, 16u, 64u}) {
    for (std::size_t taken = 0; taken < 40; ++taken) {
      ArenaUnderTest<96, 5> for_temporary;
      for_temporary.Temporary(taken, 1);
      SingleArena for_persistent = for_temporary;  // the same bytes, a book of its own
      const std::size_t available = for_temporary.AvailableBytes(alignment);
      std::byte* block = nullptr;
      if (available == 0) {
        EXPECT_FALSE(for_temporary.AllocateTemporary(alignment, alignment, &block).ok());
        EXPECT_FALSE(for_persistent.AllocatePersistent(alignment, alignment, &block).ok());
      } else {
        EXPECT_TRUE(for_temporary.AllocateTemporary(available, alignment, &block).ok());
        EXPECT_TRUE(for_persistent.AllocatePersistent(available, alignment, &block).ok());
      }
    }
  }
}

TEST(SingleArena, AnArenaThatWasNeverGivenBytesRefusesEveryByte) {
  SingleArena arena;
  std::byte* block = nullptr;
  ExpectRefused(arena, StatusCode::kArenaTemporaryDoesNotFit, [&] { return arena.AllocateTemporary(1, 1, &block); });
  ExpectRefused(arena, StatusCode::kArenaPersistentDoesNotFit, [&] { return arena.AllocatePersistent(1, 1, &block); });
  ExpectRefused(arena, StatusCode::kArenaHeadDoesNotFit, [&] { return arena.ReserveOverlay(1, 1); });
  EXPECT_EQ(arena.TotalBytes(), 0u);
}

}  // namespace
}  // namespace arenaproof
