// What each step of a set-up leaves in the arena: the allocator's own blocks, a model's tables, the scratch requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/arena/recording_arena.h"
#include "core/arena/separate_arenas.h"
#include "core/planner/linear_planner.h"
#include "engine/harness/event_log.h"
#include "test_arena_support.h"
#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

// Sizes of the blocks, which have to follow one another from `end` downwards without a gap.
std::vector<std::size_t> Stacked(const std::vector<MemoryRegion>& blocks, const std::byte* end) {
  std::vector<std::size_t> sizes;
  for (const MemoryRegion& block : blocks) {
    EXPECT_EQ(block.data + block.bytes, end) << "block " << sizes.size();
    end = block.data;
    sizes.push_back(block.bytes);
  }
  return sizes;
}

TEST(FixedBlocks, AreArenaPlannerAllocatorAndRecordFromTheTop) {
  const auto blocks = [](InterpreterOptions options) {
    const TestArena arena(4096);
    EventLog log;
    options.observer = &log;
    ModelAllocator* allocator = nullptr;
    EXPECT_EQ(ModelAllocator::Create(arena.start(), arena.bytes(), options, &allocator), Ok());
    const std::vector<std::size_t> sizes = Stacked(log.tail_blocks, arena.start() + arena.bytes());
    std::size_t sum = 0;
    for (const std::size_t bytes : sizes) sum += bytes;
    EXPECT_EQ(allocator->arena().UsedBytes(), sum) << "used before any model";
    EXPECT_EQ(reinterpret_cast<const std::byte*>(allocator), log.tail_blocks[options.planner == nullptr ? 2 : 1].data);
    return sizes;
  };
  GreedyPlanner given;
  EXPECT_THAT(blocks({}), ElementsAre(sizeof(SingleArena), sizeof(GreedyPlanner), sizeof(ModelAllocator)));
  EXPECT_THAT(blocks({.planner = &given}), ElementsAre(sizeof(SingleArena), sizeof(ModelAllocator)));
  EXPECT_THAT(blocks({.preserve_all_tensors = true}),
              ElementsAre(sizeof(SingleArena), sizeof(LinearPlanner), sizeof(ModelAllocator)));
  EXPECT_THAT(blocks({.record_memory = true}), ElementsAre(sizeof(RecordingSingleArena), sizeof(GreedyPlanner),
                                                           sizeof(ModelAllocator), sizeof(MemoryRecord)));
}

TEST(FixedBlocks, OfTwoArenasAllLieInThePersistentOne) {
  const TestArena persistent(4096);
  const TestArena other(4096);
  EventLog log;
  ModelAllocator* allocator = nullptr;
  ASSERT_EQ(ModelAllocator::Create({persistent.start(), 4096, other.start(), 4096}, {.observer = &log}, &allocator),
            Ok());
  EXPECT_THAT(
      Stacked(log.tail_blocks, persistent.start() + 4096),
      ElementsAre(sizeof(PersistentArena), sizeof(NonPersistentArena), sizeof(GreedyPlanner), sizeof(ModelAllocator)));
}

// An allocator in an arena of its own and what it did.
struct ObservedAllocator : ::testing::Test {
  void SetUp() override {
    ASSERT_EQ(ModelAllocator::Create(arena.start(), arena.bytes(), {.observer = &log}, &allocator), Ok());
    first_block = log.tail_blocks.size();
  }
  std::vector<MemoryRegion> NewBlocks() const {
    return {log.tail_blocks.begin() + static_cast<std::ptrdiff_t>(first_block), log.tail_blocks.end()};
  }
  std::size_t head_bytes() const { return allocator->arena().NonPersistentUsedBytes(); }
  bool InFile(const UpstreamModel& model, const void* address) const {
    const std::span<const std::byte> file = model.view().bytes();
    return address >= file.data() && address < file.data() + file.size();
  }

  const TestArena arena{8192};
  EventLog log;
  ModelAllocator* allocator = nullptr;
  std::size_t first_block = 0;
  ModelAllocation allocation;
};
using StartOfAModel = ObservedAllocator;
using FinishOfAModel = ObservedAllocator;
using ScratchRequestTable = ObservedAllocator;

TEST_F(StartOfAModel, TakesScratchTableThenSubgraphsThenEachOnesTensorsAndOperators) {
  const auto model = IfModel();
  const std::byte* const tail = log.tail_blocks.back().data;
  ASSERT_EQ(allocator->StartModelAllocation(model->view(), &allocation), Ok());
  EXPECT_EQ(head_bytes(), 12 * sizeof(ScratchRequest));
  EXPECT_THAT(
      Stacked(NewBlocks(), tail),
      ElementsAre(3 * sizeof(SubgraphAllocation), 4 * sizeof(EvalTensor), sizeof(OperatorRecord),
                  3 * sizeof(EvalTensor), sizeof(OperatorRecord), 3 * sizeof(EvalTensor), sizeof(OperatorRecord)));
}

TEST_F(StartOfAModel, TakesNothingForASubgraphWithoutTensorsAndOperators) {
  ModelBuilder builder;
  builder.AddSubgraph();
  const UpstreamModel model(builder);
  ASSERT_EQ(allocator->StartModelAllocation(model.view(), &allocation), Ok());
  EXPECT_EQ(NewBlocks().size(), 1u);
  EXPECT_TRUE(TensorsOf(allocation).empty());
  EXPECT_TRUE(allocation.subgraphs[0].operators.empty());
}

