// An operator that never ended, because the instrument was detached in the middle of it: the next attach has neither
// its operands nor what it was allowed to read, nor its step of the plan.
#include <gmock/gmock.h>

#include "sanitizers/report/attribution.h"
#include "tests/sanitizers/mock_operator.h"
#include "tests/sanitizers/recording_instrument.h"

namespace arenaproof::testing {
namespace {

class UnfinishedOperators : public MockOperators {};
INSTANTIATE_TEST_SUITE_P(By, UnfinishedOperators, ::testing::Values("shadow", "asan", "canary", "twofill"),
                         [](const auto& instance) { return instance.param; });

// The self-test takes place in the arena's first bytes: they are closed, whatever could be read there before.
TEST_P(UnfinishedOperators, LeaveNothingOpenToTheNextAttach) {
  const OperandRange operand = Scratch(arena(0), 256);
  const OperandRange allowed{arena(0), 256, AccessRight::kRead, OperandKind::kScratch, 0};
  OperatorScope scope;
  scope.operands = {&operand, 1};
  scope.read_allowances = {&allowed, 1};
  for (const bool in_call : {false, true}) {
    instrument_->OnOperatorBegins(scope);
    if (in_call) instrument_->OnRuntimeEnters();
    instrument_->OnDetach();
    instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
    EXPECT_EQ(instrument_->self_test().status(), Ok()) << in_call;
  }
}

TEST(UnfinishedOperator, LeavesNoStepOfThePlanToTheRuntimesWork) {
  alignas(64) static std::byte memory[512];
  const PlanEntry plan[] = {{.tensor = 5, .offset = 0, .bytes = 64, .first = 2, .last = 3},
                            {.tensor = 7, .offset = 256, .bytes = 64, .first = 2, .last = 2}};
  const OperandRange output{memory, 64, AccessRight::kWrite, OperandKind::kOutput, 5};
  RecordingInstrument instrument;
  for (int attach = 0; attach < 2; ++attach) {
    instrument.OnAttach({memory, sizeof memory}, {});
    instrument.OnPlanCommitted(memory, plan);
    instrument.OnRuntimeWorkBegins({RuntimeWork::kTensorCopy, -1, {}});
    instrument.CheckAccess(AddressOf(memory + 256), 1, true);
    instrument.OnRuntimeWorkEnds();
    ASSERT_EQ(instrument.log().groups().size(), 1u);
    EXPECT_THAT(instrument.log().groups()[0].state, ::testing::EndsWith("(lives in steps 2 to 2)"));
    instrument.OnOperatorBegins({.operator_index = 1, .operands = {&output, 1}});
    instrument.OnDetach();
  }
}

}  // namespace
}  // namespace arenaproof::testing
