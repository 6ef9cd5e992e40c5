#include "sanitizers/layout/blind_pairs.h"

#include <gtest/gtest.h>

#include <array>

namespace arenaproof::testing {
namespace {

class BlindPairs : public ::testing::Test {
 protected:
  OperandRange At(std::size_t offset, std::size_t bytes, OperandKind kind, std::int32_t index) const {
    return {memory_.data() + offset, bytes, AccessRight::kRead, kind, index};
  }
  std::array<std::byte, 1024> memory_{};
};

TEST_F(BlindPairs, AreOperandsThatOverlapOrLieLessThan64BytesApart) {
  const std::array operands{At(0, 16, OperandKind::kInput, 0), At(16 + 63, 16, OperandKind::kInput, 1),
                            At(79 + 16 + 64, 32, OperandKind::kOutput, 2), At(160, 8, OperandKind::kScratch, 0)};
  const std::vector<BlindPair> pairs = FindBlindPairs(operands);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].first, 0u);
  EXPECT_EQ(pairs[0].second, 1u);
  EXPECT_FALSE(pairs[0].overlap);
  EXPECT_EQ(pairs[0].gap_bytes, 63u);
  EXPECT_EQ(pairs[1].first, 2u);
  EXPECT_EQ(pairs[1].second, 3u);
  EXPECT_TRUE(pairs[1].overlap);
  EXPECT_EQ(CountBlindPairs(operands), 2u);
}

TEST_F(BlindPairs, AreFoundInWhateverOrderOperandsAreListed) {
  const std::array operands{At(100, 16, OperandKind::kOutput, 1), At(0, 64, OperandKind::kInput, 0)};
  EXPECT_EQ(FindBlindPairs(operands)[0].gap_bytes, 36u);
}

TEST_F(BlindPairs, AreNeverOneTensorListedTwice) {
  const std::array operands{At(0, 16, OperandKind::kInput, 3), At(0, 16, OperandKind::kOutput, 3)};
  EXPECT_EQ(CountBlindPairs(operands), 0u);
  const std::array two_tensors{At(0, 16, OperandKind::kInput, 3), At(0, 16, OperandKind::kOutput, 4)};
  EXPECT_EQ(CountBlindPairs(two_tensors), 1u);
  const std::array of_other_kinds{At(0, 16, OperandKind::kScratch, 3), At(0, 16, OperandKind::kOutput, 3)};
  EXPECT_EQ(CountBlindPairs(of_other_kinds), 1u);
}

// An input and the output in its bytes are one group, which has a blind pair with what lies near, for each of its
// names.
TEST_F(BlindPairs, AreNotAnInputAndTheOutputInItsPlace) {
  std::array operands{At(0, 16, OperandKind::kInput, 3), At(0, 16, OperandKind::kOutput, 4),
                      At(32, 16, OperandKind::kInput, 5)};
  EXPECT_EQ(CountBlindPairs(operands), 3u);
  operands[0].right = AccessRight::kReadInPlace;
  operands[1].right = AccessRight::kReadWriteInPlace;
  EXPECT_EQ(CountBlindPairs(operands), 2u);
}

// One index, and yet two operands: where it lies twice, or where it is no tensor's.
TEST_F(BlindPairs, AreTwoOfOneIndexThatAreNotOneTensor) {
  struct {
    OperandKind first, second;
    std::size_t second_at;
    std::size_t count;
  } const rows[] = {{OperandKind::kInput, OperandKind::kVariable, 0, 0},
                    {OperandKind::kConstant, OperandKind::kVariable, 0, 0},
                    {OperandKind::kOutput, OperandKind::kVariable, 0, 0},
                    {OperandKind::kInput, OperandKind::kOutput, 16, 1},
                    {OperandKind::kScratch, OperandKind::kScratch, 0, 1},
                    {OperandKind::kPersistent, OperandKind::kVariable, 0, 1},
                    {OperandKind::kQuantization, OperandKind::kConstant, 0, 1},
                    {OperandKind::kQuantization, OperandKind::kQuantization, 16, 1},
                    {OperandKind::kInput, OperandKind::kOutput, 16 + 63, 1},
                    {OperandKind::kInput, OperandKind::kOutput, 16 + 64, 0}};
  for (const auto& row : rows) {
    const std::array operands{At(0, 16, row.first, 3), At(row.second_at, 16, row.second, 3)};
    EXPECT_EQ(CountBlindPairs(operands), row.count) << static_cast<int>(row.first) << " " << row.second_at;
    EXPECT_EQ(FindBlindPairs(operands).size(), row.count);
  }
}

TEST_F(BlindPairs, OverlapInAnyWay) {
  for (const auto& [first, first_bytes, second, second_bytes] :
       {std::array<std::size_t, 4>{100, 16, 90, 11}, {100, 16, 115, 4}, {100, 16, 104, 2}, {104, 2, 100, 16}}) {
    const std::array operands{At(first, first_bytes, OperandKind::kInput, 0),
                              At(second, second_bytes, OperandKind::kOutput, 1)};
    const std::vector<BlindPair> pairs = FindBlindPairs(operands);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_TRUE(pairs[0].overlap) << first << " " << second;
    EXPECT_EQ(pairs[0].gap_bytes, 0u);
  }
  const std::array neighbours{At(100, 16, OperandKind::kInput, 0), At(116, 4, OperandKind::kOutput, 1)};
  EXPECT_FALSE(FindBlindPairs(neighbours)[0].overlap);
}

TEST_F(BlindPairs, NeedBytesOnBothSides) {
  const std::array operands{At(0, 16, OperandKind::kInput, 0), At(16, 0, OperandKind::kScratch, 0),
                            OperandRange{nullptr, 0, AccessRight::kRead, OperandKind::kInput, -1}};
  EXPECT_EQ(CountBlindPairs(operands), 0u);
}

}  // namespace
}  // namespace arenaproof::testing
