// The oracle of planted accesses: what a report has to say, and that each wrong word of one is noticed.
#include "sanitizers/self_test/planted_oracle.h"

#include <gmock/gmock.h>

#include <array>

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::byte* OracleByte(std::size_t offset) {
  static std::array<std::byte, 1024> memory;
  return memory.data() + offset;
}

OperandRange OracleRange(std::size_t offset, std::size_t bytes, AccessRight right, std::int32_t index) {
  return {OracleByte(offset), bytes, right, OperandKind::kInput, index};
}

PlantedAccess OracleAccess(std::size_t bytes, bool write) {
  return {.what = "", .bytes = bytes, .write = write, .any_alignment = true, .make = nullptr};
}

TEST(PlantedOracle, ExpectsTheNearestOperandAndTheFurthestByte) {
  const OperandRange open[] = {OracleRange(256, 16, AccessRight::kRead, 0),
                               OracleRange(300, 0, AccessRight::kReadWrite, 1),
                               OracleRange(512, 16, AccessRight::kReadWrite, 2)};
  struct Case {
    std::size_t at, bytes;
    bool write, illegal;
    ViolationSide side;
    std::size_t distance;
    std::int32_t index;
  };
  using enum ViolationSide;
  for (const Case& one : {Case{256, 16, false, false, kFar, 0, -1}, Case{256, 16, true, true, kInside, 0, 0},
                          Case{512, 16, true, false, kFar, 0, -1}, Case{527, 1, true, false, kFar, 0, -1},
                          Case{255, 1, false, true, kBefore, 1, 0}, Case{250, 8, false, true, kBefore, 6, 0},
                          Case{272, 1, false, true, kAfter, 1, 0}, Case{264, 16, false, true, kAfter, 8, 0},
                          Case{300, 4, true, true, kAfter, 32, 0}, Case{256 - 64, 1, false, true, kBefore, 64, 0},
                          Case{256 - 65, 1, false, true, kFar, 64, 0}, Case{528 + 63, 1, true, true, kAfter, 64, 2},
                          Case{528 + 64, 1, true, true, kFar, 64, 2}, Case{449, 1, false, true, kBefore, 63, 2},
                          Case{391, 2, false, true, kFar, 119, 0}}) {
    const PlantedExpectation expected = ExpectPlanted(OracleAccess(one.bytes, one.write), OracleByte(one.at), open);
    EXPECT_EQ(expected.illegal, one.illegal) << one.at;
    if (!one.illegal) continue;
    EXPECT_EQ(expected.side, one.side) << one.at;
    EXPECT_EQ(expected.distance_bytes, one.distance) << one.at;
    ASSERT_NE(expected.operand, nullptr) << one.at;
    EXPECT_EQ(expected.operand->index, one.index) << one.at;
  }
  const PlantedExpectation nowhere = ExpectPlanted(OracleAccess(1, false), OracleByte(0), {});
  EXPECT_TRUE(nowhere.illegal);
  EXPECT_EQ(nowhere.side, kFar);
  EXPECT_EQ(nowhere.operand, nullptr);
}

TEST(PlantedOracle, NoticesEachWrongWordOfAReport) {
  const OperandRange operand = OracleRange(256, 16, AccessRight::kRead, 3);
  const PlantedAccess planted = OracleAccess(8, false);
  const PlantedExpectation expected = ExpectPlanted(planted, OracleByte(252), {&operand, 1});
  const ByteState gap = ByteState::kGap;
  const ReserveVerdict contained = ReserveVerdict::kContained;
  const PlantedPlace place{.state = &gap, .reserve = &contained};
  Violation right;
  right.operand = operand;
  right.side = ViolationSide::kBefore;
  right.distance_bytes = 4;
  right.min_width_bytes = right.max_width_bytes = 8;
  right.reserve = contained;
  const auto check = [&](void (*change)(Violation&), PlantedExactness exact = {true, true}) {
    Violation found = right;
    change(found);
    return CheckPlanted(planted, expected, place, found, exact);
  };
  EXPECT_THAT(check([](Violation&) {}), IsEmpty());
  EXPECT_THAT(check([](Violation& v) { v.write = true; }), ElementsAre(", reported as the other kind of access"));
  EXPECT_THAT(check([](Violation& v) { v.side = ViolationSide::kAfter; }), ElementsAre(HasSubstr("reported as ")));
  for (const auto change : {+[](Violation& v) { v.operand.data += 1; }, +[](Violation& v) { v.operand.index = 2; },
                            +[](Violation& v) { v.operand.kind = OperandKind::kConstant; }}) {
    EXPECT_THAT(check(change), ElementsAre(", charged to the wrong operand"));
  }
  const auto nearer = +[](Violation& v) { v.distance_bytes = 3; };
  const auto further = +[](Violation& v) { v.distance_bytes = 5; };
  EXPECT_THAT(check(nearer), ElementsAre(", reported 3 bytes away instead of 4"));
  EXPECT_THAT(check(further), ElementsAre(", reported 5 bytes away instead of 4"));
  EXPECT_THAT(check(nearer, {false, true}), IsEmpty());
  EXPECT_THAT(check(further, {false, true}), ElementsAre(HasSubstr("5 bytes away")));
  for (const auto change :
       {+[](Violation& v) { v.min_width_bytes = 7; }, +[](Violation& v) { v.max_width_bytes = 9; }}) {
    EXPECT_THAT(check(change), ElementsAre(", reported with another width"));
    EXPECT_THAT(check(change, {true, false}), IsEmpty());
  }
  EXPECT_THAT(check([](Violation& v) { v.state_kind = ByteState::kTail; }),
              ElementsAre(", said to lie in tail instead of gap"));
  EXPECT_THAT(check([](Violation& v) { v.reserve = ReserveVerdict::kLeavesAllocation; }),
              ElementsAre(", of the reserve said to be leaves_allocation instead of contained"));
  Violation elsewhere = right;
  elsewhere.state_kind = ByteState::kTail;
  elsewhere.reserve = ReserveVerdict::kLeavesAllocation;
  EXPECT_THAT(CheckPlanted(planted, expected, {}, elsewhere, {true, true}), IsEmpty());
  EXPECT_THAT(
      CheckPlanted(planted, {.illegal = true, .side = right.side, .distance_bytes = 4}, {}, right, {true, true}),
      ElementsAre(", charged to the wrong operand"));
}

}  // namespace
}  // namespace arenaproof::testing
