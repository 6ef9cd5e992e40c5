// What an allocator answers while no model is being allocated: a service works, or is refused without effect.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "core/runtime/interpreter/model_allocator.h"
#include "test_arena_support.h"
#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

// Before the first model, after one that was finished, kept or not, and after one that was aborted; in one arena and in
// two.
void ForEachIdle(const std::function<void(ModelAllocator&)>& check) {
  const auto model = SimpleModel();
  for (const bool two_arenas : {false, true}) {
    for (const char* const when : {"new", "finished", "kept", "aborted"}) {
      SCOPED_TRACE(std::string(when) + (two_arenas ? ", two arenas" : ", one arena"));
      AllocatorIn one(4096);
      AllocatorIn two(4096, 4096);
      AllocatorIn& allocator = two_arenas ? two : one;
      ModelAllocation allocation;
      if (when == std::string("aborted")) {
        ASSERT_EQ(allocator->StartModelAllocation(model->view(), &allocation), Ok());
        allocator->AbortModelAllocation();
      } else if (when != std::string("new")) {
        ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
        if (when == std::string("kept")) allocator->KeepModelAllocation();
      }
      check(*allocator);
      // Whatever was asked for: the next model is allocated at the first try.
      EXPECT_EQ(allocator.Allocate(*model, &allocation), Ok());
    }
  }
}

TEST(IdleAllocator, RefusesScratchRequestsWithoutEffect) {
  ForEachIdle([](ModelAllocator& allocator) {
    const auto before = allocator.arena().state();
    EXPECT_EQ(allocator.RequestScratch(16), Failure(StatusCode::kAllocatorIdle));
    EXPECT_EQ(allocator.arena().state(), before);
  });
}

TEST(IdleAllocator, RefusesToFinishAPrepareWithoutEffect) {
  ForEachIdle([](ModelAllocator& allocator) {
    std::byte* block = nullptr;
    ASSERT_EQ(allocator.AllocateTemporary(24, 8, &block), Ok());
    std::memset(block, 0x5a, 24);
    const auto before = allocator.arena().state();
    EXPECT_EQ(allocator.FinishPrepareNodeAllocations(0, 0), Failure(StatusCode::kAllocatorIdle));
    EXPECT_EQ(allocator.arena().state(), before) << "the temporary is still held";
    EXPECT_EQ(block[23], std::byte{0x5a});
    EXPECT_EQ(allocator.FreeTemporary(block), Ok());
  });
}

TEST(IdleAllocator, GrantsTemporariesAndForgetsThemWhenTheLastIsFreed) {
  ForEachIdle([](ModelAllocator& allocator) {
    const auto before = allocator.arena().state();
    std::byte* blocks[2] = {};
    ASSERT_EQ(allocator.AllocateTemporary(24, 8, &blocks[0]), Ok());
    ASSERT_EQ(allocator.AllocateTemporary(0, 16, &blocks[1]), Ok());
    EXPECT_EQ(allocator.FreeTemporary(blocks[0] + 1).code, StatusCode::kForeignTemporary);
    ASSERT_EQ(allocator.FreeTemporary(blocks[0]), Ok());
    EXPECT_NE(allocator.arena().state(), before);
    ASSERT_EQ(allocator.FreeTemporary(blocks[1]), Ok());
    EXPECT_EQ(allocator.arena().state(), before);
    EXPECT_EQ(allocator.FreeTemporary(blocks[1]).code, StatusCode::kForeignTemporary);
    EXPECT_EQ(allocator.AllocateTemporary(1 << 20, 8, &blocks[0]).code, StatusCode::kArenaTemporaryDoesNotFit);
    EXPECT_EQ(allocator.arena().state(), before) << "a refusal leaves nothing";
  });
}

