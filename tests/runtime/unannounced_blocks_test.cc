// What the runtime takes of the arena while a kernel calls it, and what is not the kernel's: scratch requests beyond
// the free slots, values of resource variables. No kernel is charged with such a block.
#include <gmock/gmock.h>

#include "control_run_support.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "kernels/reference/reference_kernels.h"
#include "two_logs_support.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(UnannouncedBlocks, AreScratchRequestsBeyondTheSlots) {
  const MockScope mock;
  EventLog bookkeeping;
  TwoLogs log(&bookkeeping);
  std::vector<std::size_t> told;
  Mock().prepare = [&](PrepareContext& context) -> Status {
    for (std::size_t i = 0; i < kScratchSlotsPerPrepare + 2; ++i) {
      ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(8));
      told.push_back(bookkeeping.tail_blocks.size());
    }
    return Ok();
  };
  const SmallModel model(Chain(1, 16));
  const TestArena arena(8192);
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_THAT(log.bracketed_tail_blocks, IsEmpty());
  ASSERT_EQ(told.size(), kScratchSlotsPerPrepare + 2);
  EXPECT_EQ(told[kScratchSlotsPerPrepare - 1], 0U) << "all slots are free";
  EXPECT_EQ(told[kScratchSlotsPerPrepare], 1U);
  EXPECT_EQ(told[kScratchSlotsPerPrepare + 1], 2U);
  for (const MemoryRegion& block : bookkeeping.tail_blocks) EXPECT_EQ(block.bytes, 2 * sizeof(std::size_t));
}

TEST(UnannouncedBlocks, AreValuesOfResourceVariables) {
  EventLog bookkeeping;
  TwoLogs log(&bookkeeping);
  ControlModel model;
  model.Subgraph();
  const auto x = model.Value(5), handle = model.Handle("v");
  model.Apply(BuiltinOperator::kAssignVariable, {handle, x}, {}).Bounds({x}, {});
  const ControlRun run(model, ReferenceKernels(), {.observer = &log, .resource_variable_count = 1}, 8192);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  std::vector<std::size_t> of_kernels, of_nobody;
  for (const MemoryRegion& block : log.bracketed_tail_blocks) of_kernels.push_back(block.bytes);
  for (const MemoryRegion& block : bookkeeping.tail_blocks) of_nobody.push_back(block.bytes);
  EXPECT_THAT(of_kernels, ElementsAre(4U)) << "the handle alone";
  EXPECT_THAT(of_nobody, ElementsAre(20U));
}

// A block that a kernel asks for is announced as it is, its spacing is not.
TEST(UnannouncedBlocks, AreTheBytesAroundAPersistentBlock) {
  const MockScope mock;
  EventLog bookkeeping;
  TwoLogs log(&bookkeeping);
  std::byte* block = nullptr;
  Mock().prepare = [&block](PrepareContext& context) { return context.services->AllocatePersistent(24, &block); };
  const SmallModel model(Chain(1, 16));
  const TestArena arena(8192);
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log, .persistent_spacing_bytes = 128});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  ASSERT_EQ(log.bracketed_tail_blocks.size(), 1U);
  EXPECT_EQ(log.bracketed_tail_blocks[0].data, block);
  EXPECT_EQ(log.bracketed_tail_blocks[0].bytes, 24U);
  ASSERT_EQ(bookkeeping.tail_blocks.size(), 2U);
  for (const MemoryRegion& spacing : bookkeeping.tail_blocks) EXPECT_EQ(spacing.bytes, 128U);
  EXPECT_EQ(bookkeeping.tail_blocks[1].data + 128, block) << "it ends where the block begins";
}

}  // namespace
}  // namespace arenaproof::testing
