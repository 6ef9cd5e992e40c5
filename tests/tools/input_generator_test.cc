#include "tools/model/input_generator.h"

#include <gtest/gtest.h>

#include <array>

namespace arenaproof {
namespace {

TEST(InputGenerator, GivesTheSameBytesForEver) {
  using Bytes = std::array<std::byte, 5>;
  Bytes filled{};
  ASSERT_TRUE(InputGenerator(1).Fill(TensorType::kInt8, filled));
  EXPECT_EQ(filled, (Bytes{std::byte{81}, std::byte{192}, std::byte{221}, std::byte{143}, std::byte{237}}));
  ASSERT_TRUE(InputGenerator(2).Fill(TensorType::kUInt8, filled));
  EXPECT_EQ(filled, (Bytes{std::byte{162}, std::byte{128}, std::byte{44}, std::byte{210}, std::byte{30}}));
}

TEST(InputGenerator, KeepsFloatsInMinusOneToOne) {
  std::array<float, 1000> values{};
  ASSERT_TRUE(InputGenerator(3).Fill(TensorType::kFloat32, std::as_writable_bytes(std::span(values))));
  for (const float value : values) {
    ASSERT_GE(value, -1.0f);
    ASSERT_LT(value, 1.0f);
  }
  EXPECT_NE(values[0], values[1]);
}

TEST(InputGenerator, KeepsBooleansZeroOrOne) {
  std::array<std::byte, 256> values{};
  ASSERT_TRUE(InputGenerator(2).Fill(TensorType::kBool, values));
  std::size_t ones = 0;
  for (const std::byte value : values) {
    ASSERT_LE(std::to_integer<int>(value), 1);
    ones += std::to_integer<std::size_t>(value);
  }
  EXPECT_GT(ones, 64u);
  EXPECT_LT(ones, 192u);
}

TEST(InputGenerator, WritesNothingWhereThereIsNoRule) {
  std::array<std::byte, 6> bytes{};
  EXPECT_FALSE(InputGenerator(1).Fill(TensorType::kString, bytes));
  EXPECT_FALSE(InputGenerator(1).Fill(TensorType::kFloat32, bytes));
  EXPECT_EQ(bytes, (std::array<std::byte, 6>{}));
}

}  // namespace
}  // namespace arenaproof
