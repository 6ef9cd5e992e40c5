// Several interpreters on one allocator: tails accumulate and stay as they are, the head is as large as the largest
// plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/arena/recording_arena.h"
#include "core/planner/greedy_planner.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/storage/resource_variables.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

// A chain of operators that each add one, with a variable that counts invokes.
SmallSubgraph Counter(int length, std::int32_t bytes) {
  SmallSubgraph graph = Chain(length, bytes);
  graph.tensors.push_back({.shape = {4}, .type = TensorType::kUInt8, .variable = true});
  graph.operators[0].inputs.push_back(length + 1);
  return graph;
}

void BehaveLikeCounters() {
  Mock().init = [](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(24, &block));
    std::memset(block, 0x3C, 24);
    context.op_data = block;
    return Ok();
  };
  Mock().prepare = [](PrepareContext& context) { return context.services->RequestScratch(40); };
  Mock().invoke = [](const InvokeContext& context) -> Status {
    if (context.inputs.size() > 1) context.inputs[1].data[0] = std::byte(int(context.inputs[1].data[0]) + 1);
    for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
      context.outputs[0].data[i] = std::byte((int(context.inputs[0].data[i]) + 1) & 0xff);
    }
    return Ok();
  };
}

class SharedAllocator : public ::testing::Test {
 protected:
  void SetUp() override {
    BehaveLikeCounters();
    ASSERT_TRUE(ModelAllocator::Create(arena_.start(), arena_.bytes(), {}, &allocator_).ok());
  }
  std::unique_ptr<Interpreter> Share(const SmallModel& model) {
    return std::make_unique<Interpreter>(model.view(), MockKernels(), *allocator_);
  }
  // Every byte of the input is 7: the output's are 7 plus the number of operators.
  static void ExpectRuns(Interpreter& interpreter, int length) {
    std::memset(interpreter.inputs()[0].data, 7, interpreter.inputs()[0].bytes);
    ASSERT_TRUE(interpreter.Invoke().ok());
    const Operand& output = interpreter.outputs()[0];
    EXPECT_TRUE(std::all_of(output.data, output.data + output.bytes,
                            [&](std::byte byte) { return byte == std::byte(7 + length); }));
  }
  std::vector<std::byte> TailBetween(std::size_t used_low, std::size_t used_high) const {
    const std::byte* const end = arena_.start() + arena_.bytes();
    return {end - used_high, end - used_low};
  }
  std::size_t tail_bytes() const { return allocator_->arena().PersistentUsedBytes(); }
  std::size_t head_bytes() const { return allocator_->arena().NonPersistentUsedBytes(); }

  const MockScope mock_;
  const TestArena arena_{16384};
  ModelAllocator* allocator_ = nullptr;
};

TEST_F(SharedAllocator, L12AllocatingTheSecondModelNeverChangesTheFirstOnesTail) {
  const SmallModel small(Counter(3, 64));
  const SmallModel large(Counter(5, 300));
  const auto first = Share(small);
  const std::size_t fixed_bytes = tail_bytes();
  ASSERT_TRUE(first->AllocateTensors().ok());
  const std::size_t first_bytes = tail_bytes();
  const std::size_t small_head = head_bytes();
  ExpectRuns(*first, 3);
  const std::vector<std::byte> tail = TailBetween(fixed_bytes, first_bytes);

  const auto second = Share(large);
  ASSERT_TRUE(second->AllocateTensors().ok());
  EXPECT_EQ(TailBetween(fixed_bytes, first_bytes), tail);
  EXPECT_GT(head_bytes(), small_head);
  ExpectRuns(*second, 5);
  EXPECT_EQ(TailBetween(fixed_bytes, first_bytes), tail);
  ExpectRuns(*first, 3);
  ExpectRuns(*second, 5);
  std::span<std::byte> count;
  ASSERT_TRUE(first->TensorBytes(4, &count).ok());
  EXPECT_EQ(count[0], std::byte{2}) << "the first model's variable lives through the second one's set-up and invokes";
}

TEST_F(SharedAllocator, TheHeadIsTheLargestWhicheverModelComesFirst) {
  const SmallModel large(Counter(5, 300));
  const SmallModel small(Counter(3, 64));
  const auto first = Share(large);
  ASSERT_TRUE(first->AllocateTensors().ok());
  const std::size_t large_head = head_bytes();
  const auto second = Share(small);
  ASSERT_TRUE(second->AllocateTensors().ok());
  EXPECT_EQ(head_bytes(), large_head);
  ExpectRuns(*second, 3);
  ExpectRuns(*first, 5);
}

