// What a check keeps of an interpreter's events beside its instrument: which operators were seen, who filled the log,
// where no instrument sees, and what kernels may read beside operands.
#include "tools/worker/checking_observer.h"

#include <gmock/gmock.h>

#include <array>

#include "sanitizers/instrument/filling/filling_instrument.h"

namespace arenaproof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// It sees writes, and does as it is told.
class ToldInstrument final : public FillingInstrument {
 public:
  const char* name() const override { return "told"; }
  bool SawOperator() const override { return sees; }
  bool ChecksWhenCapped() const override { return goes_on; }
  std::size_t BlindBytesBefore(const OperandRange& operand, const ReadableAround& around) const override {
    return operand.index == 1 ? 100 + around.before_bytes : 0;
  }
  std::size_t BlindBytesAfter(const OperandRange& operand, const ReadableAround& around) const override {
    return operand.index == 2 ? 200 + around.after_bytes : 0;
  }
  using AccessInstrument::CapLog;

  bool sees = true, goes_on = false, misses = false;
  std::vector<OperandRange> allowed;

 private:
  void Begin(std::span<const OperandRange>) override {
    allowed.assign(read_allowances().begin(), read_allowances().end());
  }
  void MakePlantedAccesses(std::byte*) override { NotePlanted(!misses, true, "all of it"); }
};

class CheckingObservers : public ::testing::Test {
 protected:
  static constexpr std::int32_t kSub = 1;  // not the main one

  CheckingObservers() { UseInstrument(); }
  void UseInstrument() {
    observer_.Use(&instrument_);
    observer_.OnAttach({At(0), 512}, {});
  }
  static std::byte* At(std::size_t offset) {
    alignas(64) static std::array<std::byte, 1024> memory;
    return memory.data() + offset;
  }
  static OperandRange Range(std::size_t offset, std::size_t bytes, std::int32_t index,
                            OperandKind kind = OperandKind::kInput) {
    return {At(offset), bytes, AccessRight::kReadWrite, kind, index};
  }
  void Begin(std::int32_t index, const std::vector<OperandRange>& operands = {},
             OperatorPhase phase = OperatorPhase::kInvoke, std::int32_t subgraph = kSub) {
    observer_.OnOperatorBegins({.phase = phase,
                                .subgraph = subgraph,
                                .operator_index = index,
                                .operator_name = "MOCK",
                                .kernel_name = "mock",
                                .operands = operands});
  }
  void Run(std::int32_t index, const std::vector<OperandRange>& operands = {},
           OperatorPhase phase = OperatorPhase::kInvoke, std::int32_t subgraph = kSub) {
    Begin(index, operands, phase, subgraph);
    observer_.OnOperatorEnds();
  }
  std::pair<std::uint64_t, std::uint64_t> CountAndSeen(std::int32_t index) const {
    const auto invokes = observer_.InvokesOf(kSub, index);
    EXPECT_EQ(invokes.all_seen(), invokes.count > 0 && invokes.count == invokes.seen);
    return {invokes.count, invokes.seen};
  }

  static AllowedRead Allowed(std::int32_t subgraph, std::int32_t operator_index, std::int32_t tensor,
                             std::size_t before_bytes, std::size_t after_bytes) {
    return {subgraph, operator_index, "MOCK", "mock", OperandKind::kInput, tensor, "", before_bytes, after_bytes};
  }

  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  ToldInstrument instrument_;
  CheckingObserver observer_;
};

TEST_F(CheckingObservers, CountInvokesAndThoseThatWereSeen) {
  Run(2);
  Run(2);
  Run(2, {}, OperatorPhase::kPrepare);
  Run(2, {}, OperatorPhase::kInvoke, 0);
  instrument_.sees = false;
  Run(3);
  instrument_.sees = true;
  Run(3);
  Begin(4);
  EXPECT_EQ(CountAndSeen(4), Pair(1, 0));  // it has not ended
  observer_.OnOperatorEnds();
  observer_.OnOperatorEnds();  // none runs
  EXPECT_EQ(CountAndSeen(2), Pair(2, 2));
  EXPECT_EQ(CountAndSeen(3), Pair(2, 1));
  EXPECT_EQ(CountAndSeen(4), Pair(1, 1));
  EXPECT_EQ(CountAndSeen(5), Pair(0, 0));
  observer_.ForgetInvokes();
  EXPECT_EQ(CountAndSeen(2), Pair(0, 0));
}

