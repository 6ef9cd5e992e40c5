// How far the event stream checker compares each with each, how often an operator began, and what the runtime may open
// where a model or a second arena is there.
#include <gmock/gmock.h>

#include <string_view>

#include "core/model/model_view.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kLimitedBytes = 65536;
alignas(64) std::byte limited_arena[kLimitedBytes];
alignas(64) std::byte limited_tail[1024];

std::byte* LimitedAt(std::size_t offset) { return limited_arena + offset; }

TEST(EventLimits, OfAPlanAre1024BuffersThatAreComparedEachWithEach) {
  for (const std::size_t count : {std::size_t{1024}, std::size_t{1025}}) {
    EventStreamChecker checker;
    checker.OnAttach({{limited_arena, kLimitedBytes}, {}}, {});
    std::vector<PlanEntry> plan;
    for (std::size_t i = 0; i < count; ++i) {
      plan.push_back({.tensor = static_cast<std::int32_t>(i), .offset = 16 * i, .bytes = 16, .first = 0, .last = 1});
    }
    checker.OnPlanCommitted(limited_arena, plan);
    EXPECT_THAT(checker.inconsistencies(), IsEmpty());
    plan[count - 1].offset -= 16;
    checker.OnPlanCommitted(limited_arena, plan);
    EXPECT_EQ(checker.inconsistencies().size(), count == 1024 ? 1u : 0u);
    plan[count - 1].offset += 8;  // each by itself is looked at in any case
    checker.OnPlanCommitted(limited_arena, plan);
    EXPECT_THAT(checker.inconsistencies(), ::testing::Contains("alignment: plan: tensor " + std::to_string(count - 1) +
                                                               " does not start on a multiple of 16"));
  }
}

TEST(EventLimits, OfAListAre64OperandsThatAreComparedEachWithEach) {
  for (const std::size_t count : {std::size_t{64}, std::size_t{65}}) {
    EventStreamChecker checker;
    checker.OnAttach({{limited_arena, kLimitedBytes}, {}}, {});
    std::vector<PlanEntry> plan;
    std::vector<OperandRange> operands;
    for (std::size_t i = 0; i < count; ++i) {
      const auto tensor = static_cast<std::int32_t>(i);
      plan.push_back({.tensor = tensor, .offset = 16 * i, .bytes = 16, .first = 0, .last = 1});
      operands.push_back({LimitedAt(16 * i), 16, AccessRight::kRead, OperandKind::kInput, tensor});
    }
    // The last one shares bytes with the one before, which live at other times.
    plan.back().offset -= 16;
    operands.back().data -= 16;
    plan.back().first = plan.back().last = 5;
    checker.OnPlanCommitted(limited_arena, plan);
    checker.OnHeadResized({limited_arena, 2048});
    checker.OnOperatorBegins({.operands = operands});
    if (count == 64) {
      EXPECT_THAT(checker.inconsistencies(),
                  ElementsAre("access list of operator 0 of subgraph 0: operands 62 and 63 share bytes"));
    } else {
      EXPECT_THAT(checker.inconsistencies(), IsEmpty());
    }
  }
}

TEST(EventLimits, OfACountAreItsPhaseSubgraphAndOperator) {
  EventStreamChecker checker;
  checker.OnAttach({{limited_arena, kLimitedBytes}, {}}, {});
  checker.OnPlanCommitted(limited_arena, {});
  const auto run = [&](OperatorPhase phase, std::int32_t subgraph, std::int32_t index, int times) {
    for (int i = 0; i < times; ++i) {
      checker.OnOperatorBegins({.phase = phase, .subgraph = subgraph, .operator_index = index, .operands = {}});
      checker.OnOperatorEnds();
    }
  };
  constexpr auto kPrepare = OperatorPhase::kPrepare, kInvoke = OperatorPhase::kInvoke;
  run(kPrepare, 0, 0, 1), run(kInvoke, 0, 0, 2), run(kInvoke, 1, 0, 3), run(kInvoke, 0, 1, 4), run(kPrepare, 1, 1, 5);
  EXPECT_EQ(checker.BeginCount(kPrepare, 0, 0), 1u);
  EXPECT_EQ(checker.BeginCount(kInvoke, 0, 0), 2u);
  EXPECT_EQ(checker.BeginCount(kInvoke, 1, 0), 3u);
  EXPECT_EQ(checker.BeginCount(kInvoke, 0, 1), 4u);
  EXPECT_EQ(checker.BeginCount(kPrepare, 1, 1), 5u);
  EXPECT_EQ(checker.BeginCount(kInvoke, 1, 1), 0u);
}

