// What the reference accepts and must not: cases X1 to X9 of the arena's specification, each refused without a trace.
#include <gtest/gtest.h>

#include "tests/arena/arena_support.h"

namespace arenaproof {
namespace {

TEST(SingleArenaHardening, X1TemporaryWhoseRoundingPassesTheTail) {
  ArenaUnderTest<1020> arena;
  arena.Temporary(1018, 1);
  std::byte* block = nullptr;
  ExpectRefused(arena, StatusCode::kArenaTemporaryDoesNotFit, [&] { return arena.AllocateTemporary(1, 16, &block); });
  ExpectRefused(arena, StatusCode::kArenaTemporaryDoesNotFit, [&] { return arena.AllocateTemporary(0, 16, &block); });
  EXPECT_EQ(block, nullptr);
}

TEST(SingleArenaHardening, X2HeadWhoseRoundingPassesTheEnd) {
  ArenaUnderTest<10, 1> arena;
  std::byte* block = nullptr;
  ExpectRefused(arena, StatusCode::kArenaHeadDoesNotFit, [&] { return arena.AllocateResizable(4, 16, &block); });
  ExpectRefused(arena, StatusCode::kArenaHeadDoesNotFit, [&] { return arena.ReserveOverlay(4, 16); });
  ExpectRefused(arena, StatusCode::kArenaHeadDoesNotFit, [&] { return arena.ResizeHead(arena.start() + 15, 4, 16); });
  EXPECT_EQ(block, nullptr);
}

TEST(SingleArenaHardening, X3AvailableIsZeroWhenTheRoundedCursorsCross) {
  ArenaUnderTest<10, 1> arena;
  EXPECT_EQ(arena.AvailableBytes(16), 0u);
  ArenaUnderTest<1020> full;
  full.Temporary(1018, 1);
  EXPECT_EQ(full.AvailableBytes(16), 0u);
}

TEST(SingleArenaHardening, X4X5PersistentNearTheTopOfTheSizes) {
  ArenaUnderTest<1024> arena;
  std::byte* block = nullptr;
  for (const std::size_t size : {kLargestSize, kLargestSize - 15, kLargestSize - 16, kLargestSize / 2,
                                 kLargestSize / 2 + 1, std::size_t{1025}}) {
    for (const std::size_t alignment : {std::size_t{1}, std::size_t{16}, std::size_t{12}, kLargestSize}) {
      ExpectRefused(arena, StatusCode::kArenaPersistentDoesNotFit,
                    [&] { return arena.AllocatePersistent(size, alignment, &block); });
    }
  }
  EXPECT_EQ(block, nullptr);
}

TEST(SingleArenaHardening, X6PersistentBlockOverLiveTemporaries) {
  ArenaUnderTest<1024> arena;
  EXPECT_TRUE(arena.ReserveOverlay(10, 1).ok());
  arena.Temporary(1000, 1);
  std::byte* block = nullptr;
  ExpectRefused(arena, StatusCode::kArenaPersistentDoesNotFit,
                [&] { return arena.AllocatePersistent(100, 1, &block); });
  ExpectRefused(arena, StatusCode::kArenaPersistentDoesNotFit, [&] { return arena.AllocatePersistent(15, 1, &block); });
  EXPECT_EQ(block, nullptr);
  EXPECT_EQ(arena.Persistent(14, 1), arena.start() + 1010);
}

TEST(SingleArenaHardening, X7AlignmentOfZero) {
  ArenaUnderTest<1024> arena;
  std::byte* block = nullptr;
  ExpectRefused(arena, StatusCode::kArenaZeroAlignment, [&] { return arena.AllocateTemporary(1, 0, &block); });
  ExpectRefused(arena, StatusCode::kArenaZeroAlignment, [&] { return arena.AllocatePersistent(1, 0, &block); });
  ExpectRefused(arena, StatusCode::kArenaZeroAlignment, [&] { return arena.AllocateResizable(1, 0, &block); });
  ExpectRefused(arena, StatusCode::kArenaZeroAlignment, [&] { return arena.ResizeHead(arena.start(), 1, 0); });
  ExpectRefused(arena, StatusCode::kArenaZeroAlignment, [&] { return arena.ReserveOverlay(1, 0); });
  EXPECT_EQ(arena.AvailableBytes(0), 0u);
  EXPECT_EQ(block, nullptr);
}

TEST(SingleArenaHardening, X8SumsAndRoundingsPastTheLastAddress) {
  ArenaUnderTest<1024> arena;
  std::byte* block = nullptr;
  for (const std::size_t size : {kLargestSize, kLargestSize - 1, kLargestSize - 1023}) {
    ExpectRefused(arena, StatusCode::kArenaTemporaryDoesNotFit,
                  [&] { return arena.AllocateTemporary(size, 1, &block); });
    ExpectRefused(arena, StatusCode::kArenaHeadDoesNotFit, [&] { return arena.AllocateResizable(size, 1, &block); });
    ExpectRefused(arena, StatusCode::kArenaHeadDoesNotFit, [&] { return arena.ResizeHead(arena.start(), size, 1); });
  }
  for (const std::size_t alignment : {kLargestSize, kLargestSize / 2 + 1, kLargestSize - 6}) {
    ExpectRefused(arena, StatusCode::kArenaTemporaryDoesNotFit,
                  [&] { return arena.AllocateTemporary(1, alignment, &block); });
    ExpectRefused(arena, StatusCode::kArenaHeadDoesNotFit, [&] { return arena.ReserveOverlay(1, alignment); });
    EXPECT_EQ(arena.AvailableBytes(alignment), 0u);
  }
  EXPECT_EQ(block, nullptr);
}

TEST(SingleArenaHardening, X9FreesOfWhatCannotBeATemporary) {
  ArenaUnderTest<1024> arena;
  EXPECT_TRUE(arena.ReserveOverlay(64, 16).ok());
  ExpectRefused(arena, StatusCode::kArenaNoTemporaryOutstanding,
                [&] { return arena.DeallocateTemporary(arena.start()); });
  std::byte* block = arena.Temporary(16, 16);
  for (std::byte* foreign : {static_cast<std::byte*>(nullptr), arena.start(), block - 1, block + 16, block + 17}) {
    ExpectRefused(arena, StatusCode::kArenaForeignTemporary, [&] { return arena.DeallocateTemporary(foreign); });
  }
  EXPECT_TRUE(arena.DeallocateTemporary(block).ok());
  ExpectRefused(arena, StatusCode::kArenaNoTemporaryOutstanding, [&] { return arena.DeallocateTemporary(block); });
}

TEST(SingleArenaHardening, X9FourFreesOfNullDoNotBalanceFourTemporariesThatXorToZero) {
  ArenaUnderTest<1024> arena;
  for (int i = 0; i < 4; ++i) arena.Temporary(16, 16);
  ASSERT_EQ(arena.state().temporary_checksum, 0u) << "the set-up needs a 64-aligned start";
  for (int i = 0; i < 4; ++i) {
    ExpectRefused(arena, StatusCode::kArenaForeignTemporary, [&] { return arena.DeallocateTemporary(nullptr); });
  }
  EXPECT_FALSE(arena.AllTemporariesDeallocated());
}

TEST(SingleArenaHardening, X9DoubleFreeInsideTheSectionIsSeenByTheReset) {
  ArenaUnderTest<1024> arena;
  std::byte* first = arena.Temporary(16, 16);
  arena.Temporary(16, 16);
  EXPECT_TRUE(arena.DeallocateTemporary(first).ok());
  EXPECT_TRUE(arena.DeallocateTemporary(first).ok()) << "count and checksum cannot name an address";
  EXPECT_EQ(arena.state().temporary_count, 0u);
  EXPECT_FALSE(arena.AllTemporariesDeallocated());
  ExpectRefused(arena, StatusCode::kArenaTemporariesOutstanding, [&] { return arena.ResetTemporaries(); });
}

TEST(SingleArenaHardening, ResetNeedsEveryTemporaryFreed) {
  ArenaUnderTest<1024> arena;
  EXPECT_TRUE(arena.ResetTemporaries().ok());
  arena.Temporary(16, 16);
  ExpectRefused(arena, StatusCode::kArenaTemporariesOutstanding, [&] { return arena.ResetTemporaries(); });
}

TEST(SingleArenaHardening, RefusalsSayWhatWasAskedAndWhatThereIs) {
  ArenaUnderTest<100> arena;
  std::byte* block = nullptr;
  arena.Temporary(10, 1);
  EXPECT_EQ(arena.AllocateTemporary(200, 8, &block), Failure(StatusCode::kArenaTemporaryDoesNotFit, 200, 8, 80));
  EXPECT_EQ(arena.AllocatePersistent(91, 1, &block), Failure(StatusCode::kArenaPersistentDoesNotFit, 91, 1, 90));
  EXPECT_EQ(arena.ReserveOverlay(1, 1), Failure(StatusCode::kArenaTemporariesLive, 10, 1));
  EXPECT_TRUE(arena.DeallocateTemporary(arena.start()).ok());
  EXPECT_TRUE(arena.ResetTemporaries().ok());
  EXPECT_EQ(arena.ReserveOverlay(101, 4), Failure(StatusCode::kArenaHeadDoesNotFit, 101, 4, 100));
  const auto address = reinterpret_cast<std::uintptr_t>(arena.start());
  EXPECT_EQ(arena.ResizeHead(arena.start() + 8, 1, 4),
            Failure(StatusCode::kArenaNotTheHeadBlock, address + 8, address));
}

}  // namespace
}  // namespace arenaproof
