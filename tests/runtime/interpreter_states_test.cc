// Which request is allowed when, and what the interpreter says when something fails.
#include <gtest/gtest.h>

#include "core/arena/single_arena.h"
#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

TEST(InterpreterStates, InvokeAllocatesFirstWhenNobodyDid) {
  const MockChain interpreter(2, 32, 4096);
  EXPECT_EQ(interpreter->state(), InterpreterState::kInit);
  EXPECT_TRUE(interpreter->Invoke().ok());
  EXPECT_EQ(interpreter->state(), InterpreterState::kInvoke);
  EXPECT_EQ(interpreter->inputs().size(), 1u);
  EXPECT_EQ(interpreter->outputs()[0].bytes, 32u);
}

TEST(InterpreterStates, ResetAndQueriesAreRefusedBeforeAllocation) {
  const MockChain interpreter(2, 32, 4096);
  std::span<std::byte> bytes;
  EXPECT_EQ(interpreter->Reset().code, StatusCode::kRuntimeState);
  EXPECT_EQ(interpreter->TensorBytes(0, &bytes).code, StatusCode::kRuntimeState);
  EXPECT_TRUE(interpreter->inputs().empty());
  EXPECT_EQ(interpreter->kernel_of(0), nullptr);
}

TEST(InterpreterStates, InvokeAfterAFailedAllocationIsRefusedAndAllocatingAgainWorks) {
  const MockChain interpreter(3, 32, 8192);
  const std::size_t tail_before = interpreter->tail_bytes();
  int prepared = 0;
  Mock().prepare = [&](PrepareContext&) {
    return ++prepared == 2 ? Failure(StatusCode::kKernelRank, 0, 1, 2, 3) : Ok();
  };
  const Status status = interpreter->AllocateTensors();
  EXPECT_EQ(status, Failure(StatusCode::kKernelRank, 0, 1, 2, 3));
  EXPECT_EQ(interpreter->state(), InterpreterState::kFailed);
  EXPECT_EQ(interpreter->failed_operator().operator_index, 1);
  EXPECT_EQ(interpreter->failed_operator().phase, OperatorPhase::kPrepare);
  EXPECT_EQ(interpreter->head_bytes(), 0u);
  EXPECT_EQ(interpreter->tail_bytes(), tail_before);
  EXPECT_EQ(interpreter->Invoke().code, StatusCode::kRuntimeState);

  EXPECT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(interpreter->lost_tail_bytes(), 0u);
  EXPECT_FALSE(interpreter->failed_operator().known());
  EXPECT_TRUE(interpreter->Invoke().ok());
}

TEST(InterpreterStates, AFailingInitNamesItsOperator) {
  const MockChain interpreter(2, 32, 4096);
  int initialized = 0;
  Mock().init = [&](PrepareContext&) { return ++initialized == 2 ? Failure(StatusCode::kKernelUnsupported, 7) : Ok(); };
  EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kKernelUnsupported);
  EXPECT_EQ(interpreter->failed_operator().operator_index, 1);
  EXPECT_EQ(interpreter->failed_operator().phase, OperatorPhase::kInit);
}

TEST(InterpreterStates, AFailingInvokeStopsTheGraphAndCanBeRepeated) {
  const MockChain interpreter(3, 32, 4096);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  int invoked = 0;
  Mock().invoke = [&](const InvokeContext&) { return ++invoked == 2 ? Failure(StatusCode::kKernelOption, 1) : Ok(); };
  EXPECT_EQ(interpreter->Invoke().code, StatusCode::kKernelOption);
  EXPECT_EQ(invoked, 2);
  EXPECT_EQ(interpreter->failed_operator().operator_index, 1);
  EXPECT_EQ(interpreter->failed_operator().phase, OperatorPhase::kInvoke);
  EXPECT_TRUE(interpreter->Invoke().ok());
  EXPECT_EQ(invoked, 5);
}

TEST(InterpreterStates, InitMayTakePersistentMemoryOnly) {
  const MockChain interpreter(1, 32, 4096);
  Mock().init = [&](PrepareContext& context) {
    std::byte* block = nullptr;
    EXPECT_TRUE(context.services->AllocatePersistent(8, &block).ok());
    EXPECT_EQ(context.services->RequestScratch(8).code, StatusCode::kRuntimeState);
    EXPECT_EQ(context.services->AllocateTemporary(8, 8, &block).code, StatusCode::kRuntimeState);
    return Ok();
  };
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(interpreter->scratch_count(), 0u);
}

