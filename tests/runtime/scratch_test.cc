// Scratch buffers: as many as the arena holds, each with its own bytes while its operator runs.
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/status.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

// Every operator asks for `count` buffers of 1, 2, 3, ... bytes, with a temporary alive meanwhile, and writes all of
// them and its output in invoke.
class ScratchCounts : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ScratchCounts, ReachInvokeInOrderAlignedAndDisjoint) {
  const std::size_t count = GetParam();
  const MockChain interpreter(3, 40, 1 << 18);
  Mock().prepare = [&](PrepareContext& context) -> Status {
    std::byte* temporary = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(24, 32, &temporary));
    for (std::size_t i = 0; i < count; ++i) ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(i + 1));
    return context.services->FreeTemporary(temporary);
  };
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  ASSERT_EQ(interpreter->scratch_count(), 3 * count);

  int invoked = 0;
  Mock().invoke = [&](const InvokeContext& context) {
    EXPECT_EQ(context.scratch.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      std::span<std::byte> bytes;
      EXPECT_TRUE(interpreter->ScratchBytes(static_cast<std::size_t>(invoked) * count + i, &bytes).ok());
      EXPECT_EQ(bytes.data(), context.scratch[i]);
      EXPECT_EQ(bytes.size(), i + 1);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(context.scratch[i]) % 16, 0u);
      std::memset(context.scratch[i], static_cast<int>(i % 251), i + 1);
    }
    std::memset(context.outputs[0].data, 252, context.outputs[0].bytes);
    std::memset(context.inputs[0].data, 253, context.inputs[0].bytes);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k <= i; ++k) EXPECT_EQ(context.scratch[i][k], static_cast<std::byte>(i % 251));
    }
    ++invoked;
    return Ok();
  };
  ASSERT_TRUE(interpreter->Invoke().ok());
  EXPECT_EQ(invoked, 3);
}

INSTANTIATE_TEST_SUITE_P(AnyNumberPerOperator, ScratchCounts,
                         ::testing::Values<std::size_t>(0, 1, 12, 13, 30, kScratchOutsideArena,
                                                        kScratchOutsideArena + 1, 300));

TEST(Scratch, OperatorsAskForDifferentNumbers) {
  const MockChain interpreter(4, 16, 1 << 16);
  const std::vector<std::size_t> counts = {20, 0, 1, 13};
  std::size_t next = 0;
  Mock().prepare = [&](PrepareContext& context) -> Status {
    for (std::size_t i = 0; i < counts[next]; ++i) {
      ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(100 * next + i));
    }
    ++next;
    return Ok();
  };
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  ASSERT_EQ(interpreter->scratch_count(), 34u);
  std::span<std::byte> bytes;
  ASSERT_TRUE(interpreter->ScratchBytes(20, &bytes).ok());
  EXPECT_EQ(bytes.size(), 200u);
  ASSERT_TRUE(interpreter->ScratchBytes(33, &bytes).ok());
  EXPECT_EQ(bytes.size(), 312u);
  EXPECT_EQ(interpreter->ScratchBytes(34, &bytes), Failure(StatusCode::kRuntimeTensorIndex, 34, 34));
  std::size_t seen = 0;
  Mock().invoke = [&](const InvokeContext& context) {
    EXPECT_EQ(context.scratch.size(), counts[seen++]);
    return Ok();
  };
  EXPECT_TRUE(interpreter->Invoke().ok());
}

TEST(Scratch, ARequestThatDoesNotFitIsRefusedAndTheAllocatorStartsAgain) {
  const MockChain interpreter(1, 16, 8192);
  std::size_t bytes = 1 << 20;
  Mock().prepare = [&](PrepareContext& context) { return context.services->RequestScratch(bytes); };
  EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kPlanDoesNotFit);
  EXPECT_EQ(interpreter->head_bytes(), 0u);
  bytes = SIZE_MAX - 3;
  EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kSizeOverflow);
  bytes = 64;
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
}

TEST(Scratch, EndlessRequestsEndAtTheArenasEnd) {
  const MockChain interpreter(1, 16, 8192);
  Mock().prepare = [&](PrepareContext& context) {
    for (;;) ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(1));
  };
  EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kArenaPersistentDoesNotFit);
  EXPECT_EQ(interpreter->failed_operator().operator_index, 0);
}

// The reference leaves size and address of such a request unset and writes through them.
TEST(Scratch, OfASubgraphThatNobodyInvokesHasSizeAndPlaceLikeAnyOther) {
  const MockScope mock;
  const SmallModel model(Chain(1, 16), {}, /*subgraph_count=*/2);
  const TestArena arena(8192);
  const auto interpreter = MakeInterpreter(model, arena);
  Mock().prepare = [](PrepareContext& context) { return context.services->RequestScratch(40); };
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  ASSERT_EQ(interpreter->scratch_count(), 2u);
  std::span<std::byte> bytes;
  ASSERT_TRUE(interpreter->ScratchBytes(1, &bytes).ok());
  EXPECT_EQ(bytes.size(), 40u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 16, 0u);
  EXPECT_GE(bytes.data(), arena.start());
  EXPECT_LE(bytes.data() + bytes.size(), arena.start() + interpreter->head_bytes());
  EXPECT_TRUE(interpreter->Invoke().ok());
}

}  // namespace
}  // namespace arenaproof::testing
