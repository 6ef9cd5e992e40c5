// What an observer receives: every event at its moment, and for each operator exactly the bytes it may touch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/runtime/storage/scratch_requests.h"
#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

bool Is(const OperandRange& range, OperandKind kind, std::int32_t index, AccessRight right, std::size_t bytes) {
  return range.kind == kind && range.index == index && range.right == right && range.bytes == bytes;
}

TEST(ObserverEvents, ComeInTheOrderOfTheLifecycle) {
  const MockScope mock;
  const SmallModel model(Chain(1, 32));
  const TestArena arena(4096);
  EventLog log;
  Mock().init = [](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    return context.services->AllocatePersistent(8, &block);
  };
  Mock().prepare = [](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(5));
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(24, 8, &block));
    return context.services->FreeTemporary(block);
  };
  {
    const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
    ASSERT_TRUE(interpreter->Invoke().ok());
  }
  // The temporary of the planning is whatever is left; its size is not the point here.
  std::vector<std::string> lines = log.lines;
  const auto planning = std::find_if(lines.begin() + 20, lines.end(),
                                     [](const std::string& line) { return line.rfind("temporary", 0) == 0; });
  ASSERT_NE(planning, lines.end());
  *planning = "temporary, all that is left";
  const auto requests = [](std::size_t slots) { return "head " + std::to_string(slots * sizeof(ScratchRequest)); };
  EXPECT_THAT(
      lines,
      ElementsAre("attach", "tail", "tail", "tail",                // arena, planner, allocator
                  "head 0", requests(12), "tail", "tail", "tail",  // requests, subgraphs, tensors, operators
                  "begin init 0", "enter", "tail", "leave", "end", "tail", "begin prepare 0", "enter", "leave", "enter",
                  "temporary 24", "leave", "enter", "free", "leave", "end", "reset", requests(13), "tail",
                  "tail",  // scratch addresses and sizes
                  "temporary, all that is left", "plan 3", "free", "reset", "head 0", "head 80", "tail",
                  "tail",  // graph input, graph output
                  "begin invoke 0", "end", "detach"));
}

TEST(ObserverEvents, ThePlanIsTheOneTensorsHave) {
  const MockScope mock;
  const SmallModel model(Chain(2, 33));
  const TestArena arena(4096);
  EventLog log;
  Mock().prepare = [](PrepareContext& context) { return context.services->RequestScratch(7); };
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  ASSERT_EQ(log.plan.size(), 5u);
  for (std::int32_t i = 0; i < 3; ++i) {
    const PlanEntry& tensor = log.plan[static_cast<std::size_t>(i)];
    std::span<std::byte> bytes;
    ASSERT_TRUE(interpreter->TensorBytes(i, &bytes).ok());
    EXPECT_EQ(tensor.tensor, i);
    EXPECT_EQ(tensor.scratch, -1);
    EXPECT_EQ(tensor.bytes, 33u);
    EXPECT_EQ(log.head_start + tensor.offset, bytes.data());
    EXPECT_EQ(tensor.first, i);
    EXPECT_EQ(tensor.last, i == 2 ? 2 : i + 1);
  }
  for (std::int32_t i = 0; i < 2; ++i) {
    const PlanEntry& scratch = log.plan[static_cast<std::size_t>(3 + i)];
    std::span<std::byte> bytes;
    ASSERT_TRUE(interpreter->ScratchBytes(static_cast<std::size_t>(i), &bytes).ok());
    EXPECT_EQ(scratch.tensor, -1);
    EXPECT_EQ(scratch.scratch, i);
    EXPECT_EQ(scratch.owner_operator, i);
    EXPECT_EQ(scratch.bytes, 7u);
    EXPECT_EQ(log.head_start + scratch.offset, bytes.data());
    EXPECT_EQ(scratch.first, i + 1);
    EXPECT_EQ(scratch.last, i + 1);
  }
}

SmallSubgraph GraphWithEveryKindOfOperand() {
  SmallSubgraph graph;
  graph.tensors.push_back({.shape = {10}, .scales = {0.5f}, .zero_points = {3}});  // 0 input
  graph.tensors.push_back(
      {.shape = {4}, .data = {1, 2, 3, 4}, .scales = {1.f, 2.f, 1.f, 2.f}, .zero_points = {0, 0, 0, 0}});  // 1 constant
  graph.tensors.push_back({.shape = {6}, .variable = true});                                               // 2 variable
  graph.tensors.push_back({.shape = {12}});                                                                // 3 output
  graph.tensors.push_back({.shape = {4}, .data = {5, 6, 7, 8}});  // 4 of nobody's list
  graph.operators.push_back({BuiltinOperator::kConcatenation, {0, 1, -1, 2, 0}, {3}});
  graph.inputs = {0};
  graph.outputs = {3};
  return graph;
}

