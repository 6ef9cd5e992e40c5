// The memory that the engines give an arena is shown each wrong use that it has to find.
#include "engine/harness/host_planner/tracked_memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMost = 1 << 16, kAlignment = 64;
constexpr int kSubgraph = 3;

struct Given {
  explicit Given(MemoryForm form = MemoryForm::kWithReallocate, bool grows_in_place = false)
      : memory(form, kMost, kAlignment, kSubgraph, grows_in_place), functions(memory.Functions()) {}
  void* Take(std::size_t bytes) { return functions.allocate(functions.context, bytes, kAlignment); }
  void* Grow(void* block, std::size_t old_bytes, std::size_t new_bytes) {
    return functions.reallocate(functions.context, block, old_bytes, new_bytes, kAlignment);
  }
  void Return(void* block, std::size_t bytes, std::size_t alignment = kAlignment) {
    functions.deallocate(functions.context, block, bytes, alignment);
  }

  TrackedMemory memory;
  AlignedMemory functions;
};

TEST(TrackedMemory, SeesBlocksThatAreGivenBackWrongly) {
  Given right;
  right.Return(right.Take(100), 100);
  EXPECT_EQ(right.memory.fault(), "");
  EXPECT_TRUE(right.memory.HasArenas(0));
  Given size;
  size.Return(size.Take(100), 200);
  EXPECT_EQ(size.memory.fault(), "a block of 100 bytes at alignment 64 is given back as one of 200 at 64");
  Given alignment;
  alignment.Return(alignment.Take(100), 100, 16);
  EXPECT_EQ(alignment.memory.fault(), "a block of 100 bytes at alignment 64 is given back as one of 100 at 16");
  Given twice;
  void* const block = twice.Take(100);
  twice.Return(block, 100);
  twice.Return(block, 100);
  EXPECT_EQ(twice.memory.fault(), "memory is given back that is no block");
}

TEST(TrackedMemory, SeesBlocksThatGrowWrongly) {
  Given right;
  right.Return(right.Grow(right.Take(100), 100, 300), 300);
  EXPECT_EQ(right.memory.fault(), "");
  Given size;
  (void)size.Grow(size.Take(100), 300, 400);
  EXPECT_EQ(size.memory.fault(), "a block of 100 bytes at alignment 64 is grown as one of 300 at 64");
  Given smaller;
  (void)smaller.Grow(smaller.Take(100), 100, 50);
  EXPECT_EQ(smaller.memory.fault(), "a block is to grow to fewer bytes");
  EXPECT_EQ(Given(MemoryForm::kWithoutReallocate).functions.reallocate, nullptr);
  EXPECT_FALSE(Given(MemoryForm::kHeap).functions.given());
}

TEST(TrackedMemory, GrowsInPlaceAsFarAsThereIsRoom) {
  Given given(MemoryForm::kWithReallocate, true);
  void* const block = given.Take(100);
  ASSERT_EQ(given.memory.room_of()(100), 256u);
  EXPECT_EQ(given.Grow(block, 100, 256), block);
  EXPECT_NE(given.Grow(block, 256, 257), block);
  EXPECT_EQ(given.memory.fault(), "");
}

TEST(TrackedMemory, RefusesWhenItIsToldTo) {
  Given given;
  given.memory.growths_left = 1;
  void* const block = given.Take(100);
  EXPECT_NE(block, nullptr);
  EXPECT_EQ(given.Grow(block, 100, 200), nullptr);
  given.memory.growths_left = 1;
  EXPECT_EQ(given.Take(kMost + 1), nullptr);
  EXPECT_EQ(given.memory.fault(), "");
}

TEST(TrackedMemory, KnowsArenasByBlockAndByWhatIsTold) {
  Given given;
  ArenaMemoryListener& listener = given.memory;
  const auto* const arena = static_cast<std::byte*>(given.Take(100));
  EXPECT_FALSE(given.memory.IsArena(arena, 100)) << "nobody has told the listener";
  listener.OnArenaMemory(kSubgraph, &given, 100);
  EXPECT_TRUE(given.memory.IsArena(arena, 100));
  EXPECT_FALSE(given.memory.IsArena(arena, 101));
  EXPECT_FALSE(given.memory.IsArena(arena + 1, 100));
  EXPECT_FALSE(given.memory.IsArena(nullptr, 100));
  EXPECT_TRUE(given.memory.IsArena(nullptr, 0));
  EXPECT_TRUE(given.memory.HasArenas(1));
  EXPECT_FALSE(given.memory.HasArenas(0));
  listener.OnArenaMemoryReturned(kSubgraph, &given, 90);
  EXPECT_EQ(given.memory.fault(), "the listener is told that 90 bytes come back that were never taken");
  Given other;
  static_cast<ArenaMemoryListener&>(other.memory).OnArenaMemory(kSubgraph + 1, &other, 100);
  EXPECT_EQ(other.memory.fault(), "the listener is told of subgraph 4");
}

TEST(ArenaContents, SeesBytesThatChange) {
  std::vector<std::byte> arena(600);
  ArenaContents contents;
  EXPECT_TRUE(contents.Kept(nullptr, 0)) << "nothing has been written";
  contents.Write(arena.data(), 500);
  EXPECT_TRUE(contents.Kept(arena.data(), 600));
  EXPECT_FALSE(contents.Kept(arena.data(), 400));
  EXPECT_FALSE(contents.Kept(nullptr, 600));
  arena[499] ^= std::byte{1};
  EXPECT_FALSE(contents.Kept(arena.data(), 600));
  contents.Forget();
  EXPECT_TRUE(contents.Kept(nullptr, 0));
}

}  // namespace
}  // namespace arenaproof::testing
