// Where instruments give up, end in the middle, or leave something open on purpose: no more than they say, and the next
// attach has nothing of it.
#include <gmock/gmock.h>

#include <string>

#include "sanitizers/hooks/shadow_table.h"
#include "sanitizers/instrument/asan/asan_instrument.h"
#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

using ::testing::IsEmpty;

class HookedLimits : public MockOperators {
 protected:
  void AttachAgain() {
    instrument_->OnDetach();
    instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
    ASSERT_TRUE(instrument_->self_test().status().ok());
  }
};
INSTANTIATE_TEST_SUITE_P(By, HookedLimits, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(HookedLimits, OfAnOperandWithoutRightsAreAllItsBytes) {
  const OperandRange none{arena(256), 16, AccessRight::kNone, OperandKind::kInput, 3};
  Run({none, Output(arena(512), 16)}, [&] {
    Load<std::uint8_t>(arena(264));
    Store<std::uint8_t>(arena(264));
  });
  EXPECT_EQ(groups().size(), 2u);
}

// In the middle of an operator, as it is where a library ends the process.
TEST_P(HookedLimits, EndWithTheInstrument) {
  for (const bool detached : {true, false}) {
    instrument_ = nullptr;
    instrument_ = MakeInstrument(GetParam());
    SetUp();
    const std::vector<OperandRange> operands = {Input(arena(128), 16)};
    OperatorScope scope;
    scope.operator_name = scope.kernel_name = "mock";
    scope.operands = operands;
    instrument_->OnOperatorBegins(scope);
    Load<std::uint8_t>(arena(144));
    detached ? instrument_->OnDetach() : instrument_.reset();
    Store<std::uint64_t>(arena(512));
    Store<std::uint64_t>(arena(0) - 8);
    if (detached) EXPECT_EQ(groups().size(), 1u);
  }
  instrument_ = MakeInstrument(GetParam());
}

class ShadowLimits : public HookedLimits {};
INSTANTIATE_TEST_SUITE_P(By, ShadowLimits, ::testing::Values("shadow"),
                         [](const auto& instance) { return instance.param; });

TEST_P(ShadowLimits, OfRegionsAreSaidAndNotOverstepped) {
  CheckedMemory others[hooks::kMaxShadowRegions] = {CheckedMemory(16), CheckedMemory(16), CheckedMemory(16),
                                                    CheckedMemory(16), CheckedMemory(16), CheckedMemory(16),
                                                    CheckedMemory(16), CheckedMemory(16)};
  // Arena, model and the instrument's own memory are there.
  for (int i = 0; i < hooks::kMaxShadowRegions - 3; ++i) instrument_->Watch(others[i].region());
  AttachAgain();
  Run({Input(arena(128), 16)}, [&] { Load<std::uint8_t>(others[hooks::kMaxShadowRegions - 4].data()); });
  EXPECT_EQ(groups().size(), 1u);
  instrument_->Watch(others[hooks::kMaxShadowRegions - 3].region());
  instrument_->OnDetach();
  instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
  EXPECT_EQ(instrument_->self_test().status().code, StatusCode::kInstrumentBlind);
  EXPECT_THAT(instrument_->self_test().missed, ::testing::Contains("more than 8 regions of memory to watch"));
}

class AsanLimits : public HookedLimits {};
INSTANTIATE_TEST_SUITE_P(By, AsanLimits, ::testing::Values("asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(AsanLimits, OfReportsAreThoseOfOneRunAndOfAll) {
  const auto flood = [&](std::uint64_t count, std::int32_t index) {
    const std::uint64_t before = instrument_->log().access_count();
    Run(
        {Scratch(arena(128), 16)},
        [&] {
          for (std::uint64_t i = 0; i < count; ++i) Load<std::uint8_t>(arena(144));
        },
        index);
    return instrument_->log().access_count() - before;
  };
  constexpr std::uint64_t kMost = AsanInstrument::kMaxReportsOfARun;
  EXPECT_EQ(flood(kMost, 0), kMost);
  EXPECT_FALSE(instrument_->log().capped());
  EXPECT_EQ(flood(kMost + 5, 1), kMost);
  EXPECT_TRUE(instrument_->log().capped());
  std::int32_t index = 2;
  std::uint64_t all = 2 * kMost;
  for (; flood(kMost - 1, index) == kMost - 1; ++index) all += kMost - 1;
  EXPECT_LE(all, AsanInstrument::kMaxReports);
  EXPECT_GT(all, AsanInstrument::kMaxReports - 2 * kMost);  // those of the self-test count too
  EXPECT_EQ(flood(5, ++index), 0u);                         // it has given up
  AttachAgain();
  EXPECT_FALSE(instrument_->log().capped());
  EXPECT_EQ(flood(5, 0), 5u);
}

TEST_P(AsanLimits, OfGranulesAreCountedFromWhatMayBeRead) {
  for (std::size_t at = 0; at < 8; ++at) {
    const OperandRange operand = Constant(model(64 + at), 20);
    EXPECT_EQ(instrument_->BlindBytesBefore(operand, {}), at);
    EXPECT_EQ(instrument_->BlindBytesBefore(operand, {3, 9}), (at + 5) % 8);
    EXPECT_EQ(instrument_->BlindBytesBefore(operand, {8, 0}), at);
    EXPECT_EQ(instrument_->BlindBytesAfter(operand, {3, 9}), 0u);
  }
}

TEST_P(AsanLimits, OfRightsAreBytesThatArePutBack) {
  *arena(130) = std::byte{0x33};
  Run({Input(arena(128), 16)}, [&] { *const_cast<volatile std::byte*>(arena(130)) = std::byte{0x1a}; });
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_TRUE(groups()[0].write);
  EXPECT_EQ(groups()[0].lowest_touched, 2);
  EXPECT_EQ(*arena(130), std::byte{0x33});
}

// Canary and twofill: what they have covered is put back, and what was written meanwhile is found.
class FillingLimits : public MockOperators {};
INSTANTIATE_TEST_SUITE_P(By, FillingLimits, ::testing::Values("canary", "twofill"),
                         [](const auto& instance) { return instance.param; });

TEST_P(FillingLimits, OfAnOperatorThatNeverEndsAreThoseOfTheDetach) {
  std::memset(arena(0), 0x33, 1024);
  const std::vector<OperandRange> operands = {Output(arena(128), 16)};
  OperatorScope scope;
  scope.operator_name = scope.kernel_name = "mock";
  scope.operands = operands;
  instrument_->OnOperatorBegins(scope);
  EXPECT_NE(*arena(200), std::byte{0x33});
  *arena(144) = std::byte{0x1a};
  instrument_->OnDetach();
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_EQ(groups()[0].distance_bytes, 1u);
  for (const std::size_t at : {0u, 127u, 144u, 200u, 1023u}) EXPECT_EQ(*arena(at), std::byte{0x33}) << at;
}

class TwofillLimits : public MockOperators {};
INSTANTIATE_TEST_SUITE_P(By, TwofillLimits, ::testing::Values("twofill"),
                         [](const auto& instance) { return instance.param; });

TEST_P(TwofillLimits, AreTwoRunsOfInvokes) {
  Run({Output(arena(128), 16)}, [&] { *arena(128) = std::byte{1}; });
  EXPECT_FALSE(instrument_->SawOperator());
  EXPECT_FALSE(instrument_->ChargeFailure(0, 0));
  ASSERT_TRUE(instrument_->BeginOtherRun());
  EXPECT_FALSE(instrument_->BeginOtherRun());
  instrument_->OnDetach();
  instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
  OperatorScope scope;
  scope.phase = OperatorPhase::kPrepare;
  const std::vector<OperandRange> operands = {Output(arena(128), 16)};
  scope.operands = operands;
  instrument_->OnOperatorBegins(scope);
  *arena(128) = std::byte{2};
  instrument_->OnOperatorEnds();
  EXPECT_TRUE(instrument_->SawOperator());
  EXPECT_THAT(groups(), IsEmpty());
  Run({Output(arena(128), 16)}, [&] { *arena(128) = std::byte{1}; });
  EXPECT_EQ(groups().size(), 1u);  // the other 15 bytes
}

}  // namespace
}  // namespace arenaproof::testing
