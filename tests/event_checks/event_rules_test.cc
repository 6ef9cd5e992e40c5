// The rules of the event stream checker that no left out, repeated or changed event of its self-test breaks: what
// belongs to a second attach or plan, two arenas, bytes that are shared, and the runtime's own work.
#include <gmock/gmock.h>

#include <functional>

#include "sanitizers/event_checks/event_stream_checker.h"

namespace arenaproof::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kBytes = 2048;
alignas(64) std::byte events_arena[kBytes];
alignas(64) std::byte events_tail[kBytes + 8];

std::byte* At(std::size_t offset) { return events_arena + offset; }

class EventRules : public ::testing::Test {
 protected:
  void Attach() { checker_.OnAttach({{events_arena, kBytes}, {}}, {}); }
  void AttachPair() { checker_.OnAttach({{events_arena, kBytes}, {events_tail, kBytes + 8}}, {}); }
  void Plan(std::vector<PlanEntry> plan) { checker_.OnPlanCommitted(events_arena, plan); }
  void Begin(OperatorPhase phase, std::vector<OperandRange> operands = {}) {
    checker_.OnOperatorBegins({.phase = phase, .operands = operands});
  }
  void Work(RuntimeWork work, const OperandRange& operand) {
    checker_.OnRuntimeWorkBegins({work, -1, {&operand, 1}});
    checker_.OnRuntimeWorkEnds();
  }
  const std::vector<std::string>& found() const { return checker_.inconsistencies(); }

  EventStreamChecker checker_;
};

std::vector<PlanEntry> TwoTensors(std::size_t second_at, std::size_t second_bytes = 32) {
  return {{.tensor = 0, .offset = 0, .bytes = 32, .first = 0, .last = 1},
          {.tensor = 1, .offset = second_at, .bytes = second_bytes, .first = 1, .last = 2}};
}

TEST_F(EventRules, KnowNothingOfTheLastAttach) {
  const auto live = [this] {
    Attach();
    checker_.OnTailAllocated({At(kBytes - 64), 64});
    checker_.OnBytesShared(std::vector<BufferAlias>{});
    Plan(TwoTensors(32));
    checker_.OnHeadResized({At(0), 64});
    Begin(OperatorPhase::kInvoke);
    checker_.OnOperatorEnds();
    checker_.OnTemporaryAllocated({At(256), 32});
    checker_.OnTemporaryFreed(At(256));
    checker_.OnDetach();
  };
  live();
  live();
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(checker_.BeginCount(OperatorPhase::kInvoke, 0, 0), 1U);
  Attach();
  EXPECT_EQ(checker_.plan_count(), 0U);
  EXPECT_TRUE(checker_.plan().empty());
  EXPECT_TRUE(checker_.tail().empty());
  EXPECT_EQ(checker_.tail_begin(), At(kBytes));
  EXPECT_EQ(checker_.head().bytes, 0U);
  EXPECT_TRUE(checker_.temporary_region_is_reset());
  EXPECT_EQ(checker_.BeginCount(OperatorPhase::kInvoke, 0, 0), 0U);
  Begin(OperatorPhase::kInvoke);
  EXPECT_THAT(found(), ElementsAre("an operator is invoked without a plan"));
  Begin(OperatorPhase::kInvoke);  // the end of the one before was not announced
  checker_.OnDetach();
  const std::size_t before = found().size();
  Attach();
  checker_.OnTailAllocated({At(kBytes - 64), 64});  // nobody runs any more
  EXPECT_EQ(found().size(), before);
  EXPECT_EQ(checker_.tail()[0].owner_operator, -1);
}

TEST_F(EventRules, LetBuffersShareThatWereAnnouncedForThisPlanOnly) {
  Attach();
  checker_.OnBytesShared(std::vector<BufferAlias>{{.buffer = 1, .owner = 0}});
  Plan(TwoTensors(0));
  EXPECT_THAT(found(), IsEmpty());
  Plan(TwoTensors(0));
  EXPECT_THAT(found(), ElementsAre("plan: tensor 0 and tensor 1 share bytes while both are alive"));
}

TEST_F(EventRules, LetNoOthersShare) {
  Attach();
  checker_.OnBytesShared(std::vector<BufferAlias>{{.buffer = 1, .owner = 0}});
  Plan(TwoTensors(0, 16));
  EXPECT_EQ(found().size(), 1U) << "as many bytes";
  checker_.OnBytesShared(std::vector<BufferAlias>{{.buffer = 1, .owner = 0}});
  Plan(TwoTensors(16));
  EXPECT_EQ(found().size(), 2U) << "the very same bytes";
  std::vector<PlanEntry> third = TwoTensors(32);
  third.push_back({.tensor = 2, .offset = 0, .bytes = 32, .first = 0, .last = 9});
  checker_.OnBytesShared(std::vector<BufferAlias>{{.buffer = 1, .owner = 0}});
  Plan(third);
  EXPECT_EQ(found().size(), 3U) << "of one group";
}

