// The edges of access lists: ranges of no bytes, operators behind the first, as many of everything as one operator may
// hold.
#include <gmock/gmock.h>

#include <algorithm>

#include "ranges_of_support.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::int32_t> IndexesOf(OperandKind kind, const std::vector<OperandRange>& list) {
  std::vector<std::int32_t> indexes;
  for (const OperandRange& range : RangesOf(kind, list)) indexes.push_back(range.index);
  return indexes;
}

TEST(AccessListEdges, HaveNoRangeOfNoBytesAndNumberTheOthersAllTheSame) {
  const MockScope mock;
  Mock().prepare = [](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    for (const std::size_t bytes : {0U, 9U, 0U, 1U}) {
      ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(bytes, &block));
      ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(bytes));
    }
    return Ok();
  };
  SmallSubgraph graph = Chain(1, 16);
  graph.tensors.push_back({.shape = {0}, .variable = true});
  graph.operators[0].inputs = {0, 2};
  const SmallModel model(graph);
  const TestArena arena(4096);
  EventLog log;
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->Invoke().ok());
  EXPECT_THAT(IndexesOf(OperandKind::kPersistent, log.ranges.back()), ElementsAre(1, 3));
  EXPECT_THAT(IndexesOf(OperandKind::kScratch, log.ranges.back()), ElementsAre(1, 3));
  EXPECT_THAT(IndexesOf(OperandKind::kVariable, log.ranges.back()), IsEmpty());
}

// A list in prepare says where the file has them, to the byte: scales first.
TEST(AccessListEdges, HaveQuantizationWhereTheFileHasIt) {
  const MockScope mock;
  SmallSubgraph graph = Chain(1, 3);
  graph.tensors[1].scales = {0.5f, 0.25f, 0.125f};
  graph.tensors[1].zero_points = {9};
  const SmallModel model(graph);
  const TestArena arena(4096);
  EventLog log;
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->Invoke().ok());
  const QuantizationView& quantization = model.view().tensor(0, 1).quantization;
  for (const std::size_t phase : {0U, 1U}) {
    const std::vector<OperandRange> lists = RangesOf(OperandKind::kQuantization, log.ranges[phase]);
    ASSERT_EQ(lists.size(), 2U);
    EXPECT_EQ(lists[0].data, reinterpret_cast<const std::byte*>(quantization.scales.data()));
    EXPECT_EQ(lists[0].bytes, 12U);
    EXPECT_EQ(lists[1].data, quantization.zero_point_bytes);
    EXPECT_EQ(lists[1].bytes, 8U);
    EXPECT_THAT(IndexesOf(OperandKind::kQuantization, log.ranges[phase]), ElementsAre(1, 1));
  }
  EXPECT_THAT(RangesOf(OperandKind::kQuantization, log.ranges[2]), IsEmpty());
}

TEST(AccessListEdges, HaveTheScratchBuffersOfTheOperatorItself) {
  const MockScope mock;
  std::size_t bytes = 30;
  Mock().prepare = [&bytes](PrepareContext& context) -> Status {
    ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(bytes));
    return context.services->RequestScratch(bytes++ * 2);
  };
  std::vector<std::byte*> given;
  Mock().invoke = [&given](const InvokeContext& context) {
    given.insert(given.end(), context.scratch.begin(), context.scratch.end());
    return Ok();
  };
  const SmallModel model(Chain(2, 16), {}, /*subgraph_count=*/1);
  const TestArena arena(4096);
  EventLog log;
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->Invoke().ok());
  ASSERT_EQ(given.size(), 4U);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<OperandRange> scratch = RangesOf(OperandKind::kScratch, log.ranges[log.ranges.size() - 2 + i]);
    ASSERT_EQ(scratch.size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(scratch[k].data, given[2 * i + k]) << i;
      EXPECT_EQ(scratch[k].bytes, (30 + i) * (k + 1)) << i;
      EXPECT_EQ(scratch[k].index, static_cast<std::int32_t>(k)) << i;
    }
  }
}

// Addresses that lie outside of the arena are nobody's bytes of it.
TEST(AccessListEdges, HaveTheListOfAddressesWhereItLiesInTheTailAlone) {
  for (const std::size_t count : {kScratchOutsideArena, kScratchOutsideArena + 1}) {
    const MockScope mock;
    Mock().prepare = [count](PrepareContext& context) -> Status {
      std::byte* block = nullptr;
      ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(5, &block));
      for (std::size_t i = 0; i < count; ++i) ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(3));
      return Ok();
    };
    const std::byte* addresses = nullptr;
    Mock().invoke = [&addresses](const InvokeContext& context) {
      addresses = reinterpret_cast<const std::byte*>(context.scratch.data());
      return Ok();
    };
    const SmallModel model(Chain(1, 16));
    const TestArena arena(1 << 16);
    EventLog log;
    const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
    ASSERT_TRUE(interpreter->Invoke().ok());
    const bool in_arena = count > kScratchOutsideArena;
    EXPECT_EQ(addresses >= arena.start() && addresses < arena.start() + arena.bytes(), in_arena);
    std::vector<OperandRange> blocks = RangesOf(OperandKind::kPersistent, log.ranges.back());
    ASSERT_EQ(blocks.size(), in_arena ? 2U : 1U);
    if (!in_arena) continue;
    std::ranges::sort(blocks, {}, &OperandRange::index);
    EXPECT_EQ(blocks[0].bytes, 5U);
    EXPECT_EQ(blocks[1].index, 1) << "behind the operator's own";
    EXPECT_EQ(blocks[1].data, addresses);
    EXPECT_EQ(blocks[1].bytes, count * sizeof(std::byte*));
    EXPECT_EQ(blocks[1].right, AccessRight::kRead);
  }
}

}  // namespace
}  // namespace arenaproof::testing