TEST_F(CheckingObservers, SeeTheCallerApartFromWhatItCalls) {
  Begin(2);
  observer_.OnRuntimeEnters();
  instrument_.sees = false;
  Run(3);
  instrument_.sees = true;
  observer_.OnRuntimeLeaves();
  observer_.OnOperatorEnds();
  EXPECT_EQ(CountAndSeen(2), Pair(1, 1));
  EXPECT_EQ(CountAndSeen(3), Pair(1, 0));
}

TEST_F(CheckingObservers, SeeNothingWithoutAnInstrumentThatPassedItsTest) {
  instrument_.misses = true;
  observer_.OnAttach({At(0), 512}, {});
  Run(2);
  EXPECT_EQ(CountAndSeen(2), Pair(1, 0));
  instrument_.misses = false;
  instrument_.SkipSelfTest();
  observer_.OnAttach({At(0), 512}, {});
  Run(2);
  EXPECT_EQ(CountAndSeen(2), Pair(2, 0));
  CheckingObserver alone;
  OperatorScope scope;
  scope.subgraph = kSub;
  scope.operator_index = 2;
  alone.OnOperatorBegins(scope);
  alone.OnRuntimeEnters();
  alone.OnOperatorEnds();
  EXPECT_EQ(alone.InvokesOf(kSub, 2).count, 1u);
  EXPECT_EQ(alone.InvokesOf(kSub, 2).seen, 0u);
  EXPECT_FALSE(alone.capped_at());
}

TEST_F(CheckingObservers, NameWhoFilledTheLogFirst) {
  Run(1);
  EXPECT_FALSE(observer_.capped_at());
  Begin(2, {}, OperatorPhase::kPrepare);
  instrument_.CapLog();
  observer_.OnOperatorEnds();
  Run(3);
  ASSERT_TRUE(observer_.capped_at());
  EXPECT_EQ(observer_.capped_at()->operator_index, 2);
  EXPECT_EQ(observer_.capped_at()->subgraph, kSub);
  EXPECT_EQ(observer_.capped_at()->operator_name, "MOCK");
  EXPECT_EQ(observer_.capped_at()->phase, OperatorPhase::kPrepare);
  EXPECT_EQ(CountAndSeen(1), Pair(1, 1));
  EXPECT_EQ(CountAndSeen(3), Pair(1, 0));
  instrument_.goes_on = true;
  Run(3);
  EXPECT_EQ(CountAndSeen(3), Pair(2, 1));
}

// An operator during which the log was filled was not seen to its end.
TEST_F(CheckingObservers, DoNotChargeTheCallersLogToWhatItCalls) {
  Begin(2);
  instrument_.CapLog();
  observer_.OnRuntimeEnters();
  Run(3);
  observer_.OnRuntimeLeaves();
  observer_.OnOperatorEnds();
  ASSERT_TRUE(observer_.capped_at());
  EXPECT_EQ(observer_.capped_at()->operator_index, 2);
  EXPECT_EQ(CountAndSeen(2), Pair(1, 0));
  EXPECT_EQ(CountAndSeen(3), Pair(1, 0));
}

TEST_F(CheckingObservers, ListBlindPairsOnceForEachOperatorAndPhase) {
  const std::vector<OperandRange> apart = {Range(0, 16, 1), Range(24, 16, 2), Range(200, 16, 3)};
  const std::vector<OperandRange> overlapping = {Range(0, 20, 1), Range(12, 16, 2)};
  Run(2, apart, OperatorPhase::kInit);
  EXPECT_THAT(observer_.blind_pairs(), IsEmpty());
  EXPECT_THAT(observer_.prepare_blind_pairs(), IsEmpty());
  for (int time = 0; time < 2; ++time) {
    Run(2, overlapping, OperatorPhase::kPrepare);
    Run(2, apart);
    Run(3, overlapping);
    Run(2, overlapping, OperatorPhase::kInvoke, 0);
  }
  const auto distances = [](const std::vector<CheckingObserver::Pair>& pairs) {
    std::vector<std::int64_t> all;
    for (const CheckingObserver::Pair& pair : pairs) all.push_back(pair.distance_bytes);
    return all;
  };
  EXPECT_THAT(distances(observer_.blind_pairs()), ElementsAre(8, -8, -8));
  EXPECT_THAT(distances(observer_.prepare_blind_pairs()), ElementsAre(-8));
  const CheckingObserver::Pair& first = observer_.blind_pairs()[0];
  EXPECT_EQ(first.subgraph, kSub);
  EXPECT_EQ(first.operator_index, 2);
  EXPECT_EQ(first.first.index, 1);
  EXPECT_EQ(first.second.index, 2);
}