TEST(IdleAllocator, StartsNoModelAndNoTableWhileATemporaryIsHeld) {
  const auto model = SimpleModel();
  ForEachIdle([&](ModelAllocator& allocator) {
    std::byte* block = nullptr;
    ASSERT_EQ(allocator.AllocateTemporary(24, 8, &block), Ok());
    std::memset(block, 0x5a, 24);
    const auto before = allocator.arena().state();
    const std::size_t mark = *allocator.set_up_mark();
    ModelAllocation allocation;
    const Status status = allocator.StartModelAllocation(model->view(), &allocation);
    EXPECT_EQ(status.code, StatusCode::kArenaTemporariesLive);
    EXPECT_EQ(status.detail[0], before.non_persistent.temporary_end - before.non_persistent.head_end);
    EXPECT_EQ(status.detail[1], 1u);
    EXPECT_TRUE(allocation.subgraphs.empty());
    ResourceVariables* resources = nullptr;
    EXPECT_EQ(allocator.CreateResources(2, &resources).code, StatusCode::kArenaTemporariesLive);
    EXPECT_EQ(allocator.arena().state(), before);
    EXPECT_EQ(*allocator.set_up_mark(), mark);
    EXPECT_FALSE(allocator.allocating());
    EXPECT_EQ(block[23], std::byte{0x5a});
    EXPECT_EQ(allocator.FreeTemporary(block), Ok()) << "it is still its holder's";
  });
}

TEST(IdleAllocator, GrantsPersistentBlocksForGood) {
  ForEachIdle([](ModelAllocator& allocator) {
    allocator.KeepModelAllocation();
    std::byte* block = nullptr;
    std::byte* value = nullptr;
    ASSERT_EQ(allocator.AllocatePersistent(40, &block), Ok());
    ASSERT_EQ(allocator.AllocateResource(8, &value), Ok());
    std::memset(block, 0x5a, 40);
    const auto after = allocator.arena().state();
    allocator.AbortModelAllocation();
    allocator.WithdrawModelAllocation();
    EXPECT_EQ(allocator.arena().state(), after);
    const auto model = SimpleModel();
    ModelAllocation allocation;
    ASSERT_EQ(allocator.StartModelAllocation(model->view(), &allocation), Ok());
    allocator.AbortModelAllocation();
    EXPECT_EQ(block[39], std::byte{0x5a});
    EXPECT_EQ(allocator.arena().state().persistent.tail_begin, after.persistent.tail_begin);
  });
}

// ---- the other way round: a set-up is under way, and its steps come in the wrong order

TEST(AllocatorUnderWay, FinishesNoModelWhileAnOperatorsPrepareIsNotFinished) {
  const auto model = SimpleModel();
  for (const std::size_t requests : {1u, 14u}) {
    AllocatorIn allocator(4096);
    ModelAllocation allocation;
    ASSERT_EQ(allocator->StartModelAllocation(model->view(), &allocation), Ok());
    for (std::size_t i = 0; i < requests; ++i) ASSERT_EQ(allocator->RequestScratch(8), Ok());
    std::byte* block = nullptr;
    ASSERT_EQ(allocator->AllocateTemporary(24, 8, &block), Ok());
    const auto before = allocator->arena().state();
    EXPECT_EQ(allocator->FinishModelAllocation(model->view(), &allocation),
              Failure(StatusCode::kPrepareUnfinished, requests, 1));
    EXPECT_EQ(allocator->arena().state(), before);
    ASSERT_EQ(allocator->FreeTemporary(block), Ok());
    ASSERT_EQ(allocator->FinishPrepareNodeAllocations(0, 1), Ok());
    ASSERT_EQ(allocator->FinishModelAllocation(model->view(), &allocation), Ok());
    EXPECT_EQ(allocation.scratch_data.size(), requests);
  }
}

TEST(AllocatorUnderWay, RefusesRequestsOfAnOperatorThatThereIsNot) {
  const auto model = SimpleModel();
  for (const auto& [subgraph, index, expected] :
       {std::tuple{1, 0, Failure(StatusCode::kRuntimeSubgraphIndex, 1, 1)},
        std::tuple{-1, 0, Failure(StatusCode::kRuntimeSubgraphIndex, -1, 1)},
        std::tuple{0, 2, Failure(StatusCode::kRuntimeOperatorIndex, 0, 2, 2)},
        std::tuple{0, -1, Failure(StatusCode::kRuntimeOperatorIndex, 0, -1, 2)}}) {
    AllocatorIn allocator(4096);
    ModelAllocation allocation;
    ASSERT_EQ(allocator->StartModelAllocation(model->view(), &allocation), Ok());
    ASSERT_EQ(allocator->RequestScratch(8), Ok());
    ASSERT_EQ(allocator->FinishPrepareNodeAllocations(subgraph, index), Ok());
    EXPECT_EQ(allocator->FinishModelAllocation(model->view(), &allocation), expected);
    allocator->AbortModelAllocation();
    EXPECT_EQ(allocator.Allocate(*model, &allocation), Ok());
  }
}

}  // namespace
}  // namespace arenaproof::testing
