// The guard and what a kernel is handed: copies of what the operator has now, each with its rights, and reports that
// are charged to the right one of several operands in the same bytes.
#include <gmock/gmock.h>

#include "tests/sanitizers/guarded_body.h"

namespace arenaproof::testing {
namespace {

using ::testing::IsEmpty;

class GuardOperands : public GuardedBodies {
 protected:
  static constexpr int kOfNoFill = 0x2a;

  // One guard at a time wraps kernels.
  void BeginAnew() {
    instrument_ = nullptr;
    instrument_ = MakeInstrument(GetParam());
    SetUp();
  }
  void Invoke(const std::vector<OperandRange>& ranges, const Body& body,
              const std::vector<OperandRange>& allowances = {}, std::int32_t index = 0) {
    OperatorScope scope;
    scope.operator_index = index;
    scope.read_allowances = allowances;
    GuardedBodies::Invoke(ranges, body, scope);
  }
};
INSTANTIATE_TEST_SUITE_P(By, GuardOperands, ::testing::Values("guard"),
                         [](const auto& instance) { return instance.param; });

TEST_P(GuardOperands, AreAllHandedOverAsCopiesAndScratchIsNotBroughtBack) {
  status_ = Failure(StatusCode::kKernelFailed, 4);
  const std::vector<OperandRange> ranges = {Input(arena(128), 20), Constant(model(64), 8), Output(arena(256), 16),
                                            Scratch(arena(512), 24)};
  std::memset(arena(512), 0x33, 24);
  Invoke(ranges, [&](const InvokeContext& given) {
    EXPECT_NE(given.inputs[0].data, arena(128));
    EXPECT_NE(given.inputs[1].data, model(64));
    EXPECT_NE(given.outputs[0].data, arena(256));
    ASSERT_NE(given.scratch[0], arena(512));
    std::memset(given.scratch[0], 0x1a, 24);
    std::memset(given.outputs[0].data, 0x1b, 16);
  });
  EXPECT_EQ(*arena(256 + 15), std::byte{0x1b});
  EXPECT_EQ(*arena(512), std::byte{0x33});
  EXPECT_THAT(groups(), IsEmpty());
}

// What an operator may write and reads again later is a result as much as its outputs are.
TEST_P(GuardOperands, ThatMayBeWrittenAreAllBroughtBack) {
  const std::vector<OperandRange> ranges = {{arena(128), 20, AccessRight::kReadWrite, OperandKind::kVariable, 3},
                                            {arena(192), 16, AccessRight::kReadWrite, OperandKind::kInput, 4},
                                            Output(arena(256), 16, 5),
                                            Output(arena(320), 8, 6)};
  for (int run = 1; run <= 2; ++run) {
    Invoke(ranges, [&](const InvokeContext& given) {
      ASSERT_EQ(given.outputs.size(), ranges.size());
      // The variable still has what the last invoke has left in it.
      EXPECT_EQ(*given.outputs[0].data, static_cast<std::byte>(run == 1 ? 0 : 1));
      for (const Operand& operand : given.outputs) std::memset(operand.data, run, operand.bytes);
    });
    for (const OperandRange& range : ranges) {
      EXPECT_EQ(range.data[0], static_cast<std::byte>(run)) << range.index;
      EXPECT_EQ(range.data[range.bytes - 1], static_cast<std::byte>(run)) << range.index;
    }
  }
  EXPECT_THAT(groups(), IsEmpty());
}

// Constants keep their copies as long as the instrument is attached.
TEST_P(GuardOperands, AreThoseOfThisAttach) {
  const std::byte* copy = nullptr;
  for (const int value : {1, 2}) {
    *model(64) = static_cast<std::byte>(value);
    for (int time = 0; time < 2; ++time) {
      Invoke({Constant(model(64), 8)}, [&](const InvokeContext& given) {
        EXPECT_EQ(*given.inputs[0].data, static_cast<std::byte>(value));
        if (time == 1) EXPECT_EQ(given.inputs[0].data, copy);
        copy = given.inputs[0].data;
      });
    }
    AttachAgain();
  }
}

// What has to be written before it is read holds a fill, but not what was made once and for all in the tail.
TEST_P(GuardOperands, BeginEmptyUnlessTheyLieInTheTail) {
  instrument_->OnTailAllocated({arena(1024), 16});
  for (const std::size_t at : {256u, 1024u}) {
    std::memset(arena(at), 0x33, 16);
    Invoke({Output(arena(at), 16)}, [&](const InvokeContext& given) {
      for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(given.outputs[0].data[i] == std::byte{0x33}, at == 1024) << i;
    });
  }
}

TEST_P(GuardOperands, ThatShareBytesAreChargedByTheirEdges) {
  const OperandRange input = Input(arena(256), 32, 1), output = Output(arena(272), 64, 2);
  struct Access {
    std::ptrdiff_t at;
    std::int32_t index;
    ViolationSide side;
    std::size_t distance;
  };
  std::int32_t index = 0;
  for (const Access& access : {Access{-16, 1, ViolationSide::kBefore, 16}, Access{80, 2, ViolationSide::kAfter, 1},
                               Access{95, 2, ViolationSide::kAfter, 16}}) {
    const std::vector<OperandRange> ranges = {input, output};
    for (const bool other : {false, true}) {
      if (other) ASSERT_TRUE(instrument_->BeginOtherRun());
      AttachAgain();
      Invoke(
          ranges,
          [&](const InvokeContext& given) {
            EXPECT_EQ(given.outputs[0].data - given.inputs[0].data, 16);
            std::memset(given.outputs[0].data, 0, 64);
            Load<std::uint8_t>(given.inputs[0].data + access.at);
            std::memset(given.inputs[0].data + access.at, kOfNoFill, 1);
          },
          {}, index);
    }
    ++index;
    std::size_t writes = 0;
    for (const Violation& group : groups()) {
      EXPECT_EQ(group.operand.index, access.index) << access.at;
      EXPECT_EQ(group.side, access.side) << access.at;
      EXPECT_EQ(group.distance_bytes, access.distance) << access.at;
      writes += group.write ? 1u : 0u;
    }
    EXPECT_EQ(writes, 1u);
    EXPECT_EQ(groups().size(), 2u);
    BeginAnew();
  }
}

TEST_P(GuardOperands, AreFarFromSixtyFourClosedBytesOn) {
  std::int32_t index = 0;
  for (const auto& [at, far] : {std::pair{-64, false}, std::pair{-65, true}}) {
    for (const bool other : {false, true}) {
      // Flush to the end, 64 bytes of the input's own page are before it in the first run.
      if (other) ASSERT_TRUE(instrument_->BeginOtherRun());
      AttachAgain();
      Invoke(
          {Input(arena(256), 32)}, [&](const InvokeContext& given) { Load<std::uint8_t>(given.inputs[0].data + at); },
          {}, index);
    }
    ASSERT_EQ(groups().size(), 1u);
    EXPECT_EQ(groups()[0].side, far ? ViolationSide::kFar : ViolationSide::kBefore);
    EXPECT_EQ(groups()[0].distance_bytes, 64u);
    EXPECT_TRUE(instrument_->log().capped()) << "later accesses to the page are not seen";
    BeginAnew();
  }
}

// What may be read beside an operand is fill, behind which the next byte is closed as before.
TEST_P(GuardOperands, MayBeReadAroundAsFarAsItIsAllowed) {
  const OperandRange input = Input(arena(256), 20);
  const auto allowed = [&](std::ptrdiff_t from, std::size_t bytes) {
    return OperandRange{arena(256) + from, bytes, AccessRight::kRead, OperandKind::kInput, 0};
  };
  const std::vector<OperandRange> allowances = {allowed(-32, 32), allowed(-4, 4),  allowed(20, 28),
                                                allowed(20, 4),   allowed(52, 64), allowed(-80, 32)};
  EXPECT_EQ(instrument_->BlindBytesBefore(input, {16, 12}), 0u);
  EXPECT_EQ(instrument_->BlindBytesBefore(input, {3, 0}), 13u);
  EXPECT_EQ(instrument_->BlindBytesAfter(input, {0, 12}), 0u);
  EXPECT_EQ(instrument_->BlindBytesAfter(input, {16, 13}), 15u);
  EXPECT_EQ(instrument_->BlindBytesAfter({arena(256), 20, AccessRight::kRead, OperandKind::kPersistent, 0}, {}), 0u);
  EXPECT_EQ(instrument_->BlindBytesBefore({nullptr, 20, AccessRight::kRead, OperandKind::kInput, 0}, {3, 0}), 0u);
  std::memset(arena(0), 0x33, 1024);
  for (const bool other : {false, true}) {
    if (other) ASSERT_TRUE(instrument_->BeginOtherRun());
    AttachAgain();
    Invoke(
        {input},
        [&](const InvokeContext& given) {
          Load<Vector16>(given.inputs[0].data - 32);
          Load<Vector16>(given.inputs[0].data + 32);
          EXPECT_NE(given.inputs[0].data[-1], std::byte{0x33});
          EXPECT_NE(given.inputs[0].data[47], std::byte{0x33});
        },
        allowances);
    EXPECT_EQ(groups().size(), other ? 1u : 0u);
    const std::ptrdiff_t closed = other ? -33 : 48;
    Invoke(
        {input}, [&](const InvokeContext& given) { Load<std::uint8_t>(given.inputs[0].data + closed); }, allowances, 1);
    ASSERT_EQ(groups().size(), other ? 2u : 1u);
    EXPECT_EQ(groups().back().distance_bytes, other ? 33u : 29u);
    EXPECT_EQ(groups().back().side, other ? ViolationSide::kBefore : ViolationSide::kAfter);
  }
}

TEST_P(GuardOperands, ThatTheSystemHasNoMemoryForAreTheArenas) {
  const std::vector<OperandRange> ranges = {Input(arena(256), std::size_t{1} << 60), Input(arena(64), 16, 1)};
  for (const bool other : {false, true}) {
    if (other) ASSERT_TRUE(instrument_->BeginOtherRun());
    AttachAgain();
    Invoke(ranges, [&](const InvokeContext& given) {
      EXPECT_EQ(given.inputs[0].data, arena(256));
      EXPECT_EQ(given.inputs[1].data, arena(64));
    });
    EXPECT_FALSE(instrument_->SawOperator());
    Invoke({ranges[1]}, [&](const InvokeContext& given) { EXPECT_NE(given.inputs[0].data, arena(64)); });
    EXPECT_EQ(instrument_->SawOperator(), other);
  }
}

// What no wrapped kernel was invoked for was not seen, whatever runs inside of it or around it.
TEST_P(GuardOperands, OfOperatorsInsideOthersAreSeenEachByItself) {
  ASSERT_TRUE(instrument_->BeginOtherRun());
  EXPECT_FALSE(instrument_->BeginOtherRun());
  AttachAgain();
  Run({Input(arena(64), 16)}, [&] {
    instrument_->OnRuntimeEnters();
    Invoke({Input(arena(128), 16)}, [](const InvokeContext&) {});
    EXPECT_TRUE(instrument_->SawOperator());
    instrument_->OnRuntimeLeaves();
  });
  EXPECT_FALSE(instrument_->SawOperator());
}

// Of what lies outside of its pages it sees writes to the model, and what the runtime's arenas hold may change.
TEST_P(GuardOperands, AreNotTheArenasThemselves) {
  CheckedMemory persistent(256);
  instrument_->OnDetach();
  instrument_->Watch(persistent.region());
  instrument_->OnAttach({{arena_.data(), arena_.bytes()}, {persistent.data(), persistent.bytes()}},
                        {model_.data(), model_.bytes()});
  OperatorScope scope;
  scope.phase = OperatorPhase::kPrepare;
  scope.operator_name = scope.kernel_name = "mock";
  instrument_->OnOperatorBegins(scope);
  *arena(8) = *(persistent.data() + 8) = std::byte{0x1a};
  const std::byte before = *model(8);
  *model(8) = std::byte{0x1a};
  instrument_->OnOperatorEnds();
  EXPECT_EQ(*arena(8), std::byte{0x1a});
  EXPECT_EQ(persistent.data()[8], std::byte{0x1a});
  EXPECT_EQ(*model(8), before);
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_TRUE(groups()[0].write);
  instrument_->OnDetach();
}

}  // namespace
}  // namespace arenaproof::testing
