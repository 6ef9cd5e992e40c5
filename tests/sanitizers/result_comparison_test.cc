// Results of two runs: which operands are some, what is compared with what, and what is not compared any more.
#include "sanitizers/instrument/filling/result_comparison.h"

#include <gmock/gmock.h>

#include <array>

namespace arenaproof::testing {
namespace {

using ::testing::IsEmpty;

using ResultKind = OperandKind;

class ResultsOfTwoRuns : public ::testing::Test {
 protected:
  std::byte* At(std::size_t offset) { return memory_.data() + offset; }
  OperandRange Range(std::size_t offset, std::size_t bytes, ResultKind kind = ResultKind::kOutput,
                     std::int32_t index = 0, AccessRight right = AccessRight::kReadWrite) {
    return {At(offset), bytes, right, kind, index};
  }
  std::vector<Violation> Take(std::int32_t index, const std::vector<OperandRange>& operands,
                              std::int32_t subgraph = 0) {
    const NamedOperator op = {subgraph, index, OperatorPhase::kInvoke, "MOCK", "mock"};
    results_.Meet(op);
    return results_.Take(op, operands, registry_);
  }
  // That the operator was run in one of the two only.
  static void ExpectOtherEnd(const std::vector<Violation>& found, std::int32_t index) {
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].side, ViolationSide::kDiffers);
    EXPECT_EQ(found[0].op.index, index);
    EXPECT_EQ(found[0].operand.data, nullptr);
  }

  std::array<std::byte, 256> memory_{};
  ByteRegistry registry_;
  ResultComparison results_;
};

TEST_F(ResultsOfTwoRuns, AreOutputsAndVariablesThatAreWritten) {
  for (const ResultKind kind : {ResultKind::kInput, ResultKind::kOutput, ResultKind::kConstant, ResultKind::kVariable,
                                ResultKind::kScratch, ResultKind::kPersistent, ResultKind::kTemporary}) {
    const bool result = kind == ResultKind::kOutput || kind == ResultKind::kVariable;
    EXPECT_EQ(IsResult(Range(0, 8, kind)), result) << OperandKindName(kind);
    EXPECT_EQ(IsResult(Range(0, 8, kind, 0, AccessRight::kWrite)), result) << OperandKindName(kind);
    EXPECT_FALSE(IsResult(Range(0, 8, kind, 0, AccessRight::kRead))) << OperandKindName(kind);
    EXPECT_FALSE(IsResult(Range(0, 0, kind))) << OperandKindName(kind);
  }
}

TEST_F(ResultsOfTwoRuns, BeginEmptyWhereNothingThatIsReadLiesInThem) {
  const OperandRange input = Range(64, 16, ResultKind::kInput, 1, AccessRight::kRead);
  struct Case {
    OperandRange operand;
    bool empty;
  };
  for (const Case& one :
       {Case{Range(0, 16), true}, Case{Range(0, 16, ResultKind::kScratch), true},
        Case{Range(0, 16, ResultKind::kVariable), false}, Case{Range(0, 16, ResultKind::kPersistent), false},
        Case{Range(0, 16, ResultKind::kTemporary), false}, Case{Range(0, 0), false},
        Case{Range(0, 16, ResultKind::kOutput, 0, AccessRight::kRead), false}, Case{Range(48, 16), true},
        Case{Range(80, 16), true}, Case{Range(48, 17), false}, Case{Range(79, 16), false}, Case{Range(48, 64), false},
        Case{Range(68, 4), false}, Case{Range(64, 16), false}}) {
    const std::vector<OperandRange> operands = {one.operand, input};
    EXPECT_EQ(BeginsEmpty(one.operand, operands), one.empty)
        << OperandKindName(one.operand.kind) << " at " << one.operand.data - At(0) << ", " << one.operand.bytes;
  }
  // Neither an output nor a scratch buffer brings anything along, nor an input that is left out.
  EXPECT_TRUE(BeginsEmpty(
      Range(0, 16), std::array{Range(0, 16), Range(8, 16, ResultKind::kScratch), Range(4, 0, ResultKind::kInput)}));
}

