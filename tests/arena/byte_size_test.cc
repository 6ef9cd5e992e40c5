#include "core/base/byte_size.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/arena/arena_support.h"

namespace arenaproof {
namespace {

constexpr std::size_t kUntouched = 4711;

std::size_t Count(const std::vector<std::int32_t>& shape) {
  std::size_t count = kUntouched;
  EXPECT_TRUE(ElementCount(shape, &count).ok());
  return count;
}

StatusCode RefusedCount(const std::vector<std::int32_t>& shape) {
  std::size_t count = kUntouched;
  const Status status = ElementCount(shape, &count);
  EXPECT_EQ(count, kUntouched) << "a refusal wrote its result";
  return status.code;
}

TEST(ByteSize, CountsTheElementsOfAShape) {
  EXPECT_EQ(Count({}), 1u);
  EXPECT_EQ(Count({7}), 7u);
  EXPECT_EQ(Count({1, 96, 96, 3}), 27648u);
  EXPECT_EQ(Count({INT32_MAX}), 2147483647u);
}

TEST(ByteSize, AShapeWithAZeroHasNoElements) {
  EXPECT_EQ(Count({0}), 0u);
  EXPECT_EQ(Count({INT32_MAX, INT32_MAX, 0}), 0u);
}

TEST(ByteSize, RefusesAProductAboveTheLargestInt32) {
  EXPECT_EQ(RefusedCount({65536, 32768}), StatusCode::kSizeOverflow);
  EXPECT_EQ(RefusedCount({46341, 46341}), StatusCode::kSizeOverflow);
  EXPECT_EQ(RefusedCount({INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}), StatusCode::kSizeOverflow);
}

TEST(ByteSize, RefusesANegativeDimensionWhateverTheOthersAre) {
  EXPECT_EQ(RefusedCount({-1}), StatusCode::kSizeOverflow);
  EXPECT_EQ(RefusedCount({-2, -3}), StatusCode::kSizeOverflow);
  EXPECT_EQ(RefusedCount({0, -1}), StatusCode::kSizeOverflow);
  std::size_t count = 0;
  const std::vector<std::int32_t> shape = {4, -5};
  EXPECT_EQ(ElementCount(shape, &count).detail[0], 1u);
}

TEST(ByteSize, RefusesAnArrayLargerThanTheAddressSpace) {
  std::size_t bytes = kUntouched;
  EXPECT_TRUE(ArrayBytes(24, 64, &bytes).ok());
  EXPECT_EQ(bytes, 1536u);
  bytes = kUntouched;
  EXPECT_EQ(ArrayBytes(kLargestSize / 24 + 1, 24, &bytes).code, StatusCode::kSizeOverflow);
  EXPECT_EQ(bytes, kUntouched);
}

TEST(ByteSize, RoundsUpTo16) {
  std::size_t rounded = kUntouched;
  for (const auto& [bytes, expected] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 0}, {1, 16}, {16, 16}, {17, 32}, {kLargestSize - 15, kLargestSize - 15}}) {
    EXPECT_TRUE(RoundUp16(bytes, &rounded).ok());
    EXPECT_EQ(rounded, expected);
  }
}

TEST(ByteSize, RefusesToRoundPastTheLargestSize) {
  std::size_t rounded = kUntouched;
  EXPECT_EQ(RoundUp16(kLargestSize - 14, &rounded).code, StatusCode::kSizeOverflow);
  EXPECT_EQ(RoundUp16(kLargestSize, &rounded).code, StatusCode::kSizeOverflow);
  EXPECT_EQ(RoundUp(5, 0, &rounded).code, StatusCode::kSizeOverflow);
  EXPECT_EQ(rounded, kUntouched);
}

}  // namespace
}  // namespace arenaproof