// What resource variables hold is the lowest of a tail only where no graph's lists would lie below it.
TEST(EventLimits, OfWhatResourceVariablesHoldFollowFromTheModel) {
  for (const char* const lists : {"no model", "none", "inputs", "outputs"}) {
    ModelBuilder builder;
    SubgraphSpec& graph = builder.AddSubgraph();
    graph.AddTensor({.type = TensorType::kInt8, .shape = {{16}}});
    if (lists == std::string_view("inputs")) graph.inputs = {0};
    if (lists == std::string_view("outputs")) graph.outputs = {0};
    const std::vector<std::byte> file = builder.Finish();
    ModelView model;
    ASSERT_TRUE(ModelView::Open(file, &model).ok());
    EventStreamChecker checker;
    if (lists != std::string_view("no model")) checker.CompareWith(&model);
    checker.OnAttach({{limited_arena, kLimitedBytes}, {}}, {});
    checker.OnTailAllocated({LimitedAt(kLimitedBytes - 64), 64});
    const OperandRange lowest{LimitedAt(kLimitedBytes - 96), 32, AccessRight::kWrite, OperandKind::kDestination, 0};
    checker.OnRuntimeWorkBegins({RuntimeWork::kTensorCopy, -1, {&lowest, 1}});
    EXPECT_EQ(checker.inconsistencies().empty(), lists[0] == 'n') << lists;
  }
}

TEST(EventLimits, OfTheRuntimesWorkHoldInBothArenas) {
  EventStreamChecker checker;
  checker.OnAttach({{limited_arena, kLimitedBytes}, {limited_tail, 1024}}, {});
  checker.OnTailAllocated({limited_tail + 960, 64});
  checker.OnHeadResized({limited_arena, 512});
  const auto work = [&](RuntimeWork what, std::byte* data) {
    const OperandRange range{data, 32, AccessRight::kReadWrite, OperandKind::kRecord, 0};
    const std::size_t before = checker.inconsistencies().size();
    checker.OnRuntimeWorkBegins({what, -1, {&range, 1}});
    checker.OnRuntimeWorkEnds();
    if (checker.inconsistencies().size() == before) return true;
    EXPECT_EQ(checker.inconsistencies().back(),
              "the runtime's own work opens 32 bytes that are no block, no record and no tensor");
    return false;
  };
  EXPECT_TRUE(work(RuntimeWork::kPlanning, limited_tail + 960));
  EXPECT_FALSE(work(RuntimeWork::kPlanning, limited_tail + 900));
  EXPECT_FALSE(work(RuntimeWork::kPlanning, LimitedAt(0)));
  EXPECT_TRUE(work(RuntimeWork::kVariableFill, limited_tail + 900)) << "it holds what is not announced";
  EXPECT_FALSE(work(RuntimeWork::kVariableFill, limited_tail + 940)) << "partly";
  EXPECT_FALSE(work(RuntimeWork::kVariableFill, LimitedAt(1024))) << "the tail is the other arena";
  EXPECT_FALSE(work(RuntimeWork::kRecords, limited_tail + 960)) << "a part of the block";
}

}  // namespace
}  // namespace arenaproof::testing
