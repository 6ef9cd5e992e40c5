// A struct that describes a tensor of another subgraph than the first says where that one lies.
#include <gtest/gtest.h>

#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

TEST(TensorStructsOfSubgraphs, AreOfTheirOwn) {
  const MockScope mock;
  const SmallModel model(Chain(2, 24), {}, /*subgraph_count=*/3);
  const TestArena arena(8192);
  const auto interpreter = MakeInterpreter(model, arena, {.preserve_all_tensors = true});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  for (std::int32_t subgraph = 0; subgraph < 3; ++subgraph) {
    for (std::int32_t tensor = 0; tensor < 3; ++tensor) {
      std::span<std::byte> bytes;
      ASSERT_TRUE(interpreter->TensorBytes(tensor, &bytes, subgraph).ok());
      const Operand* persistent = nullptr;
      const Operand* temporary = nullptr;
      ASSERT_EQ(interpreter->AllocatePersistentTensor(tensor, &persistent, subgraph), Ok());
      ASSERT_EQ(interpreter->AllocateTemporaryTensor(tensor, &temporary, subgraph), Ok());
      for (const Operand* described : {persistent, temporary}) {
        EXPECT_EQ(described->data, bytes.data()) << subgraph << ", " << tensor;
        EXPECT_EQ(described->bytes, 24U);
        EXPECT_EQ(described->tensor_index, tensor);
      }
      EXPECT_EQ(interpreter->FreeTemporaryTensor(temporary), Ok());
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