TEST(AccessLists, HoldExactlyTheOperatorsOwnOperands) {
  const MockScope mock;
  const SmallModel model(GraphWithEveryKindOfOperand());
  const TestArena arena(4096);
  EventLog log;
  Mock().init = [](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    return context.services->AllocatePersistent(24, &block);
  };
  Mock().prepare = [](PrepareContext& context) -> Status {
    EXPECT_EQ(context.inputs[0].data, nullptr);
    EXPECT_NE(context.inputs[1].data, nullptr);
    EXPECT_FALSE(context.inputs[2].present);
    EXPECT_EQ(context.inputs[0].quantization.zero_point(), 3);
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(9, &block));
    return context.services->RequestScratch(11);
  };
  Mock().invoke = [](const InvokeContext& context) {
    EXPECT_FALSE(context.inputs[0].quantization.present()) << "the lists lie in the file, which is closed by now";
    EXPECT_EQ(context.inputs[0].data, context.inputs[4].data);
    return Ok();
  };
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->Invoke().ok());
  ASSERT_EQ(log.ranges.size(), 3u);
  EXPECT_STREQ(log.scopes[2].operator_name, "CONCATENATION");
  EXPECT_STREQ(log.scopes[2].kernel_name, "mock");

  const auto is_set_up_list = [&](const std::vector<OperandRange>& ranges, std::size_t blocks) {
    ASSERT_EQ(ranges.size(), 5 + blocks);
    EXPECT_TRUE(Is(ranges[0], OperandKind::kConstant, 1, AccessRight::kRead, 4));
    EXPECT_TRUE(Is(ranges[1], OperandKind::kQuantization, 0, AccessRight::kRead, 4));
    EXPECT_TRUE(Is(ranges[2], OperandKind::kQuantization, 0, AccessRight::kRead, 8));
    EXPECT_TRUE(Is(ranges[3], OperandKind::kQuantization, 1, AccessRight::kRead, 16));
    EXPECT_TRUE(Is(ranges[4], OperandKind::kQuantization, 1, AccessRight::kRead, 32));
  };
  is_set_up_list(log.ranges[0], 0);
  is_set_up_list(log.ranges[1], 1);
  EXPECT_TRUE(Is(log.ranges[1][5], OperandKind::kPersistent, 0, AccessRight::kReadWrite, 24));

  const std::vector<OperandRange>& invoke = log.ranges[2];
  ASSERT_EQ(invoke.size(), 7u);
  EXPECT_TRUE(Is(invoke[0], OperandKind::kInput, 0, AccessRight::kRead, 10));
  EXPECT_TRUE(Is(invoke[1], OperandKind::kConstant, 1, AccessRight::kRead, 4));
  EXPECT_TRUE(Is(invoke[2], OperandKind::kVariable, 2, AccessRight::kReadWrite, 6));
  EXPECT_TRUE(Is(invoke[3], OperandKind::kOutput, 3, AccessRight::kReadWrite, 12));
  EXPECT_TRUE(Is(invoke[4], OperandKind::kScratch, 0, AccessRight::kReadWrite, 11));
  EXPECT_TRUE(Is(invoke[5], OperandKind::kPersistent, 0, AccessRight::kReadWrite, 24));
  EXPECT_TRUE(Is(invoke[6], OperandKind::kPersistent, 1, AccessRight::kReadWrite, 9));
  // The operator's blocks are those announced in its brackets, nothing else was allocated there.
  ASSERT_EQ(log.bracketed_tail_blocks.size(), 2u);
  EXPECT_EQ(log.bracketed_tail_blocks[0].data, invoke[5].data);
  EXPECT_EQ(log.bracketed_tail_blocks[1].data, invoke[6].data);
}

// Validation refuses such an operator, so it takes a file that changes afterwards.
TEST(AccessLists, ATensorThatIsInputAndOutputIsOneRangeToReadAndWrite) {
  const MockScope mock;
  SmallSubgraph graph = Chain(1, 16);
  graph.operators[0].inputs = {0, 0};
  SmallModel model(graph);
  graph.operators[0].inputs = {0, 1};
  model.ChangeFileTo(graph);
  const TestArena arena(4096);
  EventLog log;
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->Invoke().ok());
  const std::vector<OperandRange>& invoke = log.ranges.back();
  ASSERT_EQ(invoke.size(), 2u);
  EXPECT_TRUE(Is(invoke[0], OperandKind::kInput, 0, AccessRight::kRead, 16));
  EXPECT_TRUE(Is(invoke[1], OperandKind::kOutput, 1, AccessRight::kReadWrite, 16));
}

TEST(AccessLists, HoldEveryScratchBufferHoweverMany) {
  const MockScope mock;
  const SmallModel model(Chain(2, 16));
  const TestArena arena(1 << 16);
  EventLog log;
  std::size_t count = kScratchOutsideArena + 40;
  Mock().prepare = [&](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(9, &block));
    for (std::size_t i = 0; i < count; ++i) ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(3));
    count = 1;
    return Ok();
  };
  const std::byte* addresses = nullptr;
  Mock().invoke = [&](const InvokeContext& context) {
    if (addresses == nullptr) addresses = reinterpret_cast<const std::byte*>(context.scratch.data());
    return Ok();
  };
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->Invoke().ok());
  const std::vector<OperandRange>& invoke = log.ranges[log.ranges.size() - 2];
  ASSERT_EQ(invoke.size(), 2 + kScratchOutsideArena + 40 + 1 + 1);
  EXPECT_EQ(std::count_if(invoke.begin(), invoke.end(),
                          [](const OperandRange& range) { return range.kind == OperandKind::kScratch; }),
            static_cast<std::ptrdiff_t>(kScratchOutsideArena + 40));
  // Addresses handed out from the tail are on the list too.
  EXPECT_TRUE(std::any_of(invoke.begin(), invoke.end(), [&](const OperandRange& range) {
    return range.data == addresses && range.right == AccessRight::kRead &&
           range.bytes == (kScratchOutsideArena + 40) * sizeof(std::byte*);
  }));
  EXPECT_EQ(log.ranges.back().size(), 2u + 1u + 1u);
}

}  // namespace
}  // namespace arenaproof::testing
