// The byte that a variable begins with, type by type: the zero point of int8 with quantisation, and else 0.
#include <gtest/gtest.h>

#include <algorithm>

#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

std::byte FirstValueOf(TensorType type, std::vector<std::int64_t> zero_points, std::vector<float> scales = {0.5f}) {
  const MockScope mock;
  SmallSubgraph graph = Chain(1, 16);
  if (zero_points.empty()) scales.clear();
  graph.tensors.push_back({.shape = {4},
                           .type = type,
                           .variable = true,
                           .scales = std::move(scales),
                           .zero_points = std::move(zero_points)});
  graph.operators[0].inputs = {0, 2};
  const SmallModel model(graph);
  const TestArena arena(4096);
  std::fill_n(arena.start(), arena.bytes(), std::byte{0x77});
  const auto interpreter = MakeInterpreter(model, arena);
  EXPECT_EQ(interpreter->AllocateTensors(), Ok());
  std::span<std::byte> bytes;
  EXPECT_EQ(interpreter->TensorBytes(2, &bytes), Ok());
  EXPECT_EQ(std::ranges::count(bytes, bytes[0]), static_cast<std::ptrdiff_t>(bytes.size())) << "every byte of it";
  return bytes[0];
}

TEST(FirstValues, AreTheZeroPointOfInt8AndElseZero) {
  EXPECT_EQ(FirstValueOf(TensorType::kInt8, {-7}), std::byte{0xf9});
  EXPECT_EQ(FirstValueOf(TensorType::kInt8, {127}), std::byte{0x7f});
  EXPECT_EQ(FirstValueOf(TensorType::kInt8, {0}), std::byte{0});
  EXPECT_EQ(FirstValueOf(TensorType::kInt8, {}), std::byte{0});
  for (const TensorType type : {TensorType::kInt16, TensorType::kUInt8, TensorType::kInt32}) {
    EXPECT_EQ(FirstValueOf(type, {}), std::byte{0}) << static_cast<int>(type);
  }
  EXPECT_EQ(FirstValueOf(TensorType::kUInt8, {5}), std::byte{0});
}

}  // namespace
}  // namespace arenaproof::testing
