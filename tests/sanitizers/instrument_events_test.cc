// What instruments are asked for by the events of a run: to close what an operator may not touch, with all that the
// runtime gives it and takes from it on the way, and no more.
#include <gmock/gmock.h>

#include <array>

#include "sanitizers/report/attribution.h"
#include "tests/sanitizers/recording_instrument.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Ranges = std::vector<OperandRange>;

class InstrumentEvents : public ::testing::Test {
 protected:
  static std::byte* At(std::size_t offset) {
    alignas(64) static std::array<std::byte, 4096> memory;
    return memory.data() + offset;
  }
  static OperandRange Range(std::size_t offset, std::size_t bytes, OperandKind kind = OperandKind::kInput,
                            std::int32_t index = 0, AccessRight right = AccessRight::kReadWrite) {
    return {At(offset), bytes, right, kind, index};
  }
  InstrumentEvents() { Attach(instrument_); }
  static void Attach(RecordingInstrument& instrument) {
    instrument.OnAttach({At(0), 2048}, {At(3072), 512});
    instrument.TakeCalls();
  }
  static void Begin(RecordingInstrument& instrument, const Ranges& operands, const Ranges& allowances = {},
                    std::int32_t index = 0, OperatorPhase phase = OperatorPhase::kInvoke) {
    OperatorScope scope;
    scope.phase = phase;
    scope.operator_index = index;
    scope.operator_name = "MOCK";
    scope.kernel_name = "mock";
    scope.operands = operands;
    scope.read_allowances = allowances;
    instrument.OnOperatorBegins(scope);
  }
  template <typename Work>
  void InTheRuntime(Work work) {
    instrument_.OnRuntimeEnters();
    work();
    instrument_.OnRuntimeLeaves();
  }
  const std::vector<Violation>& groups() const { return instrument_.log().groups(); }

  RecordingInstrument instrument_;
};

TEST_F(InstrumentEvents, OfAnOperatorOpenWhatTheyClosed) {
  Begin(instrument_, {Range(0, 16), Range(64, 16)}, {Range(16, 4)});
  EXPECT_THAT(instrument_.TakeCalls(), ElementsAre("begin 2+1", "close 2+1"));
  instrument_.OnRuntimeEnters();
  instrument_.OnRuntimeEnters();  // it is in there
  instrument_.OnRuntimeLeaves();
  instrument_.OnRuntimeLeaves();
  EXPECT_THAT(instrument_.TakeCalls(), ElementsAre("open 2+1", "close 2+1"));
  instrument_.OnOperatorEnds();
  EXPECT_THAT(instrument_.TakeCalls(), ElementsAre("open 2+1", "end 2+1"));
  instrument_.OnOperatorEnds();
  instrument_.OnRuntimeLeaves();
  EXPECT_THAT(instrument_.TakeCalls(), IsEmpty());
}

// Everything is open in a call: an operator that fails in it is not opened once more.
TEST_F(InstrumentEvents, OfAnEndInsideACallOpenNothingTwice) {
  Begin(instrument_, {Range(0, 16)});
  instrument_.OnRuntimeEnters();
  instrument_.TakeCalls();
  instrument_.OnOperatorEnds();
  EXPECT_THAT(instrument_.TakeCalls(), ElementsAre("end 1+0"));
}

TEST_F(InstrumentEvents, OfADetachInsideACallOpenNothingTwice) {
  Begin(instrument_, {Range(0, 16)});
  instrument_.OnRuntimeEnters();
  instrument_.TakeCalls();
  instrument_.OnDetach();
  EXPECT_THAT(instrument_.TakeCalls(), ElementsAre("stop"));
}

TEST_F(InstrumentEvents, OfADetachOpenTheRunningOperatorFirst) {
  Begin(instrument_, {Range(0, 16)});
  instrument_.TakeCalls();
  instrument_.OnDetach();
  EXPECT_THAT(instrument_.TakeCalls(), ElementsAre("open 1+0", "stop"));
  instrument_.OnDetach();
  EXPECT_THAT(instrument_.TakeCalls(), IsEmpty());
  Attach(instrument_);
  instrument_.OnDetach();
  EXPECT_THAT(instrument_.TakeCalls(), ElementsAre("stop"));
}

TEST_F(InstrumentEvents, CloseNothingWhileTheInstrumentIsBlind) {
  instrument_.blind = true;
  Attach(instrument_);
  EXPECT_EQ(instrument_.self_test().status().code, StatusCode::kInstrumentBlind);
  Begin(instrument_, {Range(0, 16)});
  InTheRuntime([&] { instrument_.OnRuntimeWorkBegins({RuntimeWork::kRecords, -1, {}}); });
  instrument_.OnOperatorEnds();
  EXPECT_THAT(instrument_.TakeCalls(), IsEmpty());
  instrument_.blind = false;
  Attach(instrument_);
  EXPECT_TRUE(instrument_.self_test().status().ok());
  Begin(instrument_, {Range(0, 16)});
  EXPECT_THAT(instrument_.TakeCalls(), ElementsAre("begin 1+0", "close 1+0"));
}