TEST_F(SharedAllocator, TwoEqualModelsUseAtMostTwiceOne) {
  const SmallModel model(Counter(4, 100));
  const auto first = Share(model);
  ASSERT_TRUE(first->AllocateTensors().ok());
  const std::size_t once = allocator_->arena().UsedBytes();
  const auto second = Share(model);
  ASSERT_TRUE(second->AllocateTensors().ok());
  EXPECT_LE(allocator_->arena().UsedBytes(), 2 * once);
}

TEST_F(SharedAllocator, AThirdModelFindsEverythingThatAFailedSecondTook) {
  const SmallModel model(Counter(4, 100));
  const auto first = Share(model);
  ASSERT_TRUE(first->AllocateTensors().ok());
  const std::size_t tail_before = tail_bytes();
  const std::size_t head_before = head_bytes();

  const auto second = Share(model);
  int prepared = 0;
  Mock().prepare = [&](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(500, &block));
    for (int i = 0; i < 20; ++i) ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(16));
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(64, 16, &block));
    return ++prepared == 3 ? Failure(StatusCode::kKernelRank, 1, 2, 3, 4) : context.services->FreeTemporary(block);
  };
  EXPECT_EQ(second->AllocateTensors().code, StatusCode::kKernelRank);
  EXPECT_EQ(prepared, 3);
  EXPECT_EQ(tail_bytes(), tail_before);
  EXPECT_EQ(head_bytes(), head_before) << "the first model's head is back";
  EXPECT_EQ(second->lost_tail_bytes(), 0u);
  ExpectRuns(*first, 4);

  BehaveLikeCounters();
  const auto third = Share(model);
  ASSERT_TRUE(third->AllocateTensors().ok());
  ExpectRuns(*third, 4);
  ExpectRuns(*first, 4);
  ASSERT_TRUE(second->AllocateTensors().ok()) << "and the second one may try again";
  ExpectRuns(*second, 4);
  ExpectRuns(*first, 4);
}

TEST_F(SharedAllocator, NoPersistentBlockComesBelowAnEarlierModelsHead) {
  const SmallModel wide(Counter(2, 3000));
  const SmallModel model(Counter(2, 16));
  const auto first = Share(wide);
  ASSERT_TRUE(first->AllocateTensors().ok());
  const std::size_t floor_bytes = head_bytes();
  const std::size_t tail_before = tail_bytes();
  const std::size_t room_bytes = arena_.bytes() - tail_before - floor_bytes;

  const auto second = Share(model);
  Mock().init = [&](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    EXPECT_GE(arena_.bytes() - tail_bytes(), room_bytes) << "the arena alone would have let it through";
    return context.services->AllocatePersistent(room_bytes, &block);
  };
  EXPECT_EQ(second->AllocateTensors().code, StatusCode::kTailWouldCrossHead);
  EXPECT_EQ(tail_bytes(), tail_before);
  EXPECT_EQ(head_bytes(), floor_bytes);
  BehaveLikeCounters();
  ExpectRuns(*first, 2);
}

TEST_F(SharedAllocator, EverySizeWorksOrIsRefusedAndLeavesTheFirstModelRunning) {
  const SmallModel model(Counter(3, 50));
  const TestArena memory(8192);
  bool both = false;
  for (std::size_t bytes = 0; !both || bytes % 64 != 0; ++bytes) {
    ASSERT_LT(bytes, memory.bytes());
    ModelAllocator* allocator = nullptr;
    if (!ModelAllocator::Create(memory.start(), bytes, {}, &allocator).ok()) continue;
    Interpreter first(model.view(), MockKernels(), *allocator);
    Interpreter second(model.view(), MockKernels(), *allocator);
    if (!first.AllocateTensors().ok()) {
      EXPECT_EQ(first.lost_tail_bytes(), 0u);
      continue;
    }
    both = second.AllocateTensors().ok();
    EXPECT_EQ(first.lost_tail_bytes(), 0u);
    ExpectRuns(first, 3);
    if (both) ExpectRuns(second, 3);
  }
}

