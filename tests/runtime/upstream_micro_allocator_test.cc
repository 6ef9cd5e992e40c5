// The reference's tests of its micro allocator, restated: counts, orders, offsets and statuses as given there; byte
// totals made of the reference's structures are made of ours. Where hardening changes a result, the test says so.
#include <gtest/gtest.h>

#include <set>

#include "core/planner/greedy_planner.h"
#include "core/planner/precomputed_planner.h"
#include "core/runtime/operand_view.h"
#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

// Of a model's finished allocation.
std::span<EvalTensor> Tensors(const ModelAllocation& allocation) { return allocation.subgraphs[0].tensors; }

void ExpectOrdinaryInt32(const EvalTensor& tensor, bool variable) {
  EXPECT_EQ(tensor.type, TensorType::kInt32);
  EXPECT_EQ(tensor.rank, 1);
  EXPECT_EQ(tensor.dims[0], 1);
  EXPECT_EQ(tensor.bytes, 4u);
  EXPECT_EQ(tensor.variable, variable);
  EXPECT_FALSE(tensor.constant);
  ASSERT_NE(tensor.data, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data) % 16, 0u);
}

void ExpectWeight(const EvalTensor& tensor) {
  EXPECT_EQ(tensor.type, TensorType::kInt8);
  EXPECT_EQ(tensor.bytes, 1u);
  EXPECT_TRUE(tensor.constant);
  ASSERT_NE(tensor.data, nullptr);
  EXPECT_EQ(*tensor.data, std::byte{21});
}

void ExpectOffsets(const ModelAllocation& allocation, std::size_t from, const std::vector<std::ptrdiff_t>& offsets) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    EXPECT_EQ(Tensors(allocation)[i].data - Tensors(allocation)[from].data, offsets[i]) << "tensor " << i;
  }
}

