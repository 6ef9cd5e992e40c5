// Interpreters whose tail and whose head and temporaries lie in two memories.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/arena/tensor_arena.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

SmallSubgraph Graph() {
  SmallSubgraph graph = Chain(4, 100);
  graph.tensors.push_back({.shape = {30}, .variable = true});
  graph.operators[1].inputs.push_back(5);
  return graph;
}

// Where events took place: an event outside of the arena that has that section is counted.
class PlaceLog : public EventLog {
 public:
  void OnAttach(const AttachedArena& arena, MemoryRegion model) override {
    attached = arena;
    EventLog::OnAttach(arena, model);
  }
  void OnHeadResized(MemoryRegion head) override { Count(attached.arena, head, heads); }
  void OnTemporaryAllocated(MemoryRegion block) override { Count(attached.arena, block, temporaries); }
  void OnTailAllocated(MemoryRegion block) override { Count(attached.persistent, block, tails); }

  AttachedArena attached;
  int heads = 0, temporaries = 0, tails = 0, misplaced = 0;

 private:
  void Count(MemoryRegion arena, MemoryRegion block, int& count) {
    ++count;
    if (block.data < arena.data || block.data + block.bytes > arena.data + arena.bytes) ++misplaced;
  }
};

TEST(TwoArenas, AModelRunsAtTheSameOffsetsAsInOne) {
  const MockScope mock;
  BehaveLikeARichKernel();
  const SmallModel model(Graph());
  const TestArena single(16384);
  const TestArena persistent(4096, 3);
  const TestArena fast(8192, 5);
  const auto alone = MakeInterpreter(model, single);
  Interpreter pair(model.view(), MockKernels(), ArenaBuffers{persistent.start(), 4096, fast.start(), 8192});
  ASSERT_TRUE(alone->AllocateTensors().ok());
  ASSERT_TRUE(pair.AllocateTensors().ok());
  EXPECT_EQ(pair.head_bytes(), alone->head_bytes());
  for (std::int32_t tensor = 0; tensor < 5; ++tensor) {
    std::size_t one = 0;
    std::size_t other = 0;
    ASSERT_TRUE(alone->TensorOffset(tensor, &one).ok());
    ASSERT_TRUE(pair.TensorOffset(tensor, &other).ok());
    EXPECT_EQ(one, other) << tensor;
    std::span<std::byte> bytes;
    ASSERT_TRUE(pair.TensorBytes(tensor, &bytes).ok());
    EXPECT_GE(bytes.data(), fast.start());
    EXPECT_LE(bytes.data() + bytes.size(), fast.start() + 8192);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 16, 0u);
  }
  std::span<std::byte> variable;
  ASSERT_TRUE(pair.TensorBytes(5, &variable).ok());
  EXPECT_GE(variable.data(), persistent.start());
  EXPECT_LE(variable.data() + 30, persistent.start() + 4096);
  std::memset(pair.inputs()[0].data, 9, 100);
  ASSERT_TRUE(pair.Invoke().ok());
  EXPECT_TRUE(std::all_of(pair.outputs()[0].data, pair.outputs()[0].data + 100,
                          [](std::byte byte) { return byte == std::byte{9}; }));
}

TEST(TwoArenas, EventsSayWhichMemoryABlockLiesIn) {
  const MockScope mock;
  BehaveLikeARichKernel();
  const SmallModel model(Graph());
  const TestArena persistent(4096);
  const TestArena fast(8192);
  PlaceLog log;
  Interpreter pair(model.view(), MockKernels(), ArenaBuffers{persistent.start(), 4096, fast.start(), 8192},
                   {.observer = &log});
  EXPECT_EQ(log.attached.arena.data, fast.start());
  EXPECT_EQ(log.attached.persistent.data, persistent.start());
  EXPECT_EQ(log.attached.persistent.bytes, 4096u);
  ASSERT_TRUE(pair.AllocateTensors().ok());
  EXPECT_GT(log.heads, 0);
  EXPECT_GT(log.temporaries, 0);
  EXPECT_GT(log.tails, 4);
  EXPECT_EQ(log.misplaced, 0);
}

// The arena of `fixed` role has plenty; the other one gets every size.
void SweepOneOfTwoArenas(bool persistent_varies) {
  const MockScope mock;
  BehaveLikeARichKernel();
  const SmallModel model(Graph());
  const TestArena persistent(8192, 1);
  const TestArena fast(8192, 9);
  std::size_t need_bytes = 0;
  for (std::size_t bytes = 0; need_bytes == 0 || bytes <= need_bytes + 40; ++bytes) {
    ASSERT_LT(bytes, 8192u);
    std::fill_n(persistent.start(), 8192, std::byte{0x5A});
    std::fill_n(fast.start(), 8192, std::byte{0x5A});
    const std::size_t persistent_bytes = persistent_varies ? bytes : 8192;
    const std::size_t fast_bytes = persistent_varies ? 8192 : bytes;
    Interpreter pair(model.view(), MockKernels(),
                     ArenaBuffers{persistent.start(), persistent_bytes, fast.start(), fast_bytes});
    const Status status = pair.AllocateTensors();
    if (status.ok() && need_bytes == 0) need_bytes = bytes;
    EXPECT_EQ(status.ok(), need_bytes != 0) << bytes;
    EXPECT_EQ(pair.lost_tail_bytes(), 0u);
    if (status.ok()) EXPECT_TRUE(pair.Invoke().ok());
    const auto untouched = [](const std::byte* from, const std::byte* to) {
      return std::all_of(from, to, [](std::byte byte) { return byte == std::byte{0x5A}; });
    };
    ASSERT_TRUE(untouched(persistent.start() + persistent_bytes, persistent.start() + 8192)) << bytes;
    ASSERT_TRUE(untouched(fast.start() + fast_bytes, fast.start() + 8192)) << bytes;
  }
}

TEST(TwoArenas, EveryPersistentSizeFailsCleanlyOrWorks) { SweepOneOfTwoArenas(true); }
TEST(TwoArenas, EveryNonPersistentSizeFailsCleanlyOrWorks) { SweepOneOfTwoArenas(false); }

TEST(TwoArenas, AreRefusedWhenTheyOverlap) {
  const MockScope mock;
  const SmallModel model(Graph());
  const TestArena memory(4096);
  Interpreter pair(model.view(), MockKernels(), ArenaBuffers{memory.start(), 3000, memory.start() + 2999, 1000});
  EXPECT_EQ(pair.AllocateTensors().code, StatusCode::kArenaBuffersOverlap);
  EXPECT_EQ(pair.allocator(), nullptr);
}

TEST(TwoArenas, ServeTwoModelsWithAtMostTwiceTheBytesOfOne) {
  const MockScope mock;
  BehaveLikeARichKernel();
  const SmallModel model(Graph());
  const TestArena persistent(8192);
  const TestArena fast(8192);
  ModelAllocator* allocator = nullptr;
  ASSERT_TRUE(ModelAllocator::Create({persistent.start(), 8192, fast.start(), 8192}, {}, &allocator).ok());
  Interpreter first(model.view(), MockKernels(), *allocator);
  Interpreter second(model.view(), MockKernels(), *allocator);
  ASSERT_TRUE(first.AllocateTensors().ok());
  const std::size_t once = allocator->arena().UsedBytes();
  ASSERT_TRUE(second.AllocateTensors().ok());
  EXPECT_LE(allocator->arena().UsedBytes(), 2 * once);
  EXPECT_TRUE(first.Invoke().ok());
  EXPECT_TRUE(second.Invoke().ok());
}

}  // namespace
}  // namespace arenaproof::testing