TEST_F(InstrumentEvents, GiveAnOperatorItsBlocksAndTakeThemAway) {
  const MemoryRegion upper{At(1024), 64}, lower{At(960), 32}, temporary{At(512), 32};
  Begin(instrument_, {Range(0, 16)}, {}, 3, OperatorPhase::kPrepare);
  InTheRuntime([&] {
    instrument_.OnTailAllocated(upper);
    instrument_.OnTailAllocated(lower);
    instrument_.OnTemporaryAllocated(temporary);
    instrument_.OnTemporaryFreed(At(513));  // none
  });
  const auto bytes = [&] {
    std::vector<std::size_t> all;
    for (const OperandRange& range : instrument_.open) all.push_back(range.bytes);
    return all;
  };
  EXPECT_THAT(bytes(), ElementsAre(16, 64, 32, 32));
  EXPECT_EQ(instrument_.open[2].kind, OperandKind::kPersistent);
  EXPECT_EQ(instrument_.open[2].index, 1);
  EXPECT_EQ(instrument_.open[3].kind, OperandKind::kTemporary);
  EXPECT_EQ(instrument_.open[3].index, 0);
  EXPECT_EQ(instrument_.registry().OwnerOf(At(512), {}).state, ByteState::kTemporary);
  InTheRuntime([&] { instrument_.OnTemporariesReset(); });
  EXPECT_THAT(bytes(), ElementsAre(16, 64, 32, 0));
  EXPECT_EQ(instrument_.registry().OwnerOf(At(512), {}).state, ByteState::kGap);
  InTheRuntime([&] { instrument_.OnTailRewound(At(1024)); });
  EXPECT_THAT(bytes(), ElementsAre(16, 64, 0, 0));
  instrument_.OnOperatorEnds();
  instrument_.OnTailAllocated(lower);  // the runtime's own
  EXPECT_EQ(instrument_.registry().OwnerOf(At(1024), {}).index, 3);
  EXPECT_EQ(instrument_.registry().OwnerOf(At(960), {}).index, -1);
}

// The operator that calls has its allowances, and its step of the plan, again when those that it called have ended.
TEST_F(InstrumentEvents, OfACallLeaveTheCallersAllowancesAndStepAsTheyWere) {
  const PlanEntry plan[] = {{.tensor = 5, .offset = 0, .bytes = 64, .first = 2, .last = 3},
                            {.tensor = 6, .offset = 64, .bytes = 64, .first = 4, .last = 5},
                            {.tensor = 7, .offset = 256, .bytes = 64, .first = 2, .last = 2}};
  instrument_.OnPlanCommitted(At(0), plan);
  Begin(instrument_, {Range(0, 64, OperandKind::kOutput, 5)}, {Range(64, 4)}, 1);
  InTheRuntime([&] {
    Begin(instrument_, {Range(64, 64, OperandKind::kOutput, 6)}, {}, 3);
    EXPECT_THAT(instrument_.read_allowed, IsEmpty());
    instrument_.OnOperatorEnds();
    Begin(instrument_, {Range(64, 64, OperandKind::kOutput, 6)}, {Range(128, 4), Range(132, 4)}, 3);
    instrument_.OnOperatorEnds();
  });
  ASSERT_EQ(instrument_.read_allowed.size(), 1u);
  EXPECT_EQ(instrument_.read_allowed[0].data, At(64));
  ASSERT_TRUE(instrument_.CheckAccess(AddressOf(At(256)), 1, true));
  EXPECT_EQ(groups()[0].state_kind, ByteState::kLiveTensor);
  EXPECT_THAT(groups()[0].state, ::testing::HasSubstr("; now step 2)"));
}

// In prepare no step of the plan is reached.
TEST_F(InstrumentEvents, KnowTheStepOfThePlanInInvokeAlone) {
  const PlanEntry plan[] = {{.tensor = 5, .offset = 0, .bytes = 64, .first = 1, .last = 3}};
  for (const bool planned : {false, true}) {
    if (planned) instrument_.OnPlanCommitted(At(0), plan);
    Begin(instrument_, {}, {}, 2, OperatorPhase::kPrepare);
    if (!planned) instrument_.OnPlanCommitted(At(0), plan);
    EXPECT_TRUE(instrument_.CheckAccess(AddressOf(At(8)), 1, planned));
    instrument_.OnOperatorEnds();
  }
  ASSERT_EQ(groups().size(), 2u);
  for (const Violation& group : groups()) {
    EXPECT_EQ(group.state_kind, ByteState::kDeadTensor);
    EXPECT_THAT(group.state, ::testing::EndsWith("(lives in steps 1 to 3)"));
  }
}

