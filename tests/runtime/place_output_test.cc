// Which outputs an operator may place itself, and where.
#include <gtest/gtest.h>

#include <array>

#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

constexpr std::int32_t kOutput = 1;  // the tensor's index

class PlaceOutput : public ::testing::Test {
 protected:
  // What the operator's request is answered with; `block` finds the address in prepare.
  template <typename Block>
  Status AnswerTo(Interpreter& interpreter, Block block) {
    Status answer = Failure(StatusCode::kKernelFailed);
    Mock().prepare = [&](PrepareContext& context) {
      std::byte* place = nullptr;
      ARENAPROOF_RETURN_IF_ERROR(block(context, &place));
      answer = context.runtime->PlaceOutput(0, place);
      return Ok();
    };
    EXPECT_EQ(interpreter.AllocateTensors(), Ok()) << "a refused request changes nothing";
    return answer;
  }
  static auto OwnBlock(std::size_t bytes, std::size_t from = 0) {
    return [=](PrepareContext& context, std::byte** place) {
      const Status status = context.services->AllocatePersistent(bytes, place);
      if (status.ok()) *place += from;
      return status;
    };
  }
  static SmallSubgraph Graph() { return Chain(1, 64); }

  const MockScope mock_;
  const TestArena arena_{8192};
};

TEST_F(PlaceOutput, TakesABlockOfTheOperatorsOwn) {
  const SmallModel model(Graph());
  const auto interpreter = MakeInterpreter(model, arena_);
  std::byte* own = nullptr;
  EXPECT_EQ(AnswerTo(*interpreter,
                     [&](PrepareContext& context, std::byte** place) {
                       const Status status = OwnBlock(64)(context, place);
                       own = *place;
                       return status;
                     }),
            Ok());
  EXPECT_EQ(interpreter->outputs()[0].data, own);
  std::size_t offset = 0;
  EXPECT_EQ(interpreter->TensorOffset(kOutput, &offset).code, StatusCode::kTensorNotPlanned);
  EXPECT_EQ(AnswerTo(*interpreter, OwnBlock(100, 36)), Ok()) << "the last bytes of a longer one";
}

TEST_F(PlaceOutput, TakesABlockThatInitTook) {
  const SmallModel model(Graph());
  const auto interpreter = MakeInterpreter(model, arena_);
  std::byte* first = nullptr;
  std::byte* second = nullptr;
  Mock().init = [&](PrepareContext& context) {
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(16, &first));
    return context.services->AllocatePersistent(64, &second);
  };
  const auto give = [](std::byte*& kept) {
    return [&kept](PrepareContext&, std::byte** place) {
      *place = kept;
      return Ok();
    };
  };
  EXPECT_EQ(AnswerTo(*interpreter, give(second)), Ok());
  EXPECT_EQ(AnswerTo(*interpreter, give(first)).code, StatusCode::kPlacedOutputBlock) << "shorter than the output";
}

TEST_F(PlaceOutput, TakesNoOtherMemory) {
  static std::array<std::byte, 64> elsewhere;
  const SmallModel model(Graph());
  const auto interpreter = MakeInterpreter(model, arena_);
  const Status refusal = Failure(StatusCode::kPlacedOutputBlock, 0, kOutput, 64);
  const auto at = [](std::byte* address) {
    return [address](PrepareContext&, std::byte** place) {
      *place = address;
      return Ok();
    };
  };
  EXPECT_EQ(AnswerTo(*interpreter, at(elsewhere.data())), refusal);
  EXPECT_EQ(AnswerTo(*interpreter, at(nullptr)), refusal);
  EXPECT_EQ(AnswerTo(*interpreter, at(arena_.start())), refusal) << "in the head";
  EXPECT_EQ(AnswerTo(*interpreter, at(arena_.start() + arena_.bytes() - 64)), refusal) << "the arena's own object";
  EXPECT_EQ(AnswerTo(*interpreter, OwnBlock(63)), refusal);
  EXPECT_EQ(AnswerTo(*interpreter, OwnBlock(100, 37)), refusal) << "reaches out by a byte";
  std::size_t offset = 1;
  EXPECT_EQ(interpreter->TensorOffset(kOutput, &offset), Ok()) << "the planner has placed it";
}

TEST_F(PlaceOutput, TakesNoBlockOfAnotherOperator) {
  const SmallModel model(Chain(2, 64));
  const auto interpreter = MakeInterpreter(model, arena_);
  std::byte* of_first = nullptr;
  Status answer;
  Mock().prepare = [&](PrepareContext& context) {
    if (of_first == nullptr) return context.services->AllocatePersistent(64, &of_first);
    answer = context.runtime->PlaceOutput(0, of_first);
    return Ok();
  };
  ASSERT_EQ(interpreter->AllocateTensors(), Ok());
  EXPECT_EQ(answer, Failure(StatusCode::kPlacedOutputBlock, 0, 2, 64));
}

// Validation refuses operators that write a variable or a constant, so it takes a file that changes afterwards.
TEST_F(PlaceOutput, LeavesAVariableWhereItIs) {
  SmallSubgraph graph = Graph();
  graph.tensors.push_back({.shape = {64}, .variable = true});
  SmallModel model(graph);
  graph.operators[0].outputs = {2};
  model.ChangeFileTo(graph);
  const auto interpreter = MakeInterpreter(model, arena_);
  EXPECT_EQ(AnswerTo(*interpreter, OwnBlock(64)), Failure(StatusCode::kPlacedOutputKind, 0, 2, 1));
}

TEST_F(PlaceOutput, LeavesAConstantWhereItIs) {
  SmallSubgraph graph = Graph();
  graph.tensors.push_back({.shape = {64}, .data = std::vector<std::uint8_t>(64, 5)});
  SmallModel model(graph);
  graph.operators[0].outputs = graph.outputs = {2};
  model.ChangeFileTo(graph);
  const auto interpreter = MakeInterpreter(model, arena_);
  EXPECT_EQ(AnswerTo(*interpreter, OwnBlock(64)), Failure(StatusCode::kPlacedOutputKind, 0, 2, 0));
  EXPECT_EQ(interpreter->outputs()[0].data[0], std::byte{5});
}

TEST_F(PlaceOutput, LeavesAPreallocatedTensorWithItsOwner) {
  struct alignas(16) Buffer {
    std::byte bytes[64];
  } buffer;
  const SmallModel model(Graph());
  const auto interpreter = MakeInterpreter(model, arena_);
  ASSERT_EQ(interpreter->RegisterPreallocatedTensor(0, kOutput, buffer.bytes, 64), Ok());
  EXPECT_EQ(AnswerTo(*interpreter, OwnBlock(64)), Failure(StatusCode::kPlacedOutputKind, 0, kOutput, 2));
  EXPECT_EQ(interpreter->outputs()[0].data, buffer.bytes);
}

}  // namespace
}  // namespace arenaproof::testing