TEST_F(SharedAllocator, WhosePlannerSharesBytesRefusesToPreserveAllTensors) {
  const SmallModel model(Counter(3, 64));
  const std::size_t fixed_bytes = tail_bytes();
  Interpreter preserving(model.view(), MockKernels(), *allocator_,
                         {.preserve_all_tensors = true, .resource_variable_count = 2});
  EXPECT_EQ(preserving.AllocateTensors().code, StatusCode::kPlannerSharesBytes);
  EXPECT_EQ(preserving.Invoke().code, StatusCode::kRuntimeState);
  EXPECT_EQ(tail_bytes(), fixed_bytes) << "nothing was taken for it";
  const auto other = Share(model);
  ASSERT_TRUE(other->AllocateTensors().ok());
  ExpectRuns(*other, 3);
}

TEST_F(SharedAllocator, MadeToPreserveAllTensorsDoesSoForEachModel) {
  const TestArena memory(16384);
  ModelAllocator* preserving = nullptr;
  ASSERT_TRUE(ModelAllocator::Create(memory.start(), memory.bytes(), {.preserve_all_tensors = true}, &preserving).ok());
  const SmallModel model(Counter(4, 64));
  Interpreter interpreter(model.view(), MockKernels(), *preserving, {.preserve_all_tensors = true});
  ASSERT_TRUE(interpreter.AllocateTensors().ok());
  ExpectRuns(interpreter, 4);
  for (std::int32_t tensor = 0; tensor <= 4; ++tensor) {
    std::span<std::byte> bytes;
    ASSERT_TRUE(interpreter.TensorBytes(tensor, &bytes).ok());
    EXPECT_EQ(bytes[0], std::byte(7 + tensor)) << "tensor " << tensor;
  }
}

TEST_F(SharedAllocator, AnEmptyTableOfResourcesThatDoesNotFitLeavesTheTailAsItWas) {
  constexpr std::size_t kCount = 4;
  constexpr std::size_t kTableBytes = kCount * sizeof(ResourceVariable);
  const SmallModel model(Counter(1, 16));
  const TestArena memory(4096);
  std::size_t half_fitting = 0, fitting = 0;
  for (std::size_t bytes = 0; fitting < 64; ++bytes) {
    ASSERT_LT(bytes, memory.bytes());
    ModelAllocator* allocator = nullptr;
    if (!ModelAllocator::Create(memory.start(), bytes, {}, &allocator).ok()) continue;
    const std::size_t before = allocator->arena().PersistentUsedBytes();
    const Interpreter interpreter(model.view(), MockKernels(), *allocator, {.resource_variable_count = kCount});
    const std::size_t after = allocator->arena().PersistentUsedBytes();
    if (after == before) {
      half_fitting += bytes - before >= kTableBytes + alignof(ResourceVariable) ? 1 : 0;
    } else {
      EXPECT_GE(after - before, kTableBytes + sizeof(ResourceVariables)) << "half of it stayed, arena of " << bytes;
      ++fitting;
    }
    EXPECT_EQ(interpreter.lost_tail_bytes(), 0u);
    EXPECT_FALSE(allocator->arena().persistent().state().marked);
  }
  EXPECT_GT(half_fitting, 0u) << "there were sizes that the first block fits and the second does not";
}

TEST_F(SharedAllocator, ARefusedTableOfResourcesIsTakenBackFromTheRecordToo) {
  // Room for the variables and not for the table's own object.
  const TestArena memory(sizeof(RecordingSingleArena) + sizeof(GreedyPlanner) + sizeof(ModelAllocator) +
                         sizeof(MemoryRecord) + 20 * sizeof(ResourceVariable));
  const SmallModel model(Counter(1, 16));
  ModelAllocator* recording = nullptr;
  ASSERT_TRUE(ModelAllocator::Create(memory.start(), memory.bytes(), {.record_memory = true}, &recording).ok());
  const ArenaCounters before = *recording->arena().counters();
  const std::size_t room_bytes = memory.bytes() - recording->arena().UsedBytes();
  ASSERT_EQ(room_bytes, 20 * sizeof(ResourceVariable));
  Interpreter interpreter(model.view(), MockKernels(), *recording, {.resource_variable_count = 20});
  EXPECT_EQ(interpreter.AllocateTensors().code, StatusCode::kArenaPersistentDoesNotFit);
  EXPECT_EQ(recording->arena().counters()->used_bytes, before.used_bytes);
  EXPECT_EQ(recording->arena().counters()->requested_tail_bytes, before.requested_tail_bytes);
}

}  // namespace
}  // namespace arenaproof::testing