// Between two operators the runtime is at no step, neither at that of the one that has ended.
TEST_F(InstrumentEvents, OfTheRuntimesWorkAreAtTheStepOfTheOperatorThatCallsIt) {
  const PlanEntry plan[] = {{.tensor = 5, .offset = 0, .bytes = 64, .first = 2, .last = 3},
                            {.tensor = 7, .offset = 256, .bytes = 64, .first = 2, .last = 2}};
  instrument_.OnPlanCommitted(At(0), plan);
  const OperandRange filled[] = {Range(512, 16, OperandKind::kDestination)};
  const auto work = [&] {
    instrument_.OnRuntimeWorkBegins({RuntimeWork::kVariableFill, -1, filled});
    instrument_.CheckAccess(AddressOf(At(256)), 1, instrument_.log().groups().empty());
    instrument_.OnRuntimeWorkEnds();
  };
  Begin(instrument_, {Range(0, 64, OperandKind::kOutput, 5)}, {}, 1);
  InTheRuntime(work);
  instrument_.OnOperatorEnds();
  work();
  ASSERT_EQ(groups().size(), 2u);
  EXPECT_THAT(groups()[0].state, ::testing::EndsWith("; now step 2)"));
  EXPECT_THAT(groups()[1].state, ::testing::EndsWith("(lives in steps 2 to 2)"));
}

TEST_F(InstrumentEvents, OfTheRuntimesWorkHaveNoAllowancesAndGiveThemBack) {
  Begin(instrument_, {Range(0, 16)}, {Range(16, 4)}, 2);
  instrument_.TakeCalls();
  const OperandRange filled[] = {Range(512, 16, OperandKind::kDestination), Range(768, 8, OperandKind::kSource)};
  instrument_.OnRuntimeWorkBegins({RuntimeWork::kVariableFill, -1, filled});  // while its own code runs: never
  EXPECT_THAT(instrument_.TakeCalls(), IsEmpty());
  InTheRuntime([&] {
    instrument_.OnRuntimeWorkBegins({RuntimeWork::kVariableFill, -1, filled});
    instrument_.OnRuntimeWorkEnds();
    instrument_.OnRuntimeWorkEnds();
  });
  EXPECT_THAT(instrument_.TakeCalls(),
              ElementsAre("open 1+1", "begin 2+0", "close 2+0", "open 2+0", "end 2+0", "close 1+1"));
  ASSERT_EQ(instrument_.read_allowed.size(), 1u);
  RecordingInstrument other(false);
  Attach(other);
  other.OnRuntimeWorkBegins({RuntimeWork::kRecords, -1, filled});
  other.OnRuntimeWorkEnds();
  EXPECT_THAT(other.TakeCalls(), IsEmpty());
}

TEST_F(InstrumentEvents, ChargeAReadOfOverwrittenBytesToTheInputThatLaysThere) {
  const auto in_place = [](std::size_t offset, OperandKind kind, std::int32_t index) {
    const bool input = kind == OperandKind::kInput;
    return Range(offset, 16, kind, index, input ? AccessRight::kReadInPlace : AccessRight::kReadWriteInPlace);
  };
  Begin(instrument_, {in_place(256, OperandKind::kOutput, 4), Range(512, 16, OperandKind::kInput, 1),
                      in_place(128, OperandKind::kInput, 2), in_place(256, OperandKind::kInput, 3),
                      Range(272, 8, OperandKind::kInput, 5), Range(248, 8, OperandKind::kInput, 6)});
  EXPECT_FALSE(instrument_.CheckAccess(AddressOf(At(272)), 8, false)) << "beside it";
  EXPECT_FALSE(instrument_.CheckAccess(AddressOf(At(248)), 8, false));
  EXPECT_FALSE(instrument_.CheckAccess(AddressOf(At(512)), 16, false));
  EXPECT_FALSE(instrument_.CheckAccess(AddressOf(At(256)), 16, true));
  EXPECT_TRUE(instrument_.CheckAccess(AddressOf(At(260)), 8, false));
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_EQ(groups()[0].side, ViolationSide::kOverwritten);
  EXPECT_EQ(groups()[0].operand.index, 3);
  EXPECT_EQ(groups()[0].lowest_touched, 4);
  EXPECT_EQ(groups()[0].highest_touched, 11);
}

// The furthest byte of a group decides what is said to lie there, whichever access comes first.
TEST_F(InstrumentEvents, DescribeTheFurthestByteOfAGroup) {
  for (const std::size_t first : {1U, 17U}) {
    Attach(instrument_);
    instrument_.OnTailAllocated({At(128 + 16), 16});
    Begin(instrument_, {Range(112, 16)});
    for (const std::size_t distance : {first, std::size_t{18} - first, std::size_t{40}, std::size_t{20}}) {
      instrument_.CheckAccess(AddressOf(At(127 + distance)), 1, false);
      if (distance == 17) EXPECT_EQ(groups()[0].state_kind, ByteState::kTail);
    }
    ASSERT_EQ(groups().size(), 1u);
    EXPECT_EQ(groups()[0].distance_bytes, 40u);
    EXPECT_EQ(groups()[0].state_kind, ByteState::kGap);
  }
}

}  // namespace
}  // namespace arenaproof::testing
