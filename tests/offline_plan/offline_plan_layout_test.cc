// V17 to V30 and the invariants: plans against the tensors they are for.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/alignment.h"
#include "core/planner/linear_planner.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "plan_model_support.h"
#include "tools/text/sentences.h"

namespace arenaproof::testing {
namespace {

using Offsets = std::vector<std::int64_t>;

PlanOutcome ChainWith(const Words& offsets, const PlanSetUp& how = {}) {
  PlanModel model = Chain(static_cast<std::int32_t>(offsets.size()));
  model.WithPlan(offsets);
  return SetUpModel(model.Build(), how);
}

std::vector<std::string> Warnings(const PlanOutcome& outcome) {
  std::vector<std::string> warnings;
  for (const Status& warning : outcome.recorded.warnings()) warnings.push_back(Text(warning));
  return warnings;
}

PlanOutcome SetUpModelWith(const std::vector<PlanSubgraph>& subgraphs, const Words& offsets,
                           const PlanSetUp& how = {}) {
  PlanModel model(subgraphs);
  model.WithPlan(offsets);
  return SetUpModel(model.Build(), how);
}

// ---- the worked examples

TEST(OfflinePlanExamples, FixedTensorsAreExactlyWhereThePlanPutsThem) {
  EXPECT_EQ(ChainWith({0, 48, 0, 48}).offsets, (Offsets{0, 48, 0, 48}));
}

TEST(OfflinePlanExamples, OthersArePlacedAroundThem) {
  PlanModel model(5, {{{0, 1}, {2}}, {{2}, {3, 4}}});
  model.WithPlan({0, 48, -1, 0, -1});
  EXPECT_EQ(SetUpModel(model.Build()).offsets, (Offsets{0, 48, 96, 0, 48}));
}

TEST(OfflinePlanExamples, OverlappingAliveTogetherIsV20) {
  EXPECT_EQ(Text(ChainWith({0, 32, -1}).status), "kOfflinePlanLiveOverlap 0 0 1 32");
}

TEST(OfflinePlanExamples, FortyIsV17AndMinusTwoIsV16) {
  EXPECT_EQ(Text(ChainWith({0, 40, -1}).status), "kOfflinePlanMisaligned 0 1 40 0");
  EXPECT_EQ(Text(ChainWith({0, -2, -1}).status), "kOfflinePlanNegativeOffset 0 1 -2 0");
}

TEST(OfflinePlanExamples, OperatorInputsThatNobodyMakesOverlapOnlyWithTrust) {
  PlanModel model(5, {{{0, 1, 2}, {3}}, {{3}, {4}}}, 1);
  model.WithPlan({0, 0, 0, 48, -1});
  EXPECT_EQ(Text(SetUpModel(model.Build()).status), "kOfflinePlanLiveOverlap 0 0 1 0");
  const PlanOutcome trusted = SetUpModel(model.Build(), {.trust = true});
  EXPECT_EQ(trusted.offsets, (Offsets{0, 0, 0, 48, 0}));
  EXPECT_EQ(trusted.recorded.trusted_overlaps().size(), 3u);  // (0,1), (0,2), (1,2)
}

// ---- rules

TEST(OfflinePlanRules, V17LooksAtPlacedTensorsOnly) {
  EXPECT_TRUE(SetUpModelWith({{{{}, {.constant = true}, {}}, {{{0, 1}, {2}}}, {0}, {2}}}, {0, 7, 48}).status.ok());
  EXPECT_EQ(Text(SetUpModelWith({{{{}, {.bytes = 0}, {}}, {{{0, 1}, {2}}}, {0}, {2}}}, {0, 7, 56}).status),
            "kOfflinePlanMisaligned 0 2 56 0");
}

TEST(OfflinePlanRules, V18EndsBeyondThirtyOneBitsAreRefusedBeforeTheRoomIsLookedAt) {
  EXPECT_EQ(Text(ChainWith({0x7FFFFFF0, -1}).status), "kOfflinePlanOffsetOverflow 0 0 2147483632 48");
  EXPECT_EQ(Text(ChainWith({0x7FFFFFD0, -1}).status), "kOfflinePlanOffsetOverflow 0 0 2147483600 48");
  EXPECT_EQ(ChainWith({0x7FFFFFC0, -1}).status.code, StatusCode::kOfflinePlanOutsideHead);
}

TEST(OfflinePlanRules, V19TheLastByteOfTheRoomMayBeUsedAndNoneMore) {
  const PlanOutcome small = ChainWith({0, 48});
  ASSERT_TRUE(small.status.ok());
  // Where the tail ends is known from a refusal: the room it names.
  const Status far = ChainWith({0, 1 << 20}).status;
  ASSERT_EQ(far.code, StatusCode::kOfflinePlanOutsideHead);
  const auto room = static_cast<std::int32_t>(far.detail[3]);
  const std::int32_t last = (room - 48) / 16 * 16;
  EXPECT_EQ(ChainWith({0, last}).offsets, (Offsets{0, last}));
  const Status refused = ChainWith({0, last + 16}).status;
  EXPECT_EQ(refused,
            Failure(StatusCode::kOfflinePlanOutsideHead, 0, 1, static_cast<std::uint64_t>(last + 16) << 32 | 48, room));
}

TEST(OfflinePlanRules, V20NamesTheFirstPairByIndexWithAllItsNumbers) {
  // All alive together: (0,3), (1,2) overlap; 0 is the lowest first index.
  PlanModel model(5, {{{0, 1, 2, 3}, {4}}});
  model.WithPlan({0, 64, 96, 32, 256});
  const PlanOutcome outcome = SetUpModel(model.Build());
  EXPECT_EQ(Text(outcome.status), "kOfflinePlanLiveOverlap 0 0 3 32");
  ASSERT_TRUE(outcome.recorded.refused_overlap());
  const OfflineTensor second = outcome.recorded.refused_overlap()->second;
  EXPECT_EQ(second.offset, 32u);
  EXPECT_EQ(second.bytes, 48u);
  EXPECT_EQ(std::pair(second.first, second.last), std::pair(0, 1));
  const std::string sentence = outcome.recorded.RefusalSentence(model.Build(), outcome.status);
  EXPECT_NE(sentence.find("rule V20 of docs/offline_plans.md: tensor 0 of subgraph 0 (48 bytes at offset 0, alive in "
                          "steps 0 to 1) and tensor 3 of "
                          "subgraph 0 (48 bytes at offset 32, alive in steps 0 to 1)"),
            std::string::npos)
      << sentence;
}

TEST(OfflinePlanRules, V20CountsSizesRoundedUp) {
  const std::vector<PlanSubgraph> model = {{{{.bytes = 17}, {.bytes = 1}}, {{{0}, {1}}}, {0}, {1}}};
  EXPECT_EQ(Text(SetUpModelWith(model, {0, 16}).status), "kOfflinePlanLiveOverlap 0 0 1 16");
  EXPECT_TRUE(SetUpModelWith(model, {0, 32}).status.ok());
}

TEST(OfflinePlanRules, V21SharedBytesAtDifferentTimesAreThePurpose) {
  const PlanOutcome outcome = ChainWith({0, 48, 16, 80});  // t0 [0,1], t1 [1,2], t2 [2,3]: 16..63 and 48..95 overlap
  EXPECT_EQ(outcome.status.code, StatusCode::kOfflinePlanLiveOverlap);
  EXPECT_TRUE(ChainWith({0, 64, 16, 80}).status.ok());
}

TEST(OfflinePlanRules, V22OffsetsOfConstantsAreNotUsedAndWarnedAboutOnce) {
  const PlanOutcome outcome = SetUpModelWith(
      {{{{}, {.constant = true}, {.constant = true}, {}}, {{{0, 1, 2}, {3}}}, {0}, {3}}}, {0, 0, 40, 48});
  ASSERT_TRUE(outcome.status.ok()) << Text(outcome.status);
  EXPECT_EQ(Warnings(outcome), std::vector<std::string>{"kOfflinePlanForConstant 0 1 0 2"});
  EXPECT_EQ(outcome.offsets, (Offsets{0, kNoOffset, kNoOffset, 48}));
}

TEST(OfflinePlanRules, V22OffsetsOfConstantsAreRefusedByAStrictMode) {
  const std::vector<PlanSubgraph> model = {
      {{{}, {.constant = true}, {.constant = true}, {}}, {{{0, 1, 2}, {3}}}, {0}, {3}}};
  const PlanOutcome refused = SetUpModelWith(model, {0, -1, 40, 48}, {.strict = true});
  EXPECT_EQ(Text(refused.status), "kOfflinePlanConstantTensor 0 2 40 0");
  EXPECT_TRUE(Warnings(refused).empty());
  EXPECT_TRUE(refused.plan.empty());
  EXPECT_NE(refused.recorded.RefusalSentence({}, refused.status)
                .find("rule V22 of docs/offline_plans.md: tensor 2 of subgraph 0 has offset 40"),
            std::string::npos);
  EXPECT_EQ(SetUpModelWith(model, {0, -1, -1, 48}, {.strict = true}).offsets, (Offsets{0, kNoOffset, kNoOffset, 48}));
  // Also when nothing is placed, and what is not a constant in the arena is not one here.
  EXPECT_EQ(Text(SetUpModelWith(model, {-1, 0, -1, -1}, {.strict = true}).status),
            "kOfflinePlanConstantTensor 0 1 0 0");
  EXPECT_TRUE(
      SetUpModelWith({{{{}, {.bytes = 0}, {}}, {{{0, 1}, {2}}}, {0}, {2}}}, {0, 3, 48}, {.strict = true}).status.ok());
}

TEST(OfflinePlanRules, V22StrictComesAfterV20AndBeforeV25) {
  const std::vector<PlanSubgraph> model = {
      {{{}, {.constant = true}, {}, {.variable = true}}, {{{0, 1, 3}, {2}}}, {0}, {2}}};
  EXPECT_EQ(SetUpModelWith(model, {0, 0, 0, 0}, {.strict = true}).status.code, StatusCode::kOfflinePlanLiveOverlap);
  const PlanSetUp trusted{.trust = true, .strict = true};
  EXPECT_EQ(SetUpModelWith(model, {0, 0, 0, 0}, trusted).status.code, StatusCode::kOfflinePlanConstantTensor);
  EXPECT_EQ(SetUpModelWith(model, {0, -1, 0, 0}, trusted).status.code, StatusCode::kOfflinePlanSharedVariable);
}

TEST(OfflinePlanRules, V23OffsetsOfTensorsWithoutBytesAreIgnored) {
  const PlanOutcome outcome = SetUpModelWith({{{{}, {.bytes = 0}, {}}, {{{0, 1}, {2}}}, {0}, {2}}}, {0, 3, 48});
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_TRUE(Warnings(outcome).empty());
  EXPECT_EQ(outcome.offsets, (Offsets{0, kNoOffset, 48}));
}

TEST(OfflinePlanRules, V24OffsetsOfTensorsThatAKernelGaveMemoryAreNotUsedAndWarnedAbout) {
  Behavior().place_outputs = true;
  // t0 -> t1 -> t2: both t1 and t2 have memory when the plan is looked at, and none of the head.
  const PlanOutcome outcome = ChainWith({0, 0, 40});
  const PlanOutcome online = ChainWith({0, -1, -1});
  Behavior() = {};
  ASSERT_TRUE(outcome.status.ok()) << Text(outcome.status);
  EXPECT_EQ(Warnings(outcome), std::vector<std::string>{"kOfflinePlanForSupplied 0 1 0 2"});
  EXPECT_EQ(outcome.offsets, (Offsets{0, kNoOffset, kNoOffset}));
  EXPECT_EQ(outcome.head_bytes, 48u);
  EXPECT_TRUE(Warnings(online).empty());
}

// Registration refuses such a tensor; when the plan gets its offset only afterwards, the set-up does.
TEST(OfflinePlanRules, V24AnOffsetOfATensorThatTheApplicationSuppliesIsRefused) {
  alignas(64) std::byte buffer[64];
  PlanModel model = Chain(3);
  model.WithPlan({-1, -1, -1});
  const ValidatedModel& view = model.Build();
  std::vector<std::byte> memory((1 << 14) + 64);
  std::byte* const start = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
  OfflinePlanRecorder recorded;
  InterpreterOptions options;
  options.offline_plan = {.listener = &recorded};
  const auto interpreter = std::make_unique<Interpreter>(view, DoNothingKernels(), start, 1 << 14, options);
  ASSERT_TRUE(interpreter->RegisterPreallocatedTensor(0, 1, buffer, sizeof buffer).ok());
  model.OverwritePlan(PlanBytes({0, 96, 48}));
  EXPECT_EQ(Text(interpreter->AllocateTensors()), "kOfflinePlanSuppliedTensor 0 1 96 0");
  EXPECT_TRUE(recorded.warnings().empty());
  model.OverwritePlan(PlanBytes({-1, 0, -1}));  // also when nothing is placed
  EXPECT_EQ(Text(interpreter->AllocateTensors()), "kOfflinePlanSuppliedTensor 0 1 0 0");
  model.OverwritePlan(PlanBytes({0, -1, 48}));
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
}

TEST(OfflinePlanRules, V25AVariablesBytesAreNobodyElsesWhenever) {
  // The variable is used by the first operator only; t3 lives later.
  const std::vector<PlanSubgraph> model = {{{{}, {.variable = true}, {}, {}}, {{{0, 1}, {2}}, {{2}, {3}}}, {0}, {3}}};
  EXPECT_EQ(Text(SetUpModelWith(model, {0, 48, 96, 48}).status), "kOfflinePlanSharedVariable 0 1 3 48");
  EXPECT_EQ(Text(SetUpModelWith(model, {0, 48, 96, 48}, {.trust = true}).status),
            "kOfflinePlanSharedVariable 0 1 3 48");
  EXPECT_TRUE(SetUpModelWith(model, {0, 48, 96, 0}).status.ok());
}

TEST(OfflinePlanRules, V25OnlineTensorsAndScratchKeepOffAVariable) {
  Behavior().scratch_bytes = {16};
  const PlanOutcome outcome =
      SetUpModelWith({{{{}, {.variable = true}, {}, {}}, {{{0, 1}, {2}}, {{2}, {3}}}, {0}, {3}}}, {-1, 0, -1, -1});
  Behavior() = {};
  ASSERT_TRUE(outcome.status.ok()) << Text(outcome.status);
  ASSERT_EQ(outcome.scratch_offsets.size(), 2u);
  for (std::size_t i : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) EXPECT_GE(outcome.offsets[i], 48) << i;
  for (const std::int64_t offset : outcome.scratch_offsets) EXPECT_GE(offset, 48);
}

TEST(OfflinePlanRules, V25AVariableInAHeadThatSeveralModelsUseIsAWarning) {
  const std::vector<PlanSubgraph> model = {
      {{{}, {.variable = true}, {.variable = true}, {.variable = true}, {}}, {{{0, 1, 2, 3}, {4}}}, {0}, {4}}};
  const PlanSetUp shared{.shared_allocator = true};
  EXPECT_EQ(Warnings(SetUpModelWith(model, {-1, -1, 48, 96, -1}, shared)),
            std::vector<std::string>{"kOfflinePlanSharedAllocator 0 2 48 2"});
  EXPECT_TRUE(Warnings(SetUpModelWith(model, {-1, -1, 48, 96, -1})).empty()) << "alone it keeps its value";
  EXPECT_TRUE(Warnings(SetUpModelWith(model, {0, -1, -1, -1, 48}, shared)).empty()) << "in the tail it keeps its value";
}

TEST(OfflinePlanRules, V26ReusedInputsAreAWarning) {
  const PlanOutcome outcome = ChainWith({0, 48, 0});
  ASSERT_TRUE(outcome.status.ok());
  EXPECT_EQ(Warnings(outcome), std::vector<std::string>{"kOfflinePlanReusedInput 0 0 2 0"});
  EXPECT_TRUE(Warnings(ChainWith({0, 48, 96})).empty());
  // The input is named first, also where the other tensor stands before it.
  EXPECT_EQ(Warnings(SetUpModelWith({{std::vector<PlanTensor>(3), {{{1}, {2}}, {{2}, {0}}}, {1}, {0}}}, {0, 0, 48})),
            std::vector<std::string>{"kOfflinePlanReusedInput 0 1 0 0"});
}

TEST(OfflinePlanRules, V27TensorsThatNobodyUsesMayOverlapAnything) {
  const PlanOutcome outcome = SetUpModelWith({{{{}, {}, {}, {}}, {{{0}, {1}}}, {0}, {1}}}, {0, 48, 16, 16});
  ASSERT_TRUE(outcome.status.ok()) << Text(outcome.status);
  EXPECT_EQ(outcome.offsets, (Offsets{0, 48, 16, 16}));
  EXPECT_TRUE(Warnings(outcome).empty());
}

TEST(OfflinePlanRules, V28ASubgraphThatNobodyInvokesIsPlacedAsGivenWithinTheRoom) {
  const std::vector<PlanSubgraph> model = {{{{}, {}}, {{{0}, {1}}}, {0}, {1}}, {{{}, {}}, {{{0}, {1}}}, {0}, {1}}};
  EXPECT_EQ(SetUpModelWith(model, {0, 48, 0, 0}).offsets, (Offsets{0, 48, 0, 0}));
  EXPECT_EQ(Text(SetUpModelWith(model, {0, 48, 0, 8}).status), "kOfflinePlanMisaligned 0 4294967297 8 0");
  EXPECT_EQ(SetUpModelWith(model, {0, 48, 0, 1 << 20}).status.code, StatusCode::kOfflinePlanOutsideHead);
}

TEST(OfflinePlanRules, V29APlannerWithoutFixedOffsetsIsNamedUnlessNothingIsFixed) {
  LinearPlanner linear;
  const PlanOutcome refused = ChainWith({0, -1, -1}, {.planner = &linear});
  EXPECT_EQ(refused.status.code, StatusCode::kOfflinePlanPlanner);
  EXPECT_NE(refused.recorded.RefusalSentence({}, refused.status).find("the planner 'linear'"), std::string::npos);
  EXPECT_EQ(ChainWith({-1, -1, -1}, {.planner = &linear}).offsets, (Offsets{0, 48, 96}));
  // Only entries of placed tensors count, and V20 comes first.
  EXPECT_TRUE(
      SetUpModelWith({{{{}, {.constant = true}, {}}, {{{0, 1}, {2}}}, {0}, {2}}}, {-1, 0, -1}, {.planner = &linear})
          .status.ok());
  EXPECT_EQ(ChainWith({0, 0, -1}, {.planner = &linear}).status.code, StatusCode::kOfflinePlanLiveOverlap);
}

// Whatever it holds, and with a planner that takes no fixed offsets too: as if it were not there.
TEST(IgnoredPlans, ChangeNothing) {
  for (const Words& plan : {Words{96, 0, 48}, Words{0, 0, 0}, Words{0, 40, -1}, Words{0, -2, -1}, Words{0, 48}}) {
    LinearPlanner linear;
    for (MemoryPlanner* const planner : {static_cast<MemoryPlanner*>(nullptr), static_cast<MemoryPlanner*>(&linear)}) {
      PlanModel without = Chain(3), model = Chain(3);
      const PlanOutcome none = SetUpModel(without.Build(), {.planner = planner});
      model.WithPlan(plan);
      const PlanOutcome ignored = SetUpModel(model.Build(), {.planner = planner, .ignore = true});
      ASSERT_TRUE(ignored.status.ok()) << Text(ignored.status);
      EXPECT_EQ(ignored.offsets, none.offsets);
      EXPECT_EQ(ignored.tail_bytes, none.tail_bytes);
      EXPECT_FALSE(ignored.recorded.summary());
      EXPECT_TRUE(Warnings(ignored).empty());
    }
  }
}

TEST(OfflinePlanRules, V30APlanThatIsATensorsDataTooIsAWarning) {
  PlanModel model({{{{}, {.bytes = 24, .constant = true}, {}}, {{{0, 1}, {2}}}, {0}, {2}}});
  model.builder.buffers[1].data = PlanBytes({0, -1, 48});
  model.builder.metadata.push_back({std::string(kOfflinePlanName), 1});
  const PlanOutcome outcome = SetUpModel(model.Build());
  ASSERT_TRUE(outcome.status.ok()) << Text(outcome.status);
  EXPECT_EQ(Warnings(outcome), std::vector<std::string>{"kOfflinePlanSharedBuffer 0 1 1 0"});
}

TEST(OfflinePlanRules, WarningsAreReportedInTheOrderOfTheRules) {
  // Input, constant whose buffer is the plan's, variable, its reader's output on the input's bytes, a placed output.
  Behavior().place_outputs = false;
  PlanModel model(
      {{{{}, {.bytes = 32, .constant = true}, {.variable = true}, {}, {}}, {{{0, 1, 2}, {3}}, {{3}, {4}}}, {0}, {4}}});
  const std::vector<std::byte> plan = PlanBytes({0, 0, 96, 48, 0});
  model.WithPlanBytes({}, "OfflineMemoryAlloc");
  model.builder.buffers[1].data = plan;
  model.builder.metadata.push_back({std::string(kOfflinePlanName), 1});
  model.builder.metadata.push_back({std::string(kOfflinePlanName), 1});
  const PlanOutcome outcome = SetUpModel(model.Build(), {.shared_allocator = true});
  ASSERT_TRUE(outcome.status.ok()) << Text(outcome.status);
  std::vector<std::string> names;
  for (const Status& warning : outcome.recorded.warnings()) names.emplace_back(StatusName(warning.code));
  EXPECT_EQ(names, (std::vector<std::string>{"kOfflinePlanNameAlmost", "kOfflinePlanRepeated",
                                             "kOfflinePlanForConstant", "kOfflinePlanSharedAllocator",
                                             "kOfflinePlanReusedInput", "kOfflinePlanSharedBuffer"}));
}

// ---- trust

TEST(TrustedPlans, ListEveryPairThatIsAliveTogetherAndSharesBytes) {
  // A plan as Vela writes it: everything alive at once, at 0, two scratch tensors that nobody makes among it.
  PlanModel model({{{{}, {.constant = true}, {.constant = true}, {}, {}, {}}, {{{5, 1, 2, 3, 4}, {0}}}, {5}, {0}}});
  model.WithPlan({0, -1, -1, 0, 0, 0}, {.version = 0, .subgraph_count = 1});
  EXPECT_EQ(SetUpModel(model.Build()).status.code, StatusCode::kOfflinePlanLiveOverlap);
  const PlanOutcome trusted = SetUpModel(model.Build(), {.trust = true});
  ASSERT_TRUE(trusted.status.ok()) << Text(trusted.status);
  EXPECT_EQ(trusted.recorded.trusted_overlaps().size(), 6u);
  EXPECT_EQ(trusted.head_bytes, 48u);
  const OfflinePlanReport report = MakeOfflinePlanReport(model.Build(), trusted.recorded);
  EXPECT_EQ(report.summary, "offline plan in metadata entry 0: fixes 4 of 6 tensors");
  EXPECT_EQ(report.trusted_overlaps.size(), 6u);
  EXPECT_EQ(report.trusted_overlaps[0],
            "tensor 0 of subgraph 0 (48 bytes at offset 0, alive in step 1) and tensor 3 of subgraph 0 (48 bytes at "
            "offset 0, alive in steps -1 to 1) share bytes from offset 0 on");
}

TEST(TrustedPlans, ChangeNothingForAPlanThatNeedsNoTrust) {
  const PlanOutcome plain = ChainWith({0, 48, -1, 48});
  const PlanOutcome trusted = ChainWith({0, 48, -1, 48}, {.trust = true});
  EXPECT_EQ(plain.offsets, trusted.offsets);
  EXPECT_TRUE(trusted.recorded.trusted_overlaps().empty());
}

TEST(TrustedPlans, DoNotLetOnlineTensorsShareWithFixedOnes) {
  PlanModel model(4, {{{0, 1, 2}, {3}}});
  model.WithPlan({0, 16, -1, -1});
  const PlanOutcome outcome = SetUpModel(model.Build(), {.trust = true});
  ASSERT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.offsets, (Offsets{0, 16, 112, 64}));
}

// ---- variables

TEST(OfflineVariables, HaveOneHomeAndItIsTheirOwnEntrysToSay) {
  // Tensor 1 of subgraph 0 is a variable in the head; that of subgraph 1 has another entry and lives in the tail.
  const PlanSubgraph subgraph = {{{}, {.variable = true}, {}}, {{{0, 1}, {2}}}, {0}, {2}};
  const PlanOutcome both_head = SetUpModelWith({subgraph, subgraph}, {0, 48, 96, 0, 144, 96});
  ASSERT_TRUE(both_head.status.ok()) << Text(both_head.status);
  EXPECT_EQ(both_head.offsets, (Offsets{0, 48, 96, 0, 144, 96}));
  const PlanOutcome one_head = SetUpModelWith({subgraph, subgraph}, {0, 48, 96, 0, -1, 96});
  ASSERT_TRUE(one_head.status.ok()) << Text(one_head.status);
  EXPECT_EQ(one_head.offsets, (Offsets{0, 48, 96, 0, kNoOffset, 96}));
  const PlanOutcome other_head = SetUpModelWith({subgraph, subgraph}, {0, -1, 96, 0, 144, 96});
  ASSERT_TRUE(other_head.status.ok()) << Text(other_head.status);
  EXPECT_EQ(other_head.offsets, (Offsets{0, kNoOffset, 96, 0, 144, 96}));
  // A block of 48 bytes, and what its alignment leaves beside the blocks around it.
  EXPECT_EQ(one_head.tail_bytes, other_head.tail_bytes);
  EXPECT_GE(one_head.tail_bytes, both_head.tail_bytes + 48);
  EXPECT_LT(one_head.tail_bytes, both_head.tail_bytes + 48 + kTensorAlignment);
}

TEST(OfflineVariables, OfDroppedFileDataAndOfNoBytesFollowTheSameRule) {
  const std::vector<PlanSubgraph> model = {
      {{{}, {.variable = true, .constant = true}, {.bytes = 0, .variable = true}, {}}, {{{0, 1, 2}, {3}}}, {0}, {3}}};
  EXPECT_EQ(SetUpModelWith(model, {0, 48, 0, 96}).offsets, (Offsets{0, 48, 0, 96}));
  EXPECT_EQ(SetUpModelWith(model, {0, -1, -1, 48}).offsets, (Offsets{0, kNoOffset, kNoOffset, 48}));
}

// ---- what survives a refusal

TEST(RefusedPlans, LeaveTheArenaForACorrectedModel) {
  PlanModel wrong = Chain(3);
  wrong.WithPlan({0, 32, -1});
  const ValidatedModel& view = wrong.Build();
  const std::vector<std::byte> before = wrong.file();
  std::vector<std::byte> memory(1 << 14);
  auto* const start = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
  const auto interpreter =
      std::make_unique<Interpreter>(view, DoNothingKernels(), start, memory.size() - 64, InterpreterOptions());
  EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kOfflinePlanLiveOverlap);
  EXPECT_EQ(interpreter->head_bytes(), 0u);
  EXPECT_EQ(interpreter->state(), InterpreterState::kFailed);
  EXPECT_EQ(wrong.file(), before);
  // The plan's bytes are corrected in place, and the same interpreter starts again.
  wrong.OverwritePlan(PlanBytes({0, 48, -1}));
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_TRUE(interpreter->Invoke().ok());
  std::size_t offset = 0;
  EXPECT_TRUE(interpreter->TensorOffset(1, &offset).ok());
  EXPECT_EQ(offset, 48u);
}

}  // namespace
}  // namespace arenaproof::testing