TEST_F(EventRules, CompareOnlyWhatIsAliveTogether) {
  Attach();
  std::vector<PlanEntry> apart = TwoTensors(0);
  apart[1].first = 2;
  Plan(apart);
  apart = TwoTensors(0);
  apart[1].first = apart[1].last = -1;
  Plan(apart);
  apart = TwoTensors(0);
  apart[0].first = apart[0].last = -1;
  Plan(apart);
  Plan(TwoTensors(16, 0));
  EXPECT_THAT(found(), IsEmpty());
  std::vector<PlanEntry> meeting = TwoTensors(0);
  meeting[1].first = meeting[1].last = 1;
  Plan(meeting);
  std::swap(meeting[0], meeting[1]);
  Plan(meeting);
  EXPECT_EQ(found().size(), 2U);
}

TEST_F(EventRules, OfTheDilatedLayoutAskForTheWholeDistance) {
  for (const bool trust : {false, true}) {
    EventStreamChecker dilated({.distance_bytes = 128, .trust_plan = trust});
    dilated.OnAttach({{events_arena, kBytes}, {}}, {});
    dilated.OnPlanCommitted(events_arena, TwoTensors(32 + 128));
    EXPECT_THAT(dilated.inconsistencies(), IsEmpty());
    dilated.OnPlanCommitted(events_arena, TwoTensors(32 + 112));
    EXPECT_EQ(dilated.inconsistencies().size(), trust ? 0U : 1U);
    std::vector<PlanEntry> upside_down = TwoTensors(32 + 112);
    std::swap(upside_down[0], upside_down[1]);
    dilated.OnPlanCommitted(events_arena, upside_down);
    dilated.OnPlanCommitted(events_arena, TwoTensors(0));
    EXPECT_EQ(dilated.inconsistencies().size(), trust ? 0U : 3U);
  }
}

TEST_F(EventRules, KeepTwoArenasApart) {
  AttachPair();
  EXPECT_EQ(checker_.tail_end(), events_tail + kBytes);
  checker_.OnHeadResized({At(0), 64});
  checker_.OnTemporaryAllocated({At(kBytes - 32), 32});  // no tail is in its way
  checker_.OnTemporaryFreed(At(kBytes - 32));
  checker_.OnTemporariesReset();
  checker_.OnTailAllocated({events_tail + kBytes - 64, 64});
  checker_.OnTailAllocated({events_tail, 32});
  checker_.OnTailRewound(events_tail + kBytes - 64);
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(checker_.tail().size(), 1U);
  checker_.OnTemporaryAllocated({events_tail, 32});
  EXPECT_THAT(found(), Contains("a temporary of 32 bytes leaves the arena"));
  checker_.OnTailAllocated({At(0), 16});
  EXPECT_THAT(found(), Contains("a tail block of 16 bytes leaves the arena"));
  checker_.OnTemporaryFreed(events_tail);
  checker_.OnTemporariesReset();
  checker_.OnHeadResized({events_tail, 16});
  EXPECT_THAT(found(), Contains("the head leaves the arena"));
}

TEST_F(EventRules, LetATailBeRewoundToWhereItHasBeen) {
  Attach();
  checker_.OnTailAllocated({At(kBytes - 64), 64});
  checker_.OnTailAllocated({At(kBytes - 128), 64});
  checker_.OnTailAllocated({At(kBytes - 192), 64});
  checker_.OnTailRewound(At(kBytes - 64));
  EXPECT_EQ(checker_.tail().size(), 1U);
  checker_.OnTailAllocated({At(kBytes - 96), 32});
  checker_.OnTailRewound(At(kBytes));
  EXPECT_TRUE(checker_.tail().empty());
  EXPECT_THAT(found(), IsEmpty());
  checker_.OnTailRewound(At(kBytes) + 1);
  EXPECT_EQ(found().size(), 1U);
}

TEST_F(EventRules, ExplainGapsOfTheTailByAlignmentAndSpacing) {
  for (const std::size_t spacing : {std::size_t{0}, std::size_t{64}}) {
    EventStreamChecker spaced({.persistent_spacing_bytes = spacing});
    spaced.OnAttach({{events_arena, kBytes}, {}}, {});
    const std::size_t explained = 15 + 2 * spacing;
    spaced.OnTailAllocated({At(kBytes - explained - 16), 16});
    EXPECT_EQ(spaced.unexplained_tail_bytes(), 0U);
    spaced.OnTailAllocated({At(kBytes - 2 * explained - 3 - 32), 16});
    EXPECT_EQ(spaced.unexplained_tail_bytes(), 3U);
  }
}

