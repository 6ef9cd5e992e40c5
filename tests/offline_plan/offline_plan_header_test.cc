// V1 to V16: finding and reading the plan, on models whose tensors do not matter.
#include <gtest/gtest.h>

#include <stdexcept>

#include "plan_model_support.h"

namespace arenaproof::testing {
namespace {

const Words kGood = {0, 48, 96, 48};

// What a set-up says, and that a refusal is the only thing said.
std::string Verdict(PlanModel& model) {
  const PlanOutcome outcome = SetUpModel(model.Build());
  if (outcome.status.ok()) return "accepted";
  EXPECT_TRUE(outcome.recorded.warnings().empty()) << "a refused plan has warnings";
  EXPECT_TRUE(outcome.plan.empty()) << "a refused plan was committed";
  return Text(outcome.status);
}

// What is said of a plan in a model that validation refuses, so that none is ever set up.
std::string VerdictUnvalidated(PlanModel& model) {
  EXPECT_THROW(model.Build(), std::logic_error);
  ModelView view;
  EXPECT_EQ(ModelView::Open(model.file(), &view), Ok());
  OfflinePlanEntry entry;
  return Text(LocateOfflinePlan(view, &entry));
}

std::vector<std::string> WarningsOf(PlanModel& model) {
  const PlanOutcome outcome = SetUpModel(model.Build());
  EXPECT_TRUE(outcome.status.ok()) << Text(outcome.status);
  std::vector<std::string> warnings;
  for (const Status& warning : outcome.recorded.warnings()) warnings.push_back(Text(warning));
  return warnings;
}

std::vector<std::byte> WithWord(std::vector<std::byte> bytes, std::size_t word, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes[word * 4 + i] = static_cast<std::byte>(value >> (8 * i));
  return bytes;
}

std::string VerdictOnWord(std::size_t word, std::uint32_t value) {
  PlanModel model = Chain(4);
  model.WithPlanBytes(WithWord(PlanBytes(kGood), word, value));
  return Verdict(model);
}

std::string VerdictOnLength(std::size_t bytes) {
  PlanModel model = Chain(4);
  std::vector<std::byte> plan = PlanBytes(kGood);
  plan.resize(bytes);
  model.WithPlanBytes(plan);
  return Verdict(model);
}

TEST(OfflinePlanHeader, V1AModelWithoutTheEntryIsPlannedOnline) {
  PlanModel none = Chain(4);
  PlanModel other = Chain(4);
  other.WithPlanBytes(PlanBytes(kGood), "min_runtime_version");
  const PlanOutcome outcome = SetUpModel(none.Build());
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_FALSE(outcome.recorded.summary());
  EXPECT_EQ(SetUpModel(other.Build()).offsets, outcome.offsets);
}

TEST(OfflinePlanHeader, V2AnEntryWithoutANameIsSkipped) {
  PlanModel model = Chain(4);
  model.WithPlanBytes(PlanBytes({16, 16, 16}), "").WithPlan(kGood);
  EXPECT_EQ(SetUpModel(model.Build()).offsets, (std::vector<std::int64_t>{0, 48, 96, 48}));
}

TEST(OfflinePlanHeader, V3AlmostTheNameIsIgnoredWithOneWarning) {
  PlanModel online = Chain(4);
  const auto offsets = SetUpModel(online.Build()).offsets;
  for (const char* name : {"OfflineMemoryAlloc", "OfflineMemoryAllocation2", "OFFLINEMEMORYALLOCATION",
                           "offlineMemoryAllocation", "OfflineMemoryAllocatioN"}) {
    PlanModel model = Chain(4);
    model.WithPlanBytes(PlanBytes({160, 160, 160, 160}), name);
    EXPECT_EQ(SetUpModel(model.Build()).offsets, offsets) << name;
    const auto warnings = WarningsOf(model);
    ASSERT_EQ(warnings.size(), 1u) << name;
    EXPECT_EQ(warnings[0].rfind("kOfflinePlanNameAlmost 0 1 ", 0), 0u) << warnings[0];
  }
  for (const char* name : {"Off", "CONVERSION_METADATA", "OnlineMemoryAllocation", ""}) {
    PlanModel model = Chain(4);
    model.WithPlanBytes(PlanBytes(kGood), name);
    EXPECT_TRUE(WarningsOf(model).empty()) << name;
  }
}

TEST(OfflinePlanHeader, V4TwoPlansThatDifferAreRefused) {
  PlanModel model = Chain(4);
  model.WithPlan(kGood).WithPlanBytes({}, "other").WithPlan({0, 64, 0, 128});
  EXPECT_EQ(Verdict(model), "kOfflinePlanDuplicate 0 2 2 0");
}

TEST(OfflinePlanHeader, V4ThreeEqualPlansAreAWarningAndTheLastCounts) {
  PlanModel model = Chain(4);
  model.WithPlan(kGood).WithPlan(kGood).WithPlan(kGood);
  EXPECT_EQ(WarningsOf(model), std::vector<std::string>{"kOfflinePlanRepeated 0 2 3 0"});
  EXPECT_EQ(SetUpModel(model.Build()).recorded.summary()->metadata_index, 2u);
}

TEST(OfflinePlanHeader, V4TwoEntriesOfOneBufferAreEqualAndTwoUnreadableOnesAreNot) {
  PlanModel same = Chain(4);
  same.WithPlan(kGood);
  same.builder.metadata.push_back(same.builder.metadata.front());
  EXPECT_EQ(WarningsOf(same), std::vector<std::string>{"kOfflinePlanRepeated 0 1 2 0"});
  PlanModel unreadable = Chain(4);
  unreadable.builder.metadata = {{std::string(kOfflinePlanName), 0}, {std::string(kOfflinePlanName), 0}};
  EXPECT_EQ(Verdict(unreadable), "kOfflinePlanDuplicate 0 1 2 0");
}

TEST(OfflinePlanHeader, V5ABufferIndexOutOfRangeIsRefused) {
  PlanModel model = Chain(4);
  model.WithPlan(kGood);
  model.builder.metadata[0].buffer = 2;
  EXPECT_EQ(VerdictUnvalidated(model), "kOfflinePlanBufferIndex 0 2 2 0");
  model.builder.metadata[0].buffer = 0xFFFFFFFF;
  EXPECT_EQ(VerdictUnvalidated(model), "kOfflinePlanBufferIndex 0 4294967295 2 0");
}

TEST(OfflinePlanHeader, V6BuffersWithoutDataAreRefused) {
  PlanModel model = Chain(4);
  model.WithPlan(kGood);
  model.builder.metadata[0].buffer = 0;
  EXPECT_EQ(Verdict(model), "kOfflinePlanNoData 0 0 0 0");
  model.builder.metadata[0].buffer = 1;
  model.builder.buffers[1].data = std::vector<std::byte>();
  EXPECT_EQ(Verdict(model), "kOfflinePlanNoData 0 1 0 0");
  model.builder.buffers[1].data.reset();
  EXPECT_EQ(Verdict(model), "kOfflinePlanNoData 0 1 0 0");
}

TEST(OfflinePlanHeader, V7DataOutsideTheFlatbufferIsRefused) {
  PlanModel model = Chain(4);
  model.WithPlan(kGood);
  model.builder.buffers[1] = {.outside_offset = 4096, .outside_size = 28};
  EXPECT_EQ(VerdictUnvalidated(model), "kOfflinePlanOutsideFile 0 1 4096 0");
}

TEST(OfflinePlanHeader, V8LessThanAHeaderIsRefused) {
  EXPECT_EQ(VerdictOnLength(1), "kOfflinePlanTooShort 0 1 12 0");
  EXPECT_EQ(VerdictOnLength(8), "kOfflinePlanTooShort 0 8 12 0");
  EXPECT_EQ(VerdictOnLength(11), "kOfflinePlanTooShort 0 11 12 0");
}

TEST(OfflinePlanHeader, V9APartOfAWordIsRefused) {
  EXPECT_EQ(VerdictOnLength(13), "kOfflinePlanPartialWord 0 13 0 0");
  EXPECT_EQ(VerdictOnLength(27), "kOfflinePlanPartialWord 0 27 0 0");
  EXPECT_EQ(VerdictOnLength(29), "kOfflinePlanPartialWord 0 29 0 0");
}

TEST(OfflinePlanHeader, V10MoreOffsetsAnnouncedThanHeldAreRefused) {
  EXPECT_EQ(VerdictOnLength(24), "kOfflinePlanCountTooLarge 0 4 3 0");
  EXPECT_EQ(VerdictOnLength(12), "kOfflinePlanCountTooLarge 0 4 0 0");
  EXPECT_EQ(VerdictOnWord(2, 5), "kOfflinePlanCountTooLarge 0 5 4 0");
  // 4 * (3 + n) is 28 again in 32 bits.
  EXPECT_EQ(VerdictOnWord(2, 0x40000004), "kOfflinePlanCountTooLarge 0 1073741828 4 0");
  EXPECT_EQ(VerdictOnWord(2, 0xFFFFFFFF), "kOfflinePlanCountTooLarge 0 4294967295 4 0");
}

TEST(OfflinePlanHeader, V11TrailingBytesAreRefused) {
  EXPECT_EQ(VerdictOnLength(32), "kOfflinePlanTrailingBytes 0 32 28 0");
  EXPECT_EQ(VerdictOnWord(2, 3), "kOfflinePlanTrailingBytes 0 28 24 0");
  EXPECT_EQ(VerdictOnWord(2, 0), "kOfflinePlanTrailingBytes 0 28 12 0");
}

TEST(OfflinePlanHeader, V12AnotherNumberOfOffsetsThanTensorsIsRefused) {
  for (const Words& offsets : {Words{0, 48, 0}, Words{0, 48, 0, 48, -1}, Words{}}) {
    PlanModel model = Chain(4);
    model.WithPlan(offsets);
    EXPECT_EQ(Verdict(model), "kOfflinePlanTensorCount 0 " + std::to_string(offsets.size()) + " 4 0");
  }
}

TEST(OfflinePlanHeader, V13BigEndianWordsFailTheCountThenTheVersion) {
  EXPECT_EQ(VerdictOnWord(2, 0x04000000), "kOfflinePlanCountTooLarge 0 67108864 4 0");
  EXPECT_EQ(VerdictOnWord(0, 0x01000000), "kOfflinePlanVersion 0 16777216 0 0");
}

TEST(OfflinePlanHeader, V14VersionsZeroAndOneMeanTheSame) {
  EXPECT_EQ(VerdictOnWord(0, 0), "accepted");
  EXPECT_EQ(VerdictOnWord(0, 1), "accepted");
  EXPECT_EQ(VerdictOnWord(0, 2), "kOfflinePlanVersion 0 2 0 0");
  EXPECT_EQ(VerdictOnWord(0, 0xFFFFFFFF), "kOfflinePlanVersion 0 4294967295 0 0");
}

TEST(OfflinePlanHeader, V15TheSubgraphWordIsTheCountOrZero) {
  EXPECT_EQ(VerdictOnWord(1, 0), "accepted");
  EXPECT_EQ(VerdictOnWord(1, 1), "accepted");
  EXPECT_EQ(VerdictOnWord(1, 2), "kOfflinePlanSubgraphCount 0 2 1 0");
  EXPECT_EQ(VerdictOnWord(1, 0x80000001), "kOfflinePlanSubgraphCount 0 2147483649 1 0");
}

TEST(OfflinePlanHeader, V16OffsetsBelowMinusOneAreRefusedWhateverTheTensor) {
  EXPECT_EQ(VerdictOnWord(4, static_cast<std::uint32_t>(-2)), "kOfflinePlanNegativeOffset 0 1 -2 0");
  EXPECT_EQ(VerdictOnWord(6, 0x80000000), "kOfflinePlanNegativeOffset 0 3 -2147483648 0");
  PlanModel model({{{{}, {.constant = true}, {}}, {{{0, 1}, {2}}}, {0}, {2}}});
  model.WithPlan({-1, -16, -1});
  EXPECT_EQ(Verdict(model), "kOfflinePlanNegativeOffset 0 1 -16 0");
}

TEST(OfflinePlanHeader, TheFirstRuleThatIsBrokenIsNamed) {
  std::vector<std::byte> plan = PlanBytes({0, -2, 40, 0, 7});  // V12, V14, V15, V16, V17
  plan = WithWord(WithWord(plan, 0, 9), 1, 9);
  const auto verdict = [&] {
    PlanModel model = Chain(4);
    model.WithPlanBytes(plan);
    return Verdict(model);
  };
  EXPECT_EQ(verdict(), "kOfflinePlanTensorCount 0 5 4 0");
  plan.resize(28);
  plan = WithWord(plan, 2, 4);
  EXPECT_EQ(verdict(), "kOfflinePlanVersion 0 9 0 0");
  plan = WithWord(plan, 0, 0);
  EXPECT_EQ(verdict(), "kOfflinePlanSubgraphCount 0 9 1 0");
  plan = WithWord(plan, 1, 0);
  EXPECT_EQ(verdict(), "kOfflinePlanNegativeOffset 0 1 -2 0");
  plan = WithWord(plan, 4, 48);
  EXPECT_EQ(verdict(), "kOfflinePlanMisaligned 0 2 40 0");
}

TEST(OfflinePlanHeader, AnOffsetOfOneTensorIsReadUnderTheSameRulesUpToV12) {
  PlanModel model = Chain(4);
  model.WithPlan({0, 48, -1, 7}, {.version = 9, .subgraph_count = 9});
  std::int32_t offset = 0;
  EXPECT_TRUE(OfflineOffsetOf(model.Build(), 0, 3, &offset).ok());
  EXPECT_EQ(offset, 7);
  EXPECT_TRUE(OfflineOffsetOf(model.Build(), 0, 2, &offset).ok());
  EXPECT_EQ(offset, -1);
  PlanModel none = Chain(4);
  EXPECT_TRUE(OfflineOffsetOf(none.Build(), 0, 0, &offset).ok());
  EXPECT_EQ(offset, -1);
  PlanModel wrong = Chain(4);
  wrong.WithPlan({0, 48, -1});
  EXPECT_EQ(OfflineOffsetOf(wrong.Build(), 0, 3, &offset).code, StatusCode::kOfflinePlanTensorCount);
}

TEST(OfflinePlanHeader, EveryRefusalHasASentenceThatNamesTheCheckAndTheEntry) {
  for (const auto& [code, check] : {std::pair{StatusCode::kOfflinePlanNoData, "V6"},
                                    {StatusCode::kOfflinePlanNegativeOffset, "V16"},
                                    {StatusCode::kOfflinePlanOutsideHead, "V19"}}) {
    const std::string sentence =
        OfflinePlanRecorder().RefusalSentence({}, Failure(code, 7, TensorPlace(1, 5), std::uint64_t{48} << 32 | 64));
    EXPECT_NE(sentence.find("metadata entry 7"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(std::string("rule ") + check), std::string::npos) << sentence;
  }
  EXPECT_NE(OfflinePlanRecorder()
                .RefusalSentence({}, Failure(StatusCode::kOfflinePlanOutsideHead, 7, TensorPlace(1, 5),
                                             std::uint64_t{48} << 32 | 64, 96))
                .find("tensor 5 of subgraph 1 is to take the 64 bytes from offset 48"),
            std::string::npos);
}

}  // namespace
}  // namespace arenaproof::testing
