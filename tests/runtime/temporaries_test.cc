// Temporaries of a prepare have to be balanced when it ends.
#include <gtest/gtest.h>

#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

TEST(Temporaries, MayBeFreedInAnyOrder) {
  const MockChain interpreter(2, 16, 4096);
  Mock().prepare = [](PrepareContext& context) -> Status {
    std::byte* blocks[3] = {};
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(10, 4, &blocks[0]));
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(0, 1, &blocks[1]));
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(100, 12, &blocks[2]));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks[2]) % 12, 0u);
    ARENAPROOF_RETURN_IF_ERROR(context.services->FreeTemporary(blocks[1]));
    ARENAPROOF_RETURN_IF_ERROR(context.services->FreeTemporary(blocks[0]));
    return context.services->FreeTemporary(blocks[2]);
  };
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
}

TEST(Temporaries, ALeakNamesTheOperatorAndTheAllocatorStartsAgain) {
  const MockChain interpreter(3, 16, 8192);
  int prepared = 0;
  Mock().prepare = [&](PrepareContext& context) -> Status {
    if (++prepared != 2) return Ok();
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(16, 16, &block));
    return context.services->AllocateTemporary(16, 16, &block);
  };
  EXPECT_EQ(interpreter->AllocateTensors(), Failure(StatusCode::kTemporariesLeaked, 0, 1, 2));
  EXPECT_EQ(interpreter->failed_operator().operator_index, 1);
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
}

TEST(Temporaries, ALeakOfOneIsOne) {
  const MockChain interpreter(2, 16, 8192);
  Mock().prepare = [](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    return context.services->AllocateTemporary(0, 1, &block);
  };
  EXPECT_EQ(interpreter->AllocateTensors(), Failure(StatusCode::kTemporariesLeaked, 0, 0, 1));
}

TEST(Temporaries, DoubleAndForeignFreesAreRefused) {
  const MockChain interpreter(1, 16, 4096);
  Mock().prepare = [](PrepareContext& context) -> Status {
    std::byte* first = nullptr;
    std::byte* second = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(16, 16, &first));
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(16, 16, &second));
    EXPECT_EQ(context.services->FreeTemporary(first + 16).code, StatusCode::kForeignTemporary);
    EXPECT_EQ(context.services->FreeTemporary(nullptr).code, StatusCode::kForeignTemporary);
    EXPECT_TRUE(context.services->FreeTemporary(first).ok());
    EXPECT_EQ(context.services->FreeTemporary(first).code, StatusCode::kForeignTemporary);
    return context.services->FreeTemporary(second);
  };
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
}

TEST(Temporaries, ARefusedOneLeavesNothingOutstanding) {
  const MockChain interpreter(1, 16, 4096);
  Mock().prepare = [](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    EXPECT_EQ(context.services->AllocateTemporary(1 << 20, 16, &block).code, StatusCode::kArenaTemporaryDoesNotFit);
    EXPECT_EQ(context.services->AllocateTemporary(SIZE_MAX, 16, &block).code, StatusCode::kArenaTemporaryDoesNotFit);
    EXPECT_EQ(context.services->AllocateTemporary(1, 0, &block).code, StatusCode::kArenaZeroAlignment);
    EXPECT_EQ(block, nullptr);
    return Ok();
  };
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
}

TEST(Temporaries, AFailingPrepareMayLeaveThemBehind) {
  const MockChain interpreter(2, 16, 8192);
  Mock().prepare = [](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(16, 16, &block));
    ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(16));
    return Failure(StatusCode::kKernelUnsupported, 1);
  };
  EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kKernelUnsupported);
  EXPECT_EQ(interpreter->head_bytes(), 0u);
  Mock().prepare = nullptr;
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(interpreter->scratch_count(), 0u);
}

}  // namespace
}  // namespace arenaproof::testing