TEST_F(EventRules, LetOnlyCalledOperatorsBeginWithALiveTemporary) {
  Attach();
  checker_.OnTemporaryAllocated({At(256), 16});
  Begin(OperatorPhase::kPrepare);
  EXPECT_THAT(found(), ElementsAre("an operator begins with a live temporary"));
  checker_.OnRuntimeEnters();
  Begin(OperatorPhase::kPrepare);
  checker_.OnOperatorEnds();
  checker_.OnRuntimeLeaves();
  checker_.OnOperatorEnds();
  EXPECT_EQ(found().size(), 1U);
}

TEST_F(EventRules, KeepSixteenInconsistencies) {
  for (int i = 0; i < 40; ++i) checker_.OnDetach();
  EXPECT_EQ(found().size(), EventStreamChecker::kMaxInconsistencies);
}

// Which bytes each work may open, of those in the arena.
TEST_F(EventRules, KnowWhatEachWorkOfTheRuntimeMayOpen) {
  Attach();
  checker_.OnTailAllocated({At(kBytes - 64), 64});
  checker_.OnTailAllocated({At(kBytes - 160), 64});  // 32 unannounced bytes between the two
  Plan(TwoTensors(32));
  checker_.OnHeadResized({At(0), 96});
  checker_.OnTemporaryAllocated({At(256), 128});
  constexpr auto kPlanning = RuntimeWork::kPlanning, kCopy = RuntimeWork::kTensorCopy,
                 kFill = RuntimeWork::kVariableFill, kRecords = RuntimeWork::kRecords;
  static std::byte elsewhere[16];
  struct {
    RuntimeWork work;
    OperandKind kind;
    std::byte* data;
    std::size_t bytes;
    bool may;
  } const rows[] = {
      {kPlanning, OperandKind::kWorkspace, At(256), 128, true},
      {kPlanning, OperandKind::kWorkspace, At(300), 20, true},
      {kPlanning, OperandKind::kWorkspace, At(256), 129, false},
      {kPlanning, OperandKind::kWorkspace, At(255), 16, false},
      {kPlanning, OperandKind::kWorkspace, At(kBytes - 64), 16, false},
      {kPlanning, OperandKind::kWorkspace, At(0), 16, false},
      {kPlanning, OperandKind::kRecord, At(300), 20, true},
      {kPlanning, OperandKind::kRecord, At(kBytes - 64), 64, true},
      {kPlanning, OperandKind::kRecord, At(kBytes - 96), 16, false},
      {kPlanning, OperandKind::kRecord, At(512), 16, false},
      {kPlanning, OperandKind::kRecord, elsewhere, 16, true},
      {kRecords, OperandKind::kRecord, At(kBytes - 160), 64, true},
      {kRecords, OperandKind::kRecord, At(kBytes - 160), 32, false},
      {kRecords, OperandKind::kRecord, At(kBytes - 64), 64, false},
      {kCopy, OperandKind::kSource, At(0), 32, true},
      {kCopy, OperandKind::kSource, At(32), 32, true},
      {kCopy, OperandKind::kSource, At(16), 32, false},
      {kCopy, OperandKind::kDestination, At(64), 16, false},
      {kCopy, OperandKind::kDestination, At(64), 0, true},
      {kCopy, OperandKind::kDestination, At(kBytes - 96), 32, true},
      {kCopy, OperandKind::kDestination, At(kBytes - 96), 33, false},
      {kCopy, OperandKind::kSource, At(kBytes - 64), 8, true},
      {kFill, OperandKind::kVariable, At(kBytes - 96), 16, true},
      {kFill, OperandKind::kVariable, At(80), 16, false},
      {kFill, OperandKind::kVariable, elsewhere, 16, true},
  };
  std::size_t refused = 0;
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    Work(rows[i].work, {rows[i].data, rows[i].bytes, AccessRight::kReadWrite, rows[i].kind, 0});
    refused += rows[i].may ? 0 : 1;
    ASSERT_EQ(found().size(), refused) << "row " << i;
  }
  EXPECT_EQ(refused, 12U);
  EXPECT_THAT(found(), ::testing::Each(HasSubstr("that are no block, no record and no tensor")));
}

}  // namespace
}  // namespace arenaproof::testing
