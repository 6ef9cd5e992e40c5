#include <gtest/gtest.h>

#include "sanitizers/report/attribution.h"

namespace arenaproof {
namespace {

const std::byte* ByteAt(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }

OperandRange Range(std::uintptr_t address, std::size_t bytes, AccessRight right = AccessRight::kRead) {
  return {ByteAt(address), bytes, right, OperandKind::kInput, 0};
}

TEST(Attribution, FindsNothingWrongWhereTwoNeighboursCoverTheAccess) {
  const OperandRange operands[] = {Range(1000, 8), Range(1008, 8)};
  EXPECT_TRUE(AttributeAccess(operands, 1004, 8, false).empty());
}

TEST(Attribution, OfAnEmptyAccessIsEmpty) { EXPECT_TRUE(AttributeAccess({}, 1000, 0, false).empty()); }

// A negative length, taken for a size: the access ends where addresses end.
TEST(Attribution, GoesNoFurtherThanTheLastAddress) {
  const OperandRange operands[] = {Range(1000, 16, AccessRight::kWrite)};
  const auto runs = AttributeAccess(operands, 1000, SIZE_MAX - 3, true);
  ASSERT_FALSE(runs.empty());
  EXPECT_EQ(runs[0].operand, 0);
  EXPECT_EQ(runs[0].side, ViolationSide::kAfter);
}

TEST(Attribution, WithoutOperandsIsFar) {
  const auto runs = AttributeAccess({}, 1000, 4, false);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].side, ViolationSide::kFar);
  EXPECT_EQ(runs[0].operand, -1);
}

TEST(Attribution, UnionsTheRightsOfOverlappingOperands) {
  const OperandRange operands[] = {Range(1000, 16), Range(1000, 16, AccessRight::kWrite)};
  EXPECT_TRUE(AttributeAccess(operands, 1000, 16, true).empty());
  EXPECT_TRUE(AttributeAccess(operands, 1000, 16, false).empty());
}

TEST(Attribution, ChargesATieToTheOperandThatTheAccessTouches) {
  const OperandRange operands[] = {Range(1000, 8), Range(1024, 8)};
  const auto after = AttributeAccess(operands, 1004, 20, false);  // touches both sides' edges: [1008, 1024) is closed
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0].operand, 0);
  const auto middle = AttributeAccess(operands, 1012, 8, false);  // four bytes from each: the lower one
  ASSERT_EQ(middle.size(), 1U);
  EXPECT_EQ(middle[0].operand, 0);
  EXPECT_EQ(middle[0].distance_bytes, 12U);
  const auto before = AttributeAccess(operands, 1012, 16, false);  // [1012, 1024) borders on the second
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(before[0].operand, 1);
  EXPECT_EQ(before[0].side, ViolationSide::kBefore);
  EXPECT_EQ(before[0].distance_bytes, 12U);
}

TEST(Attribution, IsFarFromSixtyFourClosedBytesOn) {
  const OperandRange operands[] = {Range(1000, 8)};
  EXPECT_EQ(AttributeAccess(operands, 1008 + 63, 1, false)[0].side, ViolationSide::kAfter);
  EXPECT_EQ(AttributeAccess(operands, 1008 + 64, 1, false)[0].side, ViolationSide::kFar);
  EXPECT_EQ(AttributeAccess(operands, 1008 + 64, 1, false)[0].distance_bytes, 64U);
}

TEST(ViolationLog, CountsOnAndSaysSoWhenItIsFull) {
  ViolationLog log;
  Violation violation;
  violation.count = 1;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(ViolationLog::kMaxGroups); ++i) {
    violation.op.index = i;
    log.Add(violation);
  }
  EXPECT_FALSE(log.capped());
  violation.op.index = -5;
  log.Add(violation);
  EXPECT_TRUE(log.capped());
  EXPECT_EQ(log.groups().size(), ViolationLog::kMaxGroups);
  EXPECT_EQ(log.access_count(), ViolationLog::kMaxGroups + 1);
}

}  // namespace
}  // namespace arenaproof
