// An output that lies in a block of its operator, in the operator's list.
#include <gtest/gtest.h>

#include "ranges_of_support.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

// The block that an output fills is the output's range; what a longer one has besides is the block's.
TEST(PlacedOutputRanges, AreTheBlocksWhereTheyFillIt) {
  for (const std::size_t bytes : {64U, 65U}) {
    const MockScope mock;
    std::byte* block = nullptr;
    Mock().prepare = [&](PrepareContext& context) -> Status {
      ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(bytes, &block));
      return context.runtime->PlaceOutput(0, block);
    };
    const SmallModel model(Chain(1, 64));
    const TestArena arena(4096);
    EventLog log;
    const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
    ASSERT_TRUE(interpreter->Invoke().ok());
    const std::vector<OperandRange>& list = log.ranges.back();
    const std::vector<OperandRange> outputs = RangesOf(OperandKind::kOutput, list);
    ASSERT_EQ(outputs.size(), 1U);
    EXPECT_EQ(outputs[0].data, block);
    EXPECT_EQ(outputs[0].bytes, 64U);
    EXPECT_EQ(outputs[0].right, AccessRight::kReadWrite);
    EXPECT_EQ(RangesOf(OperandKind::kPersistent, list).size(), bytes == 64 ? 0U : 1U);
  }
}

}  // namespace
}  // namespace arenaproof::testing
