// Models that the runtime refuses, each with its own status and the numbers that come with it.
#include <gtest/gtest.h>

#include <stdexcept>

#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

Status Allocate(const SmallModel& model, const KernelSet& kernels = MockKernels(), std::size_t arena_bytes = 16384) {
  const TestArena arena(arena_bytes);
  const auto interpreter =
      std::make_unique<Interpreter>(model.view(), kernels, arena.start(), arena.bytes(), InterpreterOptions());
  return interpreter->AllocateTensors();
}

TEST(Refusals, OperatorsThatNoKernelServes) {
  SmallSubgraph graph = Chain(2, 16);
  graph.operators[1].code = BuiltinOperator::kSin;
  const SmallModel model(graph);
  const TestArena arena(4096);
  const auto interpreter = MakeInterpreter(model, arena);
  EXPECT_EQ(interpreter->AllocateTensors(), Failure(StatusCode::kUnresolvedOperator, 0, 1, BuiltinOperator::kSin));
  EXPECT_EQ(interpreter->failed_operator().operator_index, 1);
}

TEST(Refusals, OperatorsWithMoreOperandsThanTheFrameHolds) {
  SmallSubgraph graph = Chain(1, 16);
  graph.operators[0] = {
      BuiltinOperator::kConcatenation, std::vector<std::int32_t>(kMaxOperandsPerOperator - 1, 0), {1}};
  EXPECT_TRUE(Allocate(SmallModel(graph)).ok());
  graph.operators[0].inputs.push_back(0);
  EXPECT_EQ(Allocate(SmallModel(graph)),
            Failure(StatusCode::kTooManyOperands, 0, 0, kMaxOperandsPerOperator + 1, kMaxOperandsPerOperator));
}

TEST(Refusals, TensorsOfMoreDimensionsThanKernelsKnow) {
  SmallSubgraph graph = Chain(1, 16);
  graph.tensors[1].shape = {1, 1, 1, 1, 1, 1, 16};
  EXPECT_EQ(Allocate(SmallModel(graph)), Failure(StatusCode::kOperandRankLimit, 1, 7, kMaxOperandRank));
}

TEST(Refusals, OutputsWithAnExtentThatIsNotPositive) {
  SmallSubgraph graph = Chain(2, 16);
  graph.tensors[1].shape = {4, 0};
  EXPECT_EQ(Allocate(SmallModel(graph)), Failure(StatusCode::kDynamicShape, 0, 1, 1, 0));
  graph.tensors[1].shape = {0};  // an old way to write a scalar
  EXPECT_TRUE(Allocate(SmallModel(graph)).ok());
  graph.tensors[1].shape = {};
  EXPECT_TRUE(Allocate(SmallModel(graph)).ok());
}

TEST(Refusals, IntermediateTensorsThatHaveBytes) {
  SmallSubgraph graph = Chain(1, 16);
  graph.tensors.push_back({{8}});
  graph.operators[0].intermediates = {2};
  EXPECT_THROW(SmallModel{graph}, std::logic_error) << "by validation, so it takes a file that changes afterwards";
  graph.tensors[2].shape = {0};
  SmallModel model(graph);
  EXPECT_TRUE(Allocate(model).ok());
  for (const std::int32_t bytes : {1, 8}) {
    graph.tensors[2].shape = {bytes};
    model.ChangeFileTo(graph);
    EXPECT_EQ(Allocate(model), Failure(StatusCode::kIntermediateTensor, 0, 2, bytes));
  }
}

// A file in memory that is written to after it was validated, against the contract.
TEST(Refusals, IndicesOutOfRangeReachNoMemoryEvenWhenTheFileChangesAfterValidation) {
  SmallSubgraph graph = Chain(1, 16);
  graph.tensors.push_back({{0}});
  graph.operators[0].intermediates = {2};
  SmallModel model(graph);
  graph.operators[0].inputs = {7};
  model.ChangeFileTo(graph);
  EXPECT_EQ(Allocate(model), Failure(StatusCode::kRuntimeTensorIndex, 7, 3));
  graph.operators[0].inputs = {-2};
  model.ChangeFileTo(graph);
  EXPECT_EQ(Allocate(model), Failure(StatusCode::kRuntimeTensorIndex, -2, 3));
  graph.operators[0].inputs = {0};
  graph.operators[0].intermediates = {99};
  model.ChangeFileTo(graph);
  EXPECT_EQ(Allocate(model), Failure(StatusCode::kRuntimeTensorIndex, 99, 3));
}

TEST(Refusals, SpacingThatWouldChangeAddressesModulo64) {
  const SmallModel model(Chain(1, 16));
  const TestArena arena(4096);
  EXPECT_EQ(MakeInterpreter(model, arena, {.persistent_spacing_bytes = 48})->AllocateTensors(),
            Failure(StatusCode::kPersistentSpacing, 48));
}

TEST(Refusals, AnOperatorThatTakesTooManyPersistentBlocks) {
  const MockScope mock;
  std::size_t granted = 0;
  const auto take_all = [&](PrepareContext& context) {
    for (;;) {
      std::byte* block = nullptr;
      ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(1, &block));
      if (++granted == 3) return Ok();  // in init
    }
  };
  Mock().init = take_all;
  Mock().prepare = take_all;
  EXPECT_EQ(Allocate(SmallModel(Chain(1, 16))),
            Failure(StatusCode::kTooManyPersistentBlocks, kMaxPersistentBlocksPerOperator));
  EXPECT_EQ(granted, kMaxPersistentBlocksPerOperator);
}

}  // namespace
}  // namespace arenaproof::testing