TEST_F(CheckingObservers, ListOperandsThatAreNotCheckedToTheByteOnce) {
  observer_.Allow(std::array{Allowed(kSub, 2, 1, 3, 0), Allowed(kSub, 2, 2, 0, 5)});
  const std::vector<OperandRange> operands = {Range(0, 16, 1),
                                              Range(100, 16, 2),
                                              Range(200, 16, 3),
                                              {nullptr, 16, AccessRight::kRead, OperandKind::kInput, 1},
                                              Range(300, 0, 1)};
  Run(2, operands, OperatorPhase::kPrepare);
  EXPECT_THAT(observer_.not_exact(), IsEmpty());
  Run(2, operands);
  Run(2, operands);
  ASSERT_EQ(observer_.not_exact().size(), 2u);
  EXPECT_EQ(observer_.not_exact()[0].operand.index, 1);
  EXPECT_EQ(observer_.not_exact()[0].blind_before_bytes, 103u);
  EXPECT_EQ(observer_.not_exact()[0].blind_after_bytes, 0u);
  EXPECT_EQ(observer_.not_exact()[1].operand.index, 2);
  EXPECT_EQ(observer_.not_exact()[1].blind_before_bytes, 0u);
  EXPECT_EQ(observer_.not_exact()[1].blind_after_bytes, 205u);
}

TEST_F(CheckingObservers, OpenWhatKernelsMayReadBesideTheirTensors) {
  observer_.Allow(std::array{Allowed(kSub, 2, 1, 4, 12), Allowed(kSub, 2, 1, 8, 2), Allowed(kSub, 2, 2, 0, 16),
                             Allowed(0, 2, 3, 16, 0), Allowed(kSub, 1, 3, 16, 0)});
  const std::vector<OperandRange> operands = {Range(64, 16, 1),
                                              Range(128, 16, 1, OperandKind::kScratch),
                                              Range(192, 16, 2, OperandKind::kConstant),
                                              Range(256, 16, 3),
                                              {nullptr, 16, AccessRight::kRead, OperandKind::kInput, 1},
                                              Range(320, 0, 1, OperandKind::kOutput),
                                              Range(384, 16, 2, OperandKind::kVariable)};
  Begin(2, operands);
  const auto& allowed = instrument_.allowed;
  ASSERT_EQ(allowed.size(), 4u);
  const std::size_t at[] = {56, 80, 208, 400}, bytes[] = {8, 12, 16, 16};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(allowed[i].data, At(at[i]));
    EXPECT_EQ(allowed[i].bytes, bytes[i]);
    EXPECT_EQ(allowed[i].right, AccessRight::kRead);
    EXPECT_EQ(allowed[i].index, i < 2 ? 1 : 2);
  }
  EXPECT_EQ(allowed[2].kind, OperandKind::kConstant);
  observer_.OnOperatorEnds();
  Run(2, operands, OperatorPhase::kPrepare);
  EXPECT_THAT(instrument_.allowed, IsEmpty());
  Run(3, operands);
  EXPECT_THAT(instrument_.allowed, IsEmpty());
}

// The last plan is the one that counts.
TEST_F(CheckingObservers, KeepThePlan) {
  const PlanEntry entries[] = {{.tensor = 4}, {.tensor = 5}};
  const BufferAlias aliases[] = {{}};
  observer_.OnBytesShared(aliases);
  observer_.OnPlanCommitted(At(64), entries);
  observer_.OnPlanCommitted(At(128), {entries, 1});
  EXPECT_EQ(observer_.plan().size(), 1u);
  EXPECT_EQ(observer_.head_start(), At(128));
  EXPECT_EQ(observer_.sharing().size(), 1u);
  EXPECT_EQ(instrument_.registry().OwnerOf(At(0), {}).state, ByteState::kGap);
}

}  // namespace
}  // namespace arenaproof