TEST(InterpreterStates, InvokeCannotAllocateEvenThroughAnAddressKeptFromPrepare) {
  const MockChain interpreter(1, 32, 4096);
  PrepareServices* kept = nullptr;
  Mock().prepare = [&](PrepareContext& context) {
    kept = context.services;
    return Ok();
  };
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  const std::size_t used_bytes = interpreter->arena_used_bytes();
  Mock().invoke = [&](const InvokeContext&) {
    std::byte* block = nullptr;
    EXPECT_EQ(kept->AllocatePersistent(8, &block).code, StatusCode::kRuntimeState);
    EXPECT_EQ(kept->RequestScratch(8).code, StatusCode::kRuntimeState);
    EXPECT_EQ(kept->AllocateTemporary(8, 8, &block).code, StatusCode::kRuntimeState);
    EXPECT_EQ(kept->FreeTemporary(nullptr).code, StatusCode::kRuntimeState);
    return Ok();
  };
  EXPECT_TRUE(interpreter->Invoke().ok());
  EXPECT_EQ(interpreter->arena_used_bytes(), used_bytes);
}

TEST(InterpreterStates, DuringASetUpNothingCanBeRegisteredNorSetUp) {
  struct alignas(16) Buffer {
    std::byte bytes[32];
  } buffer;
  const SmallModel model(Chain(1, 32));
  for (const bool in_prepare : {false, true}) {
    const MockScope mock;
    const TestArena arena(4096);
    const auto interpreter = MakeInterpreter(model, arena);
    bool fails = true;
    int asked = 0;
    (in_prepare ? Mock().prepare : Mock().init) = [&](PrepareContext&) {
      ++asked;
      EXPECT_EQ(interpreter->RegisterPreallocatedTensor(0, 1, buffer.bytes, 32),
                Failure(StatusCode::kPreallocatedTooLate, 0, 1));
      EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kAllocatorBusy);
      return fails ? Failure(StatusCode::kKernelRank) : Ok();
    };
    EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kKernelRank);
    fails = false;
    EXPECT_EQ(interpreter->RegisterPreallocatedTensor(0, 1, buffer.bytes, 32), Ok()) << "the attempt has ended";
    EXPECT_EQ(interpreter->AllocateTensors(), Ok());
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(interpreter->outputs()[0].data, buffer.bytes);
  }
}

TEST(InterpreterStates, AKernelThatMovesACursorDuringInvokeIsNamed) {
  const MockChain interpreter(2, 32, 4096);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  // The arena object is the first block of the tail: at the very end of the memory.
  auto* const cursors = reinterpret_cast<ArenaState<std::uintptr_t>*>(interpreter.arena.start() +
                                                                      interpreter.arena.bytes() - sizeof(SingleArena));
  Mock().invoke = [&](const InvokeContext&) {
    cursors->tail_begin -= 16;
    return Ok();
  };
  EXPECT_EQ(interpreter->Invoke(), Failure(StatusCode::kArenaMovedInInvoke, 0, 0));
}

TEST(InterpreterStates, AllocatingTwiceKeepsTheHeadAndLosesTheFirstTail) {
  const MockChain interpreter(2, 32, 8192);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  const std::size_t head_bytes = interpreter->head_bytes();
  const std::size_t tail_bytes = interpreter->tail_bytes();
  std::size_t offset = 0;
  ASSERT_TRUE(interpreter->TensorOffset(1, &offset).ok());
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(interpreter->head_bytes(), head_bytes);
  EXPECT_GT(interpreter->tail_bytes(), tail_bytes);
  std::size_t offset_again = 1;
  ASSERT_TRUE(interpreter->TensorOffset(1, &offset_again).ok());
  EXPECT_EQ(offset_again, offset);
  EXPECT_TRUE(interpreter->Invoke().ok());
}

TEST(InterpreterStates, ASecondAllocationNeverGrowsTheTailOverTheFirstHead) {
  const MockScope mock;
  const SmallModel model(Chain(2, 512));
  std::size_t need_bytes = 0;
  for (std::size_t bytes = 512; need_bytes == 0; bytes += 16) {
    const TestArena arena(bytes);
    if (MakeInterpreter(model, arena)->AllocateTensors().ok()) need_bytes = bytes;
  }
  const TestArena arena(need_bytes + 16);
  const auto interpreter = MakeInterpreter(model, arena);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kTailWouldCrossHead);
  EXPECT_EQ(interpreter->head_bytes(), 1024u);
}

}  // namespace
}  // namespace arenaproof::testing