TEST_F(ResultsOfTwoRuns, AreComparedByteByByteAndPutBack) {
  const std::vector<OperandRange> operands = {Range(0, 16, ResultKind::kInput), Range(32, 16, ResultKind::kOutput, 1),
                                              Range(64, 16, ResultKind::kScratch),
                                              Range(96, 8, ResultKind::kVariable, 2)};
  EXPECT_THAT(Take(4, operands), IsEmpty());
  results_.BeginOther();
  results_.Rewind();
  for (const std::size_t changed : {0u, 35u, 36u, 41u, 64u, 103u}) *At(changed) = std::byte{1};
  const std::vector<Violation> found = Take(4, operands);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].operand.index, 1);
  EXPECT_EQ(found[0].op.index, 4);
  EXPECT_EQ(found[0].lowest_touched, 3);
  EXPECT_EQ(found[0].highest_touched, 9);
  EXPECT_EQ(found[0].min_width_bytes, 3u);
  EXPECT_EQ(found[0].max_width_bytes, 3u);
  EXPECT_EQ(found[0].count, 1u);
  EXPECT_FALSE(found[0].write);
  EXPECT_EQ(found[0].state_kind, ByteState::kOwnOperand);
  EXPECT_EQ(found[0].state, "its own output 1");
  EXPECT_EQ(found[1].operand.kind, ResultKind::kVariable);
  EXPECT_EQ(found[1].lowest_touched, 7);
  for (const std::size_t result : {35u, 36u, 41u, 103u}) EXPECT_EQ(*At(result), std::byte{0}) << result;
  for (const std::size_t none : {0u, 64u}) EXPECT_EQ(*At(none), std::byte{1}) << none;
}

TEST_F(ResultsOfTwoRuns, AreThoseOfTheSameOperand) {
  const OperandRange result = Range(32, 16, ResultKind::kOutput, 1);
  for (const OperandRange& other : {Range(32, 15, ResultKind::kOutput, 1), Range(32, 16, ResultKind::kOutput, 2),
                                    Range(32, 16, ResultKind::kVariable, 1)}) {
    results_ = {};
    Take(0, {result});
    results_.BeginOther();
    results_.Rewind();
    ExpectOtherEnd(Take(0, {other}), 0);
  }
}

// Several invokes of the same operators, each with its own results.
TEST_F(ResultsOfTwoRuns, AreThoseOfTheSameInvoke) {
  const std::vector<OperandRange> operands = {Range(32, 16, ResultKind::kOutput, 1)};
  for (int run = 0; run < 2; ++run) {
    if (run == 1) results_.BeginOther();
    results_.Rewind();
    for (const int value : {1, 2}) {
      *At(32) = static_cast<std::byte>(value);
      EXPECT_THAT(Take(0, operands), IsEmpty());
    }
  }
}

TEST_F(ResultsOfTwoRuns, AreNotComparedWhereTheRunsWentDifferentWays) {
  struct Case {
    std::int32_t subgraph, index;
  };
  const std::vector<OperandRange> operands = {Range(32, 16, ResultKind::kOutput, 1)};
  for (const Case& other : {Case{0, 1}, Case{1, 0}}) {
    results_ = {};
    Take(0, operands);
    Take(2, operands);
    results_.BeginOther();
    results_.Rewind();
    ExpectOtherEnd(Take(other.index, operands, other.subgraph), other.index);
    *At(32) ^= std::byte{1};
    EXPECT_THAT(Take(2, operands), IsEmpty());
    results_.Rewind();  // and once more from the start
    ASSERT_EQ(Take(0, operands).size(), 1u);
  }
}

TEST_F(ResultsOfTwoRuns, EndWithTheFirstRuns) {
  const std::vector<OperandRange> operands = {Range(32, 16, ResultKind::kOutput, 1)};
  Take(0, operands);
  results_.BeginOther();
  results_.Rewind();
  EXPECT_THAT(Take(0, operands), IsEmpty());
  ExpectOtherEnd(Take(0, operands), 0);
  EXPECT_THAT(Take(0, operands), IsEmpty());
}

// A first run that begins anew, as it does when the instrument is attached once more, is the only first run.
TEST_F(ResultsOfTwoRuns, AreThoseOfTheLastFirstRun) {
  const std::vector<OperandRange> operands = {Range(32, 16, ResultKind::kOutput, 1)};
  Take(7, operands);
  results_.Rewind();
  *At(32) = std::byte{5};
  Take(0, operands);
  results_.BeginOther();
  results_.Rewind();
  EXPECT_THAT(Take(0, operands), IsEmpty());
}

TEST_F(ResultsOfTwoRuns, FailInTheOtherOneOfAnOperatorThatIsKnown) {
  Take(3, {}, 1);
  EXPECT_THAT(results_.FailureOf(1, 3), IsEmpty());
  results_.BeginOther();
  EXPECT_THAT(results_.FailureOf(0, 3), IsEmpty());
  EXPECT_THAT(results_.FailureOf(1, 2), IsEmpty());
  ExpectOtherEnd(results_.FailureOf(1, 3), 3);
}

}  // namespace
}  // namespace arenaproof::testing
