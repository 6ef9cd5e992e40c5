// What a report and an extent know of the operator that they are of, and of the worst that its group has seen.
#include <gmock/gmock.h>

#include <array>

#include "sanitizers/report/attribution.h"
#include "tests/sanitizers/recording_instrument.h"

namespace arenaproof::testing {
namespace {

using ::testing::IsEmpty;

class ReportedOperators : public ::testing::Test {
 protected:
  static std::byte* At(std::size_t offset) {
    alignas(64) static std::array<std::byte, 4096> memory;
    return memory.data() + offset;
  }
  ReportedOperators() { Attach(); }
  void Attach() {
    instrument_.OnAttach({{At(512), 1024}, {At(2048), 512}}, {At(3072), 512});
    instrument_.TakeCalls();
  }
  bool Touch(std::size_t offset, bool write = false, std::size_t bytes = 1) {
    return instrument_.CheckAccess(AddressOf(At(offset)), bytes, write);
  }
  const std::vector<Violation>& groups() const { return instrument_.log().groups(); }

  const OperandRange input_ = {At(512), 16, AccessRight::kRead, OperandKind::kInput, 4};
  RecordingInstrument instrument_;
};

TEST_F(ReportedOperators, AreNamedWithSubgraphIndexPhaseAndKernel) {
  instrument_.OnOperatorBegins({.phase = OperatorPhase::kPrepare,
                                .subgraph = 2,
                                .operator_index = 3,
                                .operator_name = "MOCK",
                                .kernel_name = "own",
                                .operands = {&input_, 1}});
  EXPECT_TRUE(Touch(530, true, 2));
  ASSERT_EQ(groups().size(), 1u);
  const Violation& found = groups()[0];
  EXPECT_EQ(found.op.subgraph, 2);
  EXPECT_EQ(found.op.index, 3);
  EXPECT_EQ(found.op.phase, OperatorPhase::kPrepare);
  EXPECT_EQ(found.op.name, "MOCK");
  EXPECT_EQ(found.op.kernel, "own");
  EXPECT_EQ(found.operand.index, 4);
  EXPECT_TRUE(found.write);
  EXPECT_EQ(found.min_width_bytes, 2u);
  EXPECT_EQ(found.max_width_bytes, 2u);
  EXPECT_EQ(found.count, 1u);
  EXPECT_FALSE(found.map.empty());
}

TEST_F(ReportedOperators, AreOfTheRuntimeWhereItWorksOnItsOwn) {
  const OperandRange filled = {At(512), 16, AccessRight::kReadWrite, OperandKind::kVariable, 1};
  instrument_.OnRuntimeWorkBegins({RuntimeWork::kVariableFill, 5, {&filled, 1}});
  EXPECT_TRUE(Touch(530));
  instrument_.OnRuntimeWorkEnds();
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_EQ(groups()[0].op.subgraph, 5);
  EXPECT_EQ(groups()[0].op.index, -1);
  EXPECT_EQ(groups()[0].op.kernel, "runtime");
  instrument_.OnDetach();
  instrument_.TakeCalls();
  instrument_.OnRuntimeWorkBegins({RuntimeWork::kVariableFill, 5, {&filled, 1}});
  instrument_.OnRuntimeWorkEnds();
  EXPECT_THAT(instrument_.TakeCalls(), IsEmpty()) << "nothing is watched after the detach";
}

TEST_F(ReportedOperators, MayReadTheirAllowancesAndNotWriteThem) {
  const OperandRange allowed[] = {{At(528), 8, AccessRight::kRead, OperandKind::kInput, 4},
                                  {At(500), 12, AccessRight::kRead, OperandKind::kInput, 4}};
  instrument_.OnOperatorBegins({.operands = {&input_, 1}, .read_allowances = allowed});
  for (const std::size_t at : {500u, 511u, 528u, 535u}) {
    EXPECT_FALSE(Touch(at)) << at;
    EXPECT_TRUE(Touch(at, true)) << at;
  }
  EXPECT_TRUE(Touch(499));
  EXPECT_TRUE(Touch(536));
}

// One access over both ends of an operand is charged on both sides.
TEST_F(ReportedOperators, AreChargedWithEachRunOfAnAccess) {
  instrument_.OnOperatorBegins({.operands = {&input_, 1}});
  EXPECT_TRUE(Touch(508, false, 32));
  ASSERT_EQ(groups().size(), 2u);
  EXPECT_EQ(groups()[0].side, ViolationSide::kBefore);
  EXPECT_EQ(groups()[0].distance_bytes, 4u);
  EXPECT_EQ(groups()[1].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[1].distance_bytes, 12u);
  EXPECT_EQ(groups()[1].max_width_bytes, 32u);
}

// The worst that becomes of one access of a group is said of all, whichever comes first.
TEST_F(ReportedOperators, LeaveTheReserveWithTheirFurthestAccess) {
  for (const bool furthest_first : {false, true}) {
    Attach();
    instrument_.registry().SetReserve({At(496), 16});
    instrument_.OnOperatorBegins({.operands = {&input_, 1}});
    Touch(furthest_first ? 495 : 511);
    EXPECT_EQ(groups()[0].reserve, furthest_first ? ReserveVerdict::kLeavesAllocation : ReserveVerdict::kContained);
    Touch(furthest_first ? 511 : 495);
    ASSERT_EQ(groups().size(), 1u);
    EXPECT_EQ(groups()[0].reserve, ReserveVerdict::kLeavesAllocation);
    EXPECT_EQ(groups()[0].distance_bytes, 17u);
    EXPECT_EQ(groups()[0].state_kind, ByteState::kGuard);
  }
}

// Also when it is nearer to the operand than what was reported before, and keeps that one's place and words.
TEST_F(ReportedOperators, ReachTheArenaWithAnAccessThatIsNotTheirFurthest) {
  const OperandRange inner = {At(544), 16, AccessRight::kRead, OperandKind::kInput, 4};
  instrument_.registry().SetReserve({At(496), 16});
  instrument_.OnOperatorBegins({.operands = {&inner, 1}});
  Touch(496);
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_EQ(groups()[0].reserve, ReserveVerdict::kContained);
  Touch(530);
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_EQ(groups()[0].reserve, ReserveVerdict::kReachesObject);
  EXPECT_EQ(groups()[0].distance_bytes, 48u);
  EXPECT_EQ(groups()[0].state_kind, ByteState::kReserve);
}

// A constant is known from the operator that lists it on, by the numbers of that operator's subgraph.
TEST_F(ReportedOperators, TeachWhereTheirConstantsLie) {
  const OperandRange constants[] = {{At(3100), 16, AccessRight::kRead, OperandKind::kConstant, 7},
                                    {At(3200), 16, AccessRight::kRead, OperandKind::kQuantization, 8},
                                    {At(3300), 16, AccessRight::kRead, OperandKind::kConstant, 9}};
  instrument_.OnOperatorBegins({.subgraph = 2, .operands = constants});
  instrument_.OnOperatorEnds();
  instrument_.OnOperatorBegins({.operator_index = 1, .operands = {&input_, 1}});
  for (const std::size_t at : {3100u, 3200u, 3315u}) Touch(at, at == 3200);
  ASSERT_EQ(groups().size(), 2u);
  EXPECT_EQ(groups()[0].state, "constant tensor 9 of subgraph 2");
  EXPECT_EQ(groups()[1].state, "another part of the model file");
  EXPECT_EQ(instrument_.registry().OwnerOf(At(3100), {}).index, 7);
}

TEST_F(ReportedOperators, OwnTheBlocksThatTheyAreGivenInACall) {
  const auto owner = [&](std::size_t offset) { return instrument_.registry().OwnerOf(At(offset), {}).index; };
  instrument_.OnOperatorBegins({.phase = OperatorPhase::kPrepare, .operator_index = 3, .operands = {}});
  instrument_.OnTemporaryAllocated({At(600), 8});  // in the middle of the operator's own code: nobody's
  instrument_.OnTailAllocated({At(2500), 8});
  instrument_.OnRuntimeEnters();
  instrument_.OnOperatorBegins({.phase = OperatorPhase::kPrepare, .subgraph = 1, .operator_index = 5, .operands = {}});
  instrument_.OnRuntimeEnters();
  instrument_.OnTailAllocated({At(2400), 8});
  instrument_.OnRuntimeLeaves();
  instrument_.OnOperatorEnds();
  instrument_.OnTailAllocated({At(2300), 8});
  instrument_.OnRuntimeLeaves();
  EXPECT_EQ(owner(2500), -1);
  EXPECT_EQ(owner(2400), 5);
  EXPECT_EQ(owner(2300), 3);
  ASSERT_EQ(instrument_.open.size(), 1u);
  EXPECT_EQ(instrument_.open[0].data, At(2300));
}

}  // namespace
}  // namespace arenaproof::testing
