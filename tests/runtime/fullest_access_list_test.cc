// An operator with as many operands and persistent blocks as one may have: no range of its lists is left out.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

std::size_t CountOf(OperandKind kind, const std::vector<OperandRange>& list) {
  return static_cast<std::size_t>(
      std::ranges::count_if(list, [kind](const OperandRange& range) { return range.kind == kind; }));
}

// Constants with scales and zero points of their own, and one output.
SmallSubgraph GraphOfTheWidestOperator() {
  SmallSubgraph graph;
  SmallOperator widest{BuiltinOperator::kConcatenation, {}, {}};
  for (std::size_t i = 0; i + 1 < kMaxOperandsPerOperator; ++i) {
    widest.inputs.push_back(static_cast<std::int32_t>(i));
    const auto value = static_cast<std::uint8_t>(i);
    graph.tensors.push_back(
        {.shape = {2}, .data = {value, 7}, .scales = {static_cast<float>(i + 1)}, .zero_points = {value}});
  }
  const auto output = static_cast<std::int32_t>(graph.tensors.size());
  graph.tensors.push_back({.shape = {4}, .scales = {99.0f}, .zero_points = {5}});
  widest.outputs = graph.outputs = {output};
  graph.operators = {widest};
  return graph;
}

TEST(FullestAccessList, HasEveryRangeInEveryPhase) {
  constexpr std::size_t kInputs = kMaxOperandsPerOperator - 1;
  for (const std::size_t scratch_count : {kScratchOutsideArena, kScratchOutsideArena + 1, std::size_t{500}}) {
    const MockScope mock;
    const auto take = [](PrepareContext& context, std::size_t count) -> Status {
      std::byte* block = nullptr;
      for (std::size_t i = 0; i < count; ++i) {
        ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(8, &block));
      }
      return Ok();
    };
    Mock().init = [&take](PrepareContext& context) { return take(context, kMaxPersistentBlocksPerOperator - 1); };
    Mock().prepare = [&](PrepareContext& context) -> Status {
      for (std::size_t i = 0; i < scratch_count; ++i) ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(8));
      return take(context, 1);
    };
    const SmallModel model(GraphOfTheWidestOperator());
    const TestArena arena(1 << 18);
    EventLog log;
    const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
    ASSERT_TRUE(interpreter->Invoke().ok());
    ASSERT_EQ(log.ranges.size(), 3U);
    for (const std::size_t phase : {0U, 1U}) {
      const std::vector<OperandRange>& list = log.ranges[phase];
      EXPECT_EQ(CountOf(OperandKind::kConstant, list), kInputs);
      EXPECT_EQ(CountOf(OperandKind::kQuantization, list), 2 * kMaxOperandsPerOperator);
      EXPECT_EQ(CountOf(OperandKind::kOutput, list), 0U) << "it has no address yet";
      EXPECT_EQ(CountOf(OperandKind::kPersistent, list), phase == 0 ? 0U : kMaxPersistentBlocksPerOperator - 1);
    }
    const std::vector<OperandRange>& invoke = log.ranges[2];
    EXPECT_EQ(CountOf(OperandKind::kConstant, invoke), kInputs);
    EXPECT_EQ(CountOf(OperandKind::kOutput, invoke), 1U);
    EXPECT_EQ(CountOf(OperandKind::kScratch, invoke), scratch_count);
    const std::size_t addresses = scratch_count > kScratchOutsideArena ? 1 : 0;
    EXPECT_EQ(CountOf(OperandKind::kPersistent, invoke), kMaxPersistentBlocksPerOperator + addresses);
    const bool behind_all = std::ranges::any_of(invoke, [](const OperandRange& range) {
      return range.kind == OperandKind::kPersistent && range.right == AccessRight::kRead &&
             range.index == static_cast<std::int32_t>(kMaxPersistentBlocksPerOperator);
    });
    EXPECT_EQ(behind_all, addresses == 1) << "the list of addresses";
  }
}

}  // namespace
}  // namespace arenaproof::testing