TEST_F(StartOfAModel, PointsShapesAndDataOfConstantsIntoTheFile) {
  const auto model = ComplexModel();
  ASSERT_EQ(allocator->StartModelAllocation(model->view(), &allocation), Ok());
  for (std::size_t i = 0; i < 10; ++i) {
    const EvalTensor& tensor = TensorsOf(allocation)[i];
    EXPECT_TRUE(InFile(*model, tensor.dims)) << i;
    if (i % 3 == 2) EXPECT_TRUE(InFile(*model, tensor.data)) << i;
    if (i % 3 != 2) EXPECT_EQ(tensor.data, nullptr) << i << ": no buffer, or one of no bytes";
  }
}

TEST_F(FinishOfAModel, WithoutAStartIsRefusedWithoutEffect) {
  const auto model = SimpleModel();
  const auto before = allocator->arena().state();
  EXPECT_EQ(allocator->FinishModelAllocation(model->view(), &allocation), Failure(StatusCode::kAllocatorIdle));
  EXPECT_EQ(allocator->arena().state(), before);
  ASSERT_EQ(allocator->StartModelAllocation(model->view(), &allocation), Ok());
  ASSERT_EQ(allocator->FinishModelAllocation(model->view(), &allocation), Ok());
  const auto finished = allocator->arena().state();
  EXPECT_EQ(allocator->FinishModelAllocation(model->view(), &allocation), Failure(StatusCode::kAllocatorIdle));
  EXPECT_EQ(allocator->arena().state(), finished);
}

TEST_F(ScratchRequestTable, HasTwelveFreeSlotsAfterEachPrepareAndGivesRequestsToTheirOperator) {
  const auto model = SimpleModel();
  ASSERT_EQ(allocator->StartModelAllocation(model->view(), &allocation), Ok());
  for (const std::size_t bytes : {10u, 0u}) ASSERT_EQ(allocator->RequestScratch(bytes), Ok());
  EXPECT_EQ(head_bytes(), 12 * sizeof(ScratchRequest)) << "during a prepare the head stands still";
  ASSERT_EQ(allocator->FinishPrepareNodeAllocations(0, 0), Ok());
  EXPECT_EQ(head_bytes(), (2 + 12) * sizeof(ScratchRequest));
  // The reference refuses an operator's thirteenth request. Hardened: the arena is the only limit.
  for (std::size_t i = 0; i < 13; ++i) ASSERT_EQ(allocator->RequestScratch(33), Ok());
  ASSERT_EQ(allocator->FinishPrepareNodeAllocations(0, 1), Ok());
  EXPECT_EQ(head_bytes(), (2 + 13 + 12) * sizeof(ScratchRequest));

  ASSERT_EQ(allocator->FinishModelAllocation(model->view(), &allocation), Ok());
  ASSERT_EQ(log.plan.size(), 3u + 15u);
  for (std::size_t i = 0; i < 15; ++i) {
    const PlanEntry& scratch = log.plan[3 + i];
    const std::int32_t owner = i < 2 ? 0 : 1;
    EXPECT_EQ(scratch.scratch, static_cast<std::int32_t>(i));
    EXPECT_EQ(scratch.owner_operator, owner);
    EXPECT_EQ(scratch.bytes, i == 0 ? 10u : i == 1 ? 0u : 33u);
    EXPECT_EQ(scratch.first, owner + 1) << "alive in its operator's scope";
    EXPECT_EQ(scratch.last, owner + 1);
    EXPECT_EQ(scratch.offset % 16, 0u);
    EXPECT_EQ(allocation.scratch_data[i], allocator->arena().OverlayAddress() + scratch.offset);
  }
}

TEST(SetUp, RunsInitAndThenPrepareOfAllSubgraphsInTheirOrder) {
  const MockScope mock;
  Mock().init = Mock().prepare = [](PrepareContext&) { return Ok(); };
  const SmallModel model(Chain(2, 16), {}, /*subgraph_count=*/3);
  const TestArena arena(8192);
  EventLog log;
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  std::vector<std::tuple<OperatorPhase, std::int32_t, std::int32_t>> seen, expected;
  for (const OperatorScope& scope : log.scopes) seen.emplace_back(scope.phase, scope.subgraph, scope.operator_index);
  for (const OperatorPhase phase : {OperatorPhase::kInit, OperatorPhase::kPrepare}) {
    for (std::int32_t subgraph = 0; subgraph < 3; ++subgraph) {
      for (std::int32_t i = 0; i < 2; ++i) expected.emplace_back(phase, subgraph, i);
    }
  }
  EXPECT_THAT(seen, ElementsAreArray(expected));
}

TEST(SetUp, ShowsQuantizationOfBothListsOnlyAndOneZeroPointForEveryChannel) {
  const MockScope mock;
  SmallSubgraph graph = Chain(2, 3);
  graph.tensors[0].scales = {0.5f, 0.25f, 0.125f};
  graph.tensors[0].zero_points = {9};
  const SmallModel model(graph);
  graph.tensors[2].scales = {0.5f};
  EXPECT_THROW(SmallModel{graph}, std::logic_error) << "scales without zero points are refused by validation";
  const TestArena arena(4096);
  const auto interpreter = MakeInterpreter(model, arena);
  int seen = 0;
  Mock().prepare = [&](PrepareContext& context) {
    const QuantizationView& quantization = context.inputs[0].quantization;
    if (seen++ == 0) {
      EXPECT_TRUE(quantization.present());
      for (std::size_t channel = 0; channel < 3; ++channel) EXPECT_EQ(quantization.zero_point(channel), 9);
      EXPECT_EQ(quantization.scale(2), 0.125f);
    } else {
      EXPECT_FALSE(quantization.present());
    }
    return Ok();
  };
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace arenaproof::testing