std::size_t RoundedUp(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// What allocating a model of one subgraph takes of the tail, alignment aside.
std::size_t TailOf(std::size_t tensor_count, std::size_t operator_count) {
  return sizeof(SubgraphAllocation) + tensor_count * sizeof(EvalTensor) + operator_count * sizeof(OperatorRecord);
}

TEST(UpstreamMicroAllocator, InitializesARuntimeTensorFromTheFile) {
  for (const bool quantized : {false, true}) {
    ModelBuilder builder;
    SubgraphSpec& graph = builder.AddSubgraph();
    TensorSpec spec{.type = TensorType::kInt32, .shape = {{100}}};
    if (quantized) spec.quantization = Scale(0.3f, 100);
    graph.AddTensor(spec);
    const UpstreamModel model(builder);
    EvalTensor tensor;
    ASSERT_EQ(DescribeTensor(model.view().tensor(0, 0), 0, nullptr, &tensor), Ok());
    EXPECT_EQ(tensor.type, TensorType::kInt32);
    EXPECT_EQ(tensor.rank, 1);
    EXPECT_EQ(tensor.dims[0], 100);
    EXPECT_EQ(tensor.bytes, 400u);
    EXPECT_EQ(tensor.data, nullptr);
    EXPECT_TRUE(tensor.needs_planning()) << "it lives in the arena";
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

void ExpectSimpleModelsTensors(const ModelAllocation& allocation) {
  ASSERT_EQ(Tensors(allocation).size(), 4u);
  std::set<const std::byte*> addresses;
  for (const std::size_t i : {0u, 2u, 3u}) ExpectOrdinaryInt32(Tensors(allocation)[i], false);
  ExpectWeight(Tensors(allocation)[1]);
  for (const EvalTensor& tensor : Tensors(allocation)) addresses.insert(tensor.data);
  EXPECT_EQ(addresses.size(), 4u) << "pairwise distinct";
}

// `overhead_bytes`: what the allocator used before the model.
void ExpectSimpleModelsBytes(const TensorArena& arena, std::size_t overhead_bytes) {
  EXPECT_EQ(arena.NonPersistentUsedBytes(), 3u * 16);
  EXPECT_GE(arena.UsedBytes(), overhead_bytes + TailOf(4, 2) + 3 * 16);
  EXPECT_LT(arena.UsedBytes(), overhead_bytes + TailOf(4, 2) + 3 * 16 + 16) << "but for alignment";
}

TEST(UpstreamMicroAllocator, AllocatesTheSimpleModel) {
  // The reference's 1040 bytes are made of its structures; planning needs some more of ours.
  AllocatorIn allocator(1280);
  const std::size_t overhead_bytes = allocator->arena().UsedBytes();
  const auto model = SimpleModel();
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  ExpectSimpleModelsBytes(allocator->arena(), overhead_bytes);
  ExpectSimpleModelsTensors(allocation);
}

TEST(UpstreamMicroAllocator, TakesAPlannerOfTheCaller) {
  GreedyPlanner planner;
  AllocatorIn allocator(1024, {.planner = &planner});
  const std::size_t overhead_bytes = allocator->arena().UsedBytes();
  const AllocatorIn with_own_planner(1024);
  EXPECT_EQ(RoundedUp(with_own_planner->arena().UsedBytes() - overhead_bytes, 8), RoundedUp(sizeof(GreedyPlanner), 8));
  const auto model = SimpleModel();
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  EXPECT_EQ(&allocator->planner(), &planner);
  EXPECT_EQ(planner.BufferCount(), 3u);
  ExpectSimpleModelsBytes(allocator->arena(), overhead_bytes);
  ExpectSimpleModelsTensors(allocation);
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

TEST(UpstreamMicroAllocator, AllocatesTheComplexModel) {
  AllocatorIn allocator(2048);
  const auto model = ComplexModel();
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  const std::span<EvalTensor> tensors = Tensors(allocation);
  ASSERT_EQ(tensors.size(), 10u);
  for (const std::size_t i : {0u, 3u, 6u, 9u}) ExpectOrdinaryInt32(tensors[i], false);
  for (const std::size_t i : {1u, 4u, 7u}) ExpectOrdinaryInt32(tensors[i], true);
  for (const std::size_t i : {2u, 5u, 8u}) ExpectWeight(tensors[i]);
  for (const std::size_t variable : {1u, 4u, 7u}) {
    for (std::size_t other = 0; other < tensors.size(); ++other) {
      if (other != variable) EXPECT_NE(tensors[variable].data, tensors[other].data) << variable << " and " << other;
    }
  }
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

// The reference's factory works here and a persistent tensor struct is then refused. We have no such structs before
// the graph is allocated; the first thing that a model takes is refused instead.
TEST(UpstreamMicroAllocator, HasRoomForItselfAndForNothingElse) {
  const AllocatorIn generous(4096);
  const std::size_t own_bytes = generous->arena().UsedBytes();
  AllocatorIn allocator(own_bytes + 16 + 16);
  ASSERT_EQ(allocator.creation(), Ok());
  const auto model = SimpleModel();
  ModelAllocation allocation;
  const Status status = allocator->StartModelAllocation(model->view(), &allocation);
  EXPECT_TRUE(status.code == StatusCode::kArenaHeadDoesNotFit || status.code == StatusCode::kArenaPersistentDoesNotFit);
  EXPECT_FALSE(allocator->allocating());
}

// Kernels see their operands outside the arena, so there are no temporary tensor structs; the chain is one of buffers.
TEST(UpstreamMicroAllocator, ChainsTemporariesBeforeAnyStart) {
  const AllocatorIn allocator(1024);
  std::byte* first = nullptr;
  std::byte* second = nullptr;
  ASSERT_EQ(allocator->AllocateTemporary(64, 16, &first), Ok());
  ASSERT_EQ(allocator->AllocateTemporary(64, 16, &second), Ok());
  EXPECT_GT(second, first);
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
  EXPECT_EQ(Tensors(allocation)[0].data - start, 208);
  EXPECT_EQ(Tensors(allocation)[2].data - start, 64);
  EXPECT_EQ(Tensors(allocation)[3].data - start, 128);
}

}  // namespace
}  // namespace arenaproof::testing
