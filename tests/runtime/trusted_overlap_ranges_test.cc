// Tensors that a trusted offline plan lays on each other are as many ranges as they are, and none is in place: what the
// application answers for is nothing that the operator was let do.
#include <gtest/gtest.h>

#include "engine/harness/event_log.h"
#include "test_arena_support.h"
#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

// It would take either input's bytes for its output, if the plan had let it.
const Kernel kOverlaid{.op = BuiltinOperator::kCustom,
                       .name = "overlaid",
                       .invoke = [](const InvokeContext&) { return Ok(); },
                       .custom_name = "mock_custom",
                       .sharing = kSharesInput0 | kSharesInput1};
const KernelSet kOverlaidSet{"overlaid", {&kOverlaid, 1}, nullptr};

TEST(TrustedOverlapRanges, AreEachATensorsOwnAndNotInPlace) {
  const auto model = OfflineModel(3, {1, 0, 3, 0, 0, 0}, {{{0, 1}, {2}}});
  const TestArena arena(8192);
  EventLog log;
  Interpreter interpreter(model->view(), kOverlaidSet, arena.start(), arena.bytes(),
                          {.observer = &log, .offline_plan = {.trust = true}});
  ASSERT_EQ(interpreter.Invoke(), Ok());
  const std::vector<OperandRange>& list = log.ranges.back();
  ASSERT_EQ(list.size(), 3U);
  for (std::int32_t i = 0; i < 3; ++i) {
    const OperandRange& range = list[static_cast<std::size_t>(i)];
    EXPECT_EQ(range.data, arena.start());
    EXPECT_EQ(range.bytes, 48U);
    EXPECT_EQ(range.index, i);
    EXPECT_EQ(range.kind, i == 2 ? OperandKind::kOutput : OperandKind::kInput);
    EXPECT_EQ(range.right, i == 2 ? AccessRight::kReadWrite : AccessRight::kRead);
  }
}

}  // namespace
}  // namespace arenaproof::testing
