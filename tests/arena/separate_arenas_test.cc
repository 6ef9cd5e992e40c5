// The reference's unit tests of its persistent and non-persistent allocators, restated, and what hardening adds.
#include "core/arena/separate_arenas.h"

#include <gtest/gtest.h>

#include "core/arena/tensor_arena.h"
#include "tests/arena/arena_support.h"

namespace arenaproof {
namespace {

template <typename Kind>
struct SeparateArenas : ::testing::Test {
  void SetUp() override { ASSERT_TRUE(arena.Init(buffer.data(), 1024).ok()); }
  AlignedBuffer<1024> buffer;
  Kind arena;
  std::byte* block = nullptr;
};
using NonPersistent = SeparateArenas<NonPersistentArena>;
using Persistent = SeparateArenas<PersistentArena>;

TEST_F(NonPersistent, ResizableStartsTheArenaAndIsResized) {
  ASSERT_TRUE(arena.AllocateResizable(10, 1, &block).ok());
  EXPECT_EQ(block, buffer.data());
  for (const std::size_t size : {100u, 10u, 1000u}) {
    EXPECT_TRUE(arena.ResizeHead(block, size, 1).ok());
    EXPECT_EQ(arena.NonPersistentUsedBytes(), size);
  }
}

TEST_F(NonPersistent, ResizableIsRefusedWhileATemporaryIsNotReset) {
  ASSERT_TRUE(arena.AllocateTemporary(100, 1, &block).ok());
  ASSERT_TRUE(arena.DeallocateTemporary(block).ok());
  std::byte* resizable = nullptr;
  EXPECT_EQ(arena.AllocateResizable(100, 1, &resizable).code, StatusCode::kArenaTemporariesLive);
  EXPECT_EQ(resizable, nullptr);
  ASSERT_TRUE(arena.ResetTemporaries().ok());
  EXPECT_TRUE(arena.AllocateResizable(100, 1, &block).ok()) << "the failed attempt took nothing";
}

TEST_F(NonPersistent, HasOneResizableUntilItIsDeallocated) {
  std::byte* second = nullptr;
  ASSERT_TRUE(arena.AllocateResizable(100, 1, &block).ok());
  EXPECT_EQ(arena.AllocateResizable(100, 1, &second).code, StatusCode::kArenaResizableTaken);
  EXPECT_EQ(second, nullptr);
  EXPECT_TRUE(arena.ReserveOverlay(50, 1).ok()) << "the overlay neither needs nor touches the flag";
  EXPECT_EQ(arena.AllocateResizable(100, 1, &second).code, StatusCode::kArenaResizableTaken);
  ASSERT_TRUE(arena.DeallocateResizable(block).ok());
  EXPECT_TRUE(arena.AllocateResizable(100, 1, &second).ok());
  EXPECT_EQ(second, block);
}

TEST_F(NonPersistent, NamesAWrongAddressBeforeLiveTemporaries) {
  ASSERT_TRUE(arena.AllocateTemporary(8, 1, &block).ok());
  EXPECT_EQ(arena.ResizeHead(buffer.data() + 1, 4, 1).code, StatusCode::kArenaNotTheHeadBlock);
  EXPECT_EQ(arena.ResizeHead(buffer.data(), 4, 1).code, StatusCode::kArenaTemporariesLive);
}

TEST_F(NonPersistent, RefusesATemporaryLargerThanItself) {
  EXPECT_EQ(arena.AllocateTemporary(1025, 1, &block).code, StatusCode::kArenaTemporaryDoesNotFit);
  EXPECT_EQ(block, nullptr);
}

TEST_F(NonPersistent, CountsHeadAndTemporaries) {
  ASSERT_TRUE(arena.AllocateResizable(100, 1, &block).ok());
  EXPECT_EQ(block, buffer.data());
  ASSERT_TRUE(arena.AllocateTemporary(924, 1, &block).ok());
  EXPECT_EQ(block, buffer.data() + 100);
  EXPECT_EQ(arena.UsedBytes(), 1024u);
  EXPECT_EQ(arena.AvailableBytes(1), 0u);
}

TEST_F(NonPersistent, OffersNoTail) {
  const auto before = arena.state();
  EXPECT_EQ(arena.AllocatePersistent(1, 1, &block).code, StatusCode::kArenaNotOffered);
  EXPECT_EQ(arena.MarkTail(&block).code, StatusCode::kArenaNotOffered);
  EXPECT_EQ(arena.PersistentUsedBytes(), 0u);
  EXPECT_EQ(arena.state(), before);
}

TEST_F(Persistent, CountsWhatItHandsOut) {
  ASSERT_TRUE(arena.AllocatePersistent(10, 1, &block).ok());
  EXPECT_EQ(arena.PersistentUsedBytes(), 10u);
  ASSERT_TRUE(arena.AllocatePersistent(15, 1, &block).ok());
  EXPECT_EQ(arena.PersistentUsedBytes(), 25u);
  EXPECT_EQ(block, buffer.data() + 1024 - 25);
}

TEST_F(Persistent, CanBeFilledExactly) {
  ASSERT_TRUE(arena.AllocatePersistent(10, 1, &block).ok());
  ASSERT_TRUE(arena.AllocatePersistent(1014, 1, &block).ok());
  EXPECT_EQ(arena.UsedBytes(), 1024u);
  EXPECT_EQ(arena.AllocatePersistent(1, 1, &block).code, StatusCode::kArenaPersistentDoesNotFit);
}

TEST_F(Persistent, OffersNeitherHeadNorTemporaries) {
  const auto before = arena.state();
  EXPECT_EQ(arena.AllocateResizable(0, 1, &block).code, StatusCode::kArenaNotOffered);
  EXPECT_EQ(arena.ReserveOverlay(0, 1).code, StatusCode::kArenaNotOffered);
  EXPECT_EQ(arena.AllocateTemporary(0, 1, &block).code, StatusCode::kArenaNotOffered);
  EXPECT_EQ(arena.ResetTemporaries().code, StatusCode::kArenaNotOffered);
  EXPECT_EQ(arena.NonPersistentUsedBytes(), 0u);
  EXPECT_EQ(arena.state(), before);
}

TEST(TailMark, TakesBackTheAttemptAndNothingElse) {
  ArenaUnderTest<1024> arena;
  std::byte* const kept = arena.Persistent(100, 4);
  std::byte* mark = nullptr;
  ASSERT_TRUE(arena.MarkTail(&mark).ok());
  EXPECT_EQ(arena.MarkTail(&mark).code, StatusCode::kArenaTailMarked);
  arena.Persistent(33, 16);
  std::byte* const temporary = arena.Temporary(8, 8);
  ExpectRefused(arena, StatusCode::kArenaNotTheMark, [&] { return arena.RewindTail(mark + 1); });
  ExpectRefused(arena, StatusCode::kArenaTemporariesLive, [&] { return arena.RewindTail(mark); });
  ASSERT_TRUE(arena.DeallocateTemporary(temporary).ok());
  ASSERT_TRUE(arena.ResetTemporaries().ok());
  ASSERT_TRUE(arena.RewindTail(mark).ok());
  EXPECT_EQ(arena.PersistentUsedBytes(), static_cast<std::size_t>(arena.start() + 1024 - kept));
  ExpectRefused(arena, StatusCode::kArenaNotTheMark, [&] { return arena.RewindTail(mark); });
}

TEST(TailMark, WhatWasKeptCannotBeTakenBack) {
  ArenaUnderTest<256> arena;
  std::byte* mark = nullptr;
  ASSERT_TRUE(arena.MarkTail(&mark).ok());
  arena.Persistent(16, 16);
  ASSERT_TRUE(arena.KeepTail().ok());
  ExpectRefused(arena, StatusCode::kArenaNotTheMark, [&] { return arena.RewindTail(mark); });
  ExpectRefused(arena, StatusCode::kArenaNotTheMark, [&] { return arena.KeepTail(); });
}

struct TwoMemories : ::testing::Test {
  Status Create(std::byte* persistent, std::size_t persistent_bytes, std::byte* other, std::size_t other_bytes) {
    return TensorArena::CreatePair({persistent, persistent_bytes, other, other_bytes}, nullptr, &arena);
  }
  AlignedBuffer<1024> buffer;
  std::byte* const start = buffer.data();
  TensorArena arena;
};

TEST_F(TwoMemories, PutBothObjectsInThePersistentOneWhichEndsAlignedAsTheOtherBeginsAligned) {
  ASSERT_TRUE(Create(start + 3, 500, start + 517, 300).ok());
  ASSERT_TRUE(arena.separate());
  const auto& tail = arena.persistent().state();
  const auto& head = arena.non_persistent().state();
  EXPECT_EQ(tail.begin, reinterpret_cast<std::uintptr_t>(start + 3));
  EXPECT_EQ(tail.end, reinterpret_cast<std::uintptr_t>(start + 496));
  EXPECT_EQ(head.begin, reinterpret_cast<std::uintptr_t>(start + 528));
  EXPECT_EQ(head.end, reinterpret_cast<std::uintptr_t>(start + 817));
  EXPECT_EQ(reinterpret_cast<const std::byte*>(&arena.persistent()), start + 496 - sizeof(PersistentArena));
  EXPECT_EQ(reinterpret_cast<const std::byte*>(&arena.non_persistent()),
            start + 496 - sizeof(PersistentArena) - sizeof(NonPersistentArena));
  EXPECT_EQ(arena.PersistentUsedBytes(), sizeof(PersistentArena) + sizeof(NonPersistentArena));
  EXPECT_EQ(arena.NonPersistentUsedBytes(), 0u);
}

TEST_F(TwoMemories, KeepTheirBlocksApart) {
  ASSERT_TRUE(Create(start, 512, start + 512, 512).ok());
  std::byte* block = nullptr;
  while (arena.AllocatePersistent(16, 16, &block).ok()) EXPECT_LT(block, start + 512);
  while (arena.AllocateTemporary(16, 16, &block).ok()) EXPECT_GE(block, start + 512);
  EXPECT_EQ(arena.NonPersistentUsedBytes(), 512u);
}

TEST_F(TwoMemories, AreRefusedWhenNullOrOverlappingOrTheSame) {
  EXPECT_EQ(Create(nullptr, 512, start, 512).code, StatusCode::kArenaNullBuffer);
  EXPECT_EQ(Create(start, 512, nullptr, 512).code, StatusCode::kArenaNullBuffer);
  for (const auto& [persistent, other] : {std::pair{0, 511}, {511, 0}, {0, 0}, {100, 200}}) {
    EXPECT_EQ(Create(start + persistent, 512, start + other, 512).code, StatusCode::kArenaBuffersOverlap);
  }
  EXPECT_EQ(Create(start, 512, start, 0).code, StatusCode::kArenaBuffersOverlap);
  EXPECT_TRUE(Create(start, 512, start + 512, 512).ok());
  EXPECT_TRUE(Create(start + 512, 512, start, 512).ok());
  EXPECT_EQ(Create(start, ~std::size_t{0}, start + 512, 512).code, StatusCode::kSizeOverflow);
}

TEST_F(TwoMemories, AreRefusedAtEverySizeThatDoesNotHoldTheObjects) {
  // The persistent arena ends on a multiple of 16.
  const std::size_t objects = (sizeof(PersistentArena) + sizeof(NonPersistentArena) + 15) / 16 * 16;
  for (std::size_t bytes = 0; bytes < objects; ++bytes) {
    EXPECT_EQ(Create(start, bytes, start + 512, 512).code, StatusCode::kArenaBufferTooSmall) << bytes;
  }
  EXPECT_TRUE(Create(start, objects, start + 512, 512).ok());
  EXPECT_EQ(Create(start, 512, start + 513, 14).code, StatusCode::kArenaBufferTooSmall);
  EXPECT_TRUE(Create(start, 512, start + 513, 15).ok());
}

TEST_F(TwoMemories, DoNotTakeATailBackUnderTemporariesOfTheOther) {
  ASSERT_TRUE(Create(start, 512, start + 512, 512).ok());
  std::byte* mark = nullptr;
  std::byte* block = nullptr;
  ASSERT_TRUE(arena.MarkTail(&mark).ok());
  ASSERT_TRUE(arena.AllocatePersistent(16, 16, &block).ok());
  ASSERT_TRUE(arena.AllocateTemporary(16, 16, &block).ok());
  const auto before = arena.state();
  EXPECT_EQ(arena.RewindTail(mark).code, StatusCode::kArenaTemporariesLive);
  EXPECT_EQ(arena.state(), before);
  ASSERT_TRUE(arena.DeallocateTemporary(block).ok());
  ASSERT_TRUE(arena.ResetTemporaries().ok());
  EXPECT_TRUE(arena.RewindTail(mark).ok());
}

}  // namespace
}  // namespace arenaproof
