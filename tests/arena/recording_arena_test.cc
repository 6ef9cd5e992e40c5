// The reference's unit tests of its recording single-arena allocator, restated, and the pair.
#include "core/arena/recording_arena.h"

#include <gtest/gtest.h>

#include "core/arena/tensor_arena.h"
#include "tests/arena/arena_support.h"

namespace arenaproof {
namespace {

struct RecordedArena : ::testing::Test {
  void SetUp() override { ASSERT_TRUE(arena.Init(buffer.data(), 1024).ok()); }
  AlignedBuffer<1024> buffer;
  RecordingSingleArena arena;
  std::byte* block = nullptr;
};

TEST_F(RecordedArena, AddsUpTheTail) {
  ASSERT_TRUE(arena.AllocatePersistent(10, 1, &block).ok());
  EXPECT_EQ(arena.recorded(), (ArenaCounters{0, 10, 10, 1}));
  ASSERT_TRUE(arena.AllocatePersistent(20, 1, &block).ok());
  EXPECT_EQ(arena.recorded(), (ArenaCounters{0, 30, 30, 2}));
}

TEST_F(RecordedArena, CountsThePaddingOfAMisalignedTailAsUsed) {
  ASSERT_TRUE(arena.AllocatePersistent(10, 12, &block).ok());
  EXPECT_EQ(arena.recorded().requested_tail_bytes, 10u);
  EXPECT_GE(arena.recorded().used_bytes, 10u);
  EXPECT_LE(arena.recorded().used_bytes, 21u);
  EXPECT_EQ(arena.recorded().used_bytes, arena.PersistentUsedBytes());
}

TEST_F(RecordedArena, CountsNothingOfARefusal) {
  EXPECT_FALSE(arena.AllocatePersistent(2048, 1, &block).ok());
  EXPECT_EQ(block, nullptr);
  EXPECT_FALSE(arena.ReserveOverlay(2048, 1).ok());
  EXPECT_EQ(arena.recorded(), ArenaCounters());
}

TEST_F(RecordedArena, SetsTheHeadAndNeverCountsIt) {
  ASSERT_TRUE(arena.AllocateResizable(0, 12, &block).ok());
  ASSERT_TRUE(arena.ResizeHead(block, 10, 12).ok());
  EXPECT_GE(arena.recorded().used_bytes, 10u);
  EXPECT_LE(arena.recorded().used_bytes, 20u);
  EXPECT_EQ(arena.recorded().requested_bytes(), 10u);
  EXPECT_EQ(arena.recorded().allocation_count, 0u);
  ASSERT_TRUE(arena.ResizeHead(block, 5, 12).ok());
  EXPECT_EQ(arena.recorded().requested_head_bytes, 5u);
}

TEST_F(RecordedArena, IgnoresTemporariesAndHidesTheLiveFigure) {
  ASSERT_TRUE(arena.AllocateTemporary(100, 1, &block).ok());
  EXPECT_EQ(arena.UsedBytes(), 0u);
  EXPECT_EQ(arena.Arena::UsedBytes(), 100u);
}

TEST(RecordingArena, CountsItself) {
  AlignedBuffer<512> buffer;
  RecordingSingleArena* arena = nullptr;
  ASSERT_TRUE(CreateRecordingArena(buffer.data() + 1, 500, nullptr, &arena).ok());
  EXPECT_EQ(arena->recorded().allocation_count, 1u);
  EXPECT_EQ(arena->recorded().requested_bytes(), sizeof(RecordingSingleArena));
  EXPECT_EQ(arena->recorded().used_bytes, arena->PersistentUsedBytes());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena->OverlayAddress()) % 16, 0u)
      << "the reference's factory for recorded arenas forgets to align";
}

TEST(RecordingArena, OfAPairHasOneSetOfCounters) {
  AlignedBuffer<1024> buffer;
  TensorArena arena;
  ASSERT_TRUE(
      TensorArena::CreatePair({buffer.data(), 512, buffer.data() + 512, 512}, nullptr, &arena, /*recorded=*/true).ok());
  const ArenaCounters& counters = *arena.counters();
  const std::size_t objects = sizeof(RecordingPersistentArena) + sizeof(NonPersistentArena);
  EXPECT_EQ(counters, (ArenaCounters{0, objects, objects, 2}));
  std::byte* block = nullptr;
  ASSERT_TRUE(arena.AllocatePersistent(8, 8, &block).ok());
  ASSERT_TRUE(arena.ReserveOverlay(100, 16).ok());
  EXPECT_EQ(counters, (ArenaCounters{100, objects + 8, objects + 108, 3}));
  EXPECT_EQ(counters.used_bytes, arena.UsedBytes());
}

TEST(RecordingArena, IsAbsentUnlessAskedFor) {
  AlignedBuffer<1024> buffer;
  TensorArena arena;
  ASSERT_TRUE(TensorArena::CreateSingle(buffer.data(), 1024, nullptr, &arena).ok());
  EXPECT_EQ(arena.counters(), nullptr);
}

}  // namespace
}  // namespace arenaproof
