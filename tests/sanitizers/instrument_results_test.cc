// What an instrument leaves behind besides its log: extents by all that they are of, and what its self-test came to.
#include <gtest/gtest.h>

#include "tests/sanitizers/recording_instrument.h"

namespace arenaproof::testing {
namespace {

TEST(InstrumentResults, HaveAnExtentForEachOperandOfEachOperatorInEachPhase) {
  RecordingInstrument instrument;
  struct Case {
    std::int32_t subgraph, index;
    OperatorPhase phase;
    OperandKind kind;
    std::int32_t operand;
  };
  constexpr auto kInvoke = OperatorPhase::kInvoke;
  std::ptrdiff_t lowest = 0;
  std::vector<Case> cases = {
      Case{0, 0, kInvoke, OperandKind::kInput, 0},  Case{1, 0, kInvoke, OperandKind::kInput, 0},
      Case{0, 1, kInvoke, OperandKind::kInput, 0},  Case{0, 0, OperatorPhase::kPrepare, OperandKind::kInput, 0},
      Case{0, 0, kInvoke, OperandKind::kOutput, 0}, Case{0, 0, kInvoke, OperandKind::kInput, 1}};
  for (const Case& one : cases) {
    instrument.OnOperatorBegins(
        {.phase = one.phase, .subgraph = one.subgraph, .operator_index = one.index, .operands = {}});
    instrument.ExtentOf({nullptr, 16, AccessRight::kRead, one.kind, one.operand}).lowest_read = ++lowest;
    instrument.OnOperatorEnds();
  }
  EXPECT_EQ(instrument.extents().size(), cases.size());
  lowest = 0;
  for (const Case& one : cases) {
    EXPECT_EQ(instrument.extents().at({one.subgraph, one.index, one.phase, one.kind, one.operand}).lowest_read,
              ++lowest);
  }
}

TEST(InstrumentResults, AreBlindByWhatWasMissedAndByWhatWasReportedWithoutReason) {
  SelfTestResult result;
  result.seen = {"a", "b"};
  result.limits = {"c"};
  EXPECT_EQ(result.status(), Ok());
  result.legal_reported = {"d", "e", "f"};
  EXPECT_EQ(result.status(), Failure(StatusCode::kInstrumentBlind, 0, 2, 3));
  result.missed = {"g"};
  EXPECT_EQ(result.status(), Failure(StatusCode::kInstrumentBlind, 1, 3, 3));
}

}  // namespace
}  // namespace arenaproof::testing
