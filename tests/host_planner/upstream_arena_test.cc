// The reference's own tests of its resizable buffer and of its simple memory arena, re-created.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/planner/host/simple_arena.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

class SimpleArenaUpstream : public ::testing::Test {
 protected:
  Allocation Place(std::size_t bytes, std::int32_t tensor, std::int32_t first, std::int32_t last) {
    Allocation record;
    EXPECT_TRUE(arena.Allocate(32, bytes, tensor, first, last, &record).ok());
    return record;
  }
  std::byte* Resolved(const Allocation& record) {
    std::byte* address = nullptr;
    EXPECT_TRUE(arena.Resolve(record, &address).ok());
    return address;
  }
  bool Commit() {
    bool moved = false;
    EXPECT_TRUE(arena.Commit(&moved).ok());
    return moved;
  }
  std::vector<std::size_t> Trio(std::size_t bytes) {
    std::vector<std::size_t> offsets;
    offsets.push_back(Place(bytes, 0, 0, 2).offset);
    offsets.push_back(Place(bytes, 1, 1, 2).offset);
    offsets.push_back(Place(bytes, 2, 1, 2).offset);
    return offsets;
  }

  SimpleArena arena{64};
};

TEST_F(SimpleArenaUpstream, BasicArenaOperations) {
  EXPECT_EQ(Place(2047, 0, 1, 3).offset, 0u);
  EXPECT_EQ(Place(2047, 1, 2, 5).offset, 2048u);
  EXPECT_EQ(Place(2047, 2, 3, 6).offset, 4096u);
  EXPECT_EQ(Place(2047, 3, 5, 6).offset, 0u);
  EXPECT_EQ(Place(1023, 4, 4, 6).offset, 6144u);
  EXPECT_EQ(Place(1023, 5, 6, 6).offset, 2048u);
}

// An application's memory that writes down what it is asked for.
struct RecordedMemory {
  int allocations = 0;
  int reallocations = 0;
  int deallocations = 0;
  std::vector<std::size_t> arguments;
  void* last_block = nullptr;

  AlignedMemory Functions() {
    return {this,
            [](void* context, std::size_t bytes, std::size_t alignment) {
              auto& self = *static_cast<RecordedMemory*>(context);
              ++self.allocations;
              self.arguments.insert(self.arguments.end(), {bytes, alignment});
              return self.last_block = std::aligned_alloc(alignment, bytes);
            },
            [](void* context, void* block, std::size_t old_bytes, std::size_t new_bytes, std::size_t alignment) {
              auto& self = *static_cast<RecordedMemory*>(context);
              ++self.reallocations;
              EXPECT_EQ(block, self.last_block);
              self.arguments.insert(self.arguments.end(), {old_bytes, new_bytes, alignment});
              void* const fresh = std::aligned_alloc(alignment, new_bytes);
              std::copy_n(static_cast<std::byte*>(block), old_bytes, static_cast<std::byte*>(fresh));
              std::free(block);
              return self.last_block = fresh;
            },
            [](void* context, void* block, std::size_t bytes, std::size_t alignment) {
              auto& self = *static_cast<RecordedMemory*>(context);
              ++self.deallocations;
              EXPECT_EQ(block, self.last_block);
              self.arguments.insert(self.arguments.end(), {bytes, alignment});
              std::free(block);
            }};
  }
};

TEST(ResizableBufferUpstream, CustomReallocate) {
  RecordedMemory memory;
  {
    ResizableBuffer buffer(64, 0, memory.Functions());
    bool moved = false;
    ASSERT_TRUE(buffer.Resize(128, &moved).ok());
    EXPECT_TRUE(moved);
    EXPECT_EQ(memory.allocations, 1);
    EXPECT_EQ(memory.reallocations, 0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
    std::fill_n(buffer.data(), 128, std::byte{0x5A});
    const std::byte* const old = buffer.data();
    ASSERT_TRUE(buffer.Resize(256, &moved).ok());
    EXPECT_TRUE(moved);
    EXPECT_NE(buffer.data(), old);
    EXPECT_EQ(buffer.bytes(), 256u);
    EXPECT_EQ(memory.allocations, 1);
    EXPECT_EQ(memory.reallocations, 1);
    EXPECT_TRUE(std::all_of(buffer.data(), buffer.data() + 128, [](std::byte b) { return b == std::byte{0x5A}; }));
  }
  EXPECT_EQ(memory.deallocations, 1);
  EXPECT_THAT(memory.arguments, ElementsAre(128, 64, 128, 256, 64, 256, 64));
}

TEST_F(SimpleArenaUpstream, ZeroBytes) {
  const Allocation record = Place(0, 0, 1, 2);
  EXPECT_EQ(record.offset, 0u);
  EXPECT_EQ(record.size, 0u);
  EXPECT_FALSE(Commit());
  EXPECT_EQ(Resolved(record), nullptr);
}

TEST_F(SimpleArenaUpstream, ClearPlanKeepsMemory) {
  EXPECT_THAT(Trio(2047), ElementsAre(0, 2048, 4096));
  EXPECT_TRUE(Commit());
  arena.ClearPlan();
  EXPECT_THAT(Trio(1023), ElementsAre(0, 1024, 2048));
  EXPECT_FALSE(Commit());
  arena.ClearPlan();
  EXPECT_THAT(Trio(4095), ElementsAre(0, 4096, 8192));
  EXPECT_TRUE(Commit());
}

TEST_F(SimpleArenaUpstream, ResetAllocationsKeepsPlaces) {
  std::vector<Allocation> records = {Place(2047, 0, 0, 2), Place(2047, 1, 1, 2), Place(2047, 2, 2, 3)};
  EXPECT_TRUE(Commit());
  const auto distances = [&] {
    std::vector<std::ptrdiff_t> found;
    for (const Allocation& record : records) found.push_back(Resolved(record) - Resolved(records[0]));
    return found;
  };
  EXPECT_THAT(distances(), ElementsAre(0, 2048, 4096));
  records.push_back(Place(13, 0, 0, 3));
  EXPECT_TRUE(Commit());
  EXPECT_THAT(distances(), ElementsAre(0, 2048, 4096, 6144));
  arena.ResetAllocations();
  const Allocation fresh = Place(13, 0, 0, 2);
  EXPECT_EQ(fresh.offset, 0u);
  Commit();
  EXPECT_EQ(Resolved(fresh), arena.base());
}

TEST_F(SimpleArenaUpstream, FailedCommit) {
  const Allocation record = Place(SIZE_MAX, 0, 0, 0);
  bool moved = true;
  EXPECT_FALSE(arena.Commit(&moved).ok());
  EXPECT_FALSE(moved);
  std::byte* address = nullptr;
  EXPECT_FALSE(arena.Resolve(record, &address).ok());
}

}  // namespace
}  // namespace arenaproof::testing
