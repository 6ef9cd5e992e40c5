// The reference's tests of its micro allocator, restated: counts, orders, offsets and statuses as given there; byte
// totals made of the reference's structures are made of ours. Where hardening changes a result, the test says so. What
// they say of tensors: upstream_tensor_structs_test.cc.
#include <gtest/gtest.h>

#include "core/planner/greedy_planner.h"
#include "core/planner/precomputed_planner.h"
#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

void ExpectOffsets(const ModelAllocation& allocation, std::size_t from, const std::vector<std::ptrdiff_t>& offsets) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    EXPECT_EQ(TensorsOf(allocation)[i].data - TensorsOf(allocation)[from].data, offsets[i]) << "tensor " << i;
  }
}

TEST(UpstreamMicroAllocator, RefusesToStartTwice) {
  const AllocatorIn allocator(1024);
  const auto model = SimpleModel();
  ModelAllocation first;
  ASSERT_EQ(allocator->StartModelAllocation(model->view(), &first), Ok());
  EXPECT_FALSE(first.subgraphs.empty());
  ModelAllocation second;
  EXPECT_EQ(allocator->StartModelAllocation(model->view(), &second).code, StatusCode::kAllocatorBusy);
  EXPECT_TRUE(second.subgraphs.empty());
}

// `overhead_bytes`: what the allocator used before the model. All sizes are multiples of the largest alignment.
void ExpectSimpleModelsBytes(const TensorArena& arena, std::size_t overhead_bytes) {
  EXPECT_EQ(arena.NonPersistentUsedBytes(), 3u * 16);
  EXPECT_EQ(arena.UsedBytes(), overhead_bytes + TailBytes(4, 2) + 3 * 16);
}

TEST(UpstreamMicroAllocator, AllocatesTheSimpleModel) {
  AllocatorIn allocator(SimpleModelArenaBytes());
  const std::size_t overhead_bytes = allocator->arena().UsedBytes();
  EXPECT_EQ(overhead_bytes, sizeof(SingleArena) + sizeof(GreedyPlanner) + sizeof(ModelAllocator));
  const auto model = SimpleModel();
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  ExpectSimpleModelsBytes(allocator->arena(), overhead_bytes);
  EXPECT_EQ(TensorsOf(allocation).size(), 4u);
}

TEST(UpstreamMicroAllocator, TakesAPlannerOfTheCaller) {
  GreedyPlanner planner;
  AllocatorIn allocator(1024, {.planner = &planner});
  const std::size_t overhead_bytes = allocator->arena().UsedBytes();
  EXPECT_EQ(overhead_bytes, sizeof(SingleArena) + sizeof(ModelAllocator)) << "no planner of its own";
  const auto model = SimpleModel();
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  EXPECT_EQ(&allocator->planner(), &planner);
  EXPECT_EQ(planner.BufferCount(), 3u);
  ExpectSimpleModelsBytes(allocator->arena(), overhead_bytes);
  EXPECT_EQ(TensorsOf(allocation).size(), 4u);
}

TEST(UpstreamMicroAllocator, ServesTwoModelsInTwoArenas) {
  AllocatorIn allocator(4096, 4096);
  ASSERT_EQ(allocator.creation(), Ok());
  const auto model = ComplexModel();
  ModelAllocation first;
  ModelAllocation second;
  ASSERT_EQ(allocator.Allocate(*model, &first), Ok());
  const std::size_t used_bytes = allocator->arena().UsedBytes();
  const std::size_t head_bytes = allocator->arena().NonPersistentUsedBytes();
  ASSERT_EQ(allocator.Allocate(*model, &second), Ok());
  EXPECT_LE(allocator->arena().UsedBytes(), 2 * used_bytes);
  EXPECT_EQ(allocator->arena().NonPersistentUsedBytes(), head_bytes) << "the head is shared";
}

TEST(UpstreamMicroAllocator, FollowsAnOfflinePlan) {
  AllocatorIn allocator(4096);
  const auto model = OfflineModel(4, {1, 0, 4, 0, 48, 0, 48}, {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}});
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  ExpectOffsets(allocation, 0, {0, 48, 0, 48});
}

TEST(UpstreamMicroAllocator, PlansOnlineAroundAnOfflinePlan) {
  AllocatorIn allocator(4096);
  const auto model = OfflineModel(5, {1, 0, 5, 0, 48, -1, 0, -1}, {{{0, 1}, {2}}, {{2}, {3, 4}}});
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  ExpectOffsets(allocation, 0, {0, 48, 96, 0, 48});
}

TEST(UpstreamMicroAllocator, KnowsWhetherTemporariesAreOutstanding) {
  const AllocatorIn allocator(1024);
  EXPECT_TRUE(allocator->arena().AllTemporariesDeallocated());
  std::byte* block = nullptr;
  ASSERT_EQ(allocator->AllocateTemporary(10, 16, &block), Ok());
  ASSERT_NE(block, nullptr);
  EXPECT_FALSE(allocator->arena().AllTemporariesDeallocated());
  ASSERT_EQ(allocator->FreeTemporary(block), Ok());
  EXPECT_TRUE(allocator->arena().AllTemporariesDeallocated());
}

// Hardened: the plan lets inputs that are alive together overlap. That is accepted from a caller who trusts it only.
TEST(UpstreamMicroAllocator, TakesOverlappingOperatorInputsFromATrustedPlanOnly) {
  const auto model = OfflineModel(5, {1, 0, 5, 0, 0, 0, 48, -1}, {{{0, 1, 2}, {3}}, {{3}, {4}}}, 1);
  AllocatorIn suspicious(4096);
  ModelAllocation allocation;
  EXPECT_EQ(suspicious.Allocate(*model, &allocation).code, StatusCode::kOfflinePlanLiveOverlap);
  AllocatorIn trusting(4096);
  ASSERT_EQ(trusting.Allocate(*model, &allocation, {.trust = true}), Ok());
  ExpectOffsets(allocation, 0, {0, 0, 0, 48, 0});
}

TEST(UpstreamMicroAllocator, GivesUnusedTensorsAPlaceToo) {
  AllocatorIn allocator(4096);
  const auto model = UnusedInputsModel();
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  ExpectOffsets(allocation, 2, {64, 0, 0, 0});
}

// Hardened: the reference takes the plan 200, 64, 120 although 200 and 120 are no multiples of 16.
TEST(UpstreamMicroAllocator, TakesAPrecomputedPlanWhoseOffsetsAreAligned) {
  const auto model = SimpleModel();
  const std::int32_t misaligned[] = {200, 64, 120};
  PrecomputedPlanner refused(misaligned);
  AllocatorIn first(1024, {.planner = &refused});
  ModelAllocation allocation;
  EXPECT_EQ(first.Allocate(*model, &allocation).code, StatusCode::kPlanMisaligned);
  const std::int32_t aligned[] = {208, 64, 128};
  PrecomputedPlanner taken(aligned);
  AllocatorIn second(1024, {.planner = &taken});
  ASSERT_EQ(second.Allocate(*model, &allocation), Ok());
  const std::byte* const start = second->arena().OverlayAddress();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(start),
            (reinterpret_cast<std::uintptr_t>(second.memory()) + 15) / 16 * 16);
  EXPECT_EQ(TensorsOf(allocation)[0].data - start, 208);
  EXPECT_EQ(TensorsOf(allocation)[2].data - start, 64);
  EXPECT_EQ(TensorsOf(allocation)[3].data - start, 128);
}

}  // namespace
}  // namespace arenaproof::testing
