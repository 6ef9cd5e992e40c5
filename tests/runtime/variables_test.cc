// Variables live in the tail: filled by Reset, kept between invokes, apart from the plan.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/runtime/interpreter/model_allocator.h"
#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

SmallSubgraph GraphWithVariables() {
  SmallSubgraph graph = Chain(1, 16);
  graph.tensors.push_back({.shape = {8}, .variable = true, .scales = {0.5f}, .zero_points = {-7}});
  graph.tensors.push_back({.shape = {2}, .type = TensorType::kFloat32, .variable = true});
  graph.tensors.push_back({.shape = {4}, .data = {1, 2, 3, 4}, .variable = true});
  graph.operators[0].inputs = {0, 2, 3, 4};
  return graph;
}

bool AllAre(std::span<const std::byte> bytes, int value) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [value](std::byte byte) { return byte == static_cast<std::byte>(value); });
}

TEST(Variables, StartAtTheirZeroPointAndKeepTheirBytesUntilReset) {
  const MockScope mock;
  const SmallModel model(GraphWithVariables());
  const TestArena arena(4096);
  std::fill_n(arena.start(), arena.bytes(), std::byte{0x77});
  const auto interpreter = MakeInterpreter(model, arena);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  std::span<std::byte> quantized;
  std::span<std::byte> real;
  std::span<std::byte> with_data;
  ASSERT_TRUE(interpreter->TensorBytes(2, &quantized).ok());
  ASSERT_TRUE(interpreter->TensorBytes(3, &real).ok());
  ASSERT_TRUE(interpreter->TensorBytes(4, &with_data).ok());
  EXPECT_EQ(quantized.size(), 8u);
  EXPECT_TRUE(AllAre(quantized, -7));
  EXPECT_TRUE(AllAre(real, 0));
  EXPECT_TRUE(AllAre(with_data, 0)) << "the file's bytes of a variable are dropped";

  Mock().invoke = [](const InvokeContext& context) {
    EXPECT_TRUE(context.inputs[1].variable);
    context.inputs[1].data[0] = static_cast<std::byte>(static_cast<int>(context.inputs[1].data[0]) + 1);
    return Ok();
  };
  ASSERT_TRUE(interpreter->Invoke().ok());
  ASSERT_TRUE(interpreter->Invoke().ok());
  EXPECT_EQ(quantized[0], static_cast<std::byte>(0xFB));
  ASSERT_TRUE(interpreter->Reset().ok());
  EXPECT_TRUE(AllAre(quantized, -7));

  std::size_t offset = 0;
  EXPECT_EQ(interpreter->TensorOffset(2, &offset), Failure(StatusCode::kTensorNotPlanned, 2));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(quantized.data()) % 16, 0u);
}

TEST(Variables, OfNoBytesHaveABlockOfTheirOwnToo) {
  const MockScope mock;
  SmallSubgraph graph = GraphWithVariables();
  graph.tensors.push_back({.shape = {0}, .variable = true});
  graph.operators[0].inputs.push_back(5);
  const SmallModel model(graph);
  const TestArena arena(4096);
  const auto interpreter = MakeInterpreter(model, arena, {.record_memory = true});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  const RecordedMemory recorded = interpreter->allocator()->record()->of(MemoryCategory::kVariables);
  EXPECT_EQ(recorded.count, 4u);
  EXPECT_EQ(recorded.requested_bytes, 8u + 8u + 4u + 0u);
  Mock().invoke = [](const InvokeContext& context) {
    EXPECT_TRUE(context.inputs[4].variable);
    EXPECT_NE(context.inputs[4].data, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(context.inputs[4].data) % 16, 0u);
    EXPECT_EQ(context.inputs[4].bytes, 0u);
    return Ok();
  };
  EXPECT_TRUE(interpreter->Invoke().ok());
  EXPECT_TRUE(interpreter->Reset().ok());
  EXPECT_TRUE(interpreter->ResetVariable(5).ok());
}

TEST(Spacing, LeavesClosedBytesAroundPersistentBlocksAndVariablesAndKeepsAddressesModulo64) {
  const MockScope mock;
  const SmallModel model(GraphWithVariables());
  std::vector<std::byte*> blocks[2];
  std::vector<MemoryRegion> tail[2];
  for (int spaced = 0; spaced < 2; ++spaced) {
    const TestArena arena(8192);
    EventLog log;
    const auto interpreter =
        MakeInterpreter(model, arena, {.observer = &log, .persistent_spacing_bytes = spaced != 0 ? 64u : 0u});
    Mock().prepare = [&](PrepareContext& context) -> Status {
      for (const std::size_t bytes : {5u, 40u}) {
        std::byte* block = nullptr;
        ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(bytes, &block));
        blocks[spaced].push_back(block);
      }
      return Ok();
    };
    ASSERT_TRUE(interpreter->AllocateTensors().ok());
    for (std::int32_t variable = 2; variable <= 4; ++variable) {
      std::span<std::byte> bytes;
      ASSERT_TRUE(interpreter->TensorBytes(variable, &bytes).ok());
      blocks[spaced].push_back(bytes.data());
    }
    tail[spaced] = log.tail_blocks;
  }
  ASSERT_EQ(tail[0].size(), tail[1].size()) << "spacing is not announced";
  for (std::size_t i = 0; i < blocks[0].size(); ++i) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks[0][i]) % 64, reinterpret_cast<std::uintptr_t>(blocks[1][i]) % 64);
    // No other block of the tail within 64 bytes, on either side.
    const auto own = std::find_if(tail[1].begin(), tail[1].end(),
                                  [&](const MemoryRegion& region) { return region.data == blocks[1][i]; });
    ASSERT_NE(own, tail[1].end());
    for (const MemoryRegion& other : tail[1]) {
      if (other.data == own->data) continue;
      EXPECT_TRUE(other.data + other.bytes + 64 <= own->data || own->data + own->bytes + 64 <= other.data);
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
