// Memory that is overwritten where it is closed, byte by byte against a plain statement of what is expected.
#include "sanitizers/device/covered_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "sanitizers/device/illegal_runs.h"

namespace arenaproof {
namespace {

constexpr std::size_t kRegionBytes = 64, kMarginBytes = 8;
using Bytes = std::array<std::byte, kRegionBytes + 2 * kMarginBytes>;

// All rights that the operands together grant at `address`.
unsigned RightsAt(const std::byte* address, std::span<const OperandRange> open) {
  unsigned rights = 0;
  for (const OperandRange& range : open) {
    if (address >= range.data && address < range.data + range.bytes) rights |= static_cast<unsigned>(range.right) & 3U;
  }
  return rights;
}

TEST(CoveredBytes, AreOverwrittenComparedAndPutBackByTheirRights) {
  std::mt19937 random(1);
  const auto draw = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(random); };
  std::size_t changed_count = 0;
  for (int turn = 0; turn < 2000; ++turn) {
    Bytes bytes, original, saved{};
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(draw(255));
    original = bytes;
    const CoveredRegion region{bytes.data() + kMarginBytes, kRegionBytes, saved.data()};
    std::vector<OperandRange> open(draw(4));
    for (OperandRange& range : open) {
      constexpr AccessRight kRights[] = {AccessRight::kNone,        AccessRight::kRead,
                                         AccessRight::kWrite,       AccessRight::kReadWrite,
                                         AccessRight::kReadInPlace, AccessRight::kReadWriteInPlace};
      range = {bytes.data() + draw(kRegionBytes), draw(2 * kMarginBytes), kRights[draw(5)], OperandKind::kInput, 0};
      if (draw(9) == 0) range.data = nullptr, range.bytes = 0;
    }
    const std::optional<Fill> fill = turn % 3 == 0   ? std::nullopt
                                     : turn % 3 == 1 ? std::optional(Fill::kFirst)
                                                     : std::optional(Fill::kSecond);
    CoverRegion(region, open, fill);
    Bytes laid = original;
    for (std::size_t i = 0; i < kRegionBytes; ++i) {
      if (fill && RightsAt(region.data + i, open) == 0)
        laid[kMarginBytes + i] = FillByte(*fill, i, original[kMarginBytes + i]);
    }
    ASSERT_EQ(bytes, laid) << turn;
    for (std::size_t i = draw(3); i > 0; --i) {
      for (std::size_t at = draw(kRegionBytes - 1), left = draw(9); left > 0 && at < kRegionBytes; --left, ++at) {
        region.data[at] = draw(2) == 0 ? region.data[at] : static_cast<std::byte>(draw(255));
      }
    }
    Bytes behind = bytes;
    std::vector<std::pair<std::size_t, std::size_t>> expected;
    bool adjoins = false;
    for (std::size_t i = 0; i < kRegionBytes; ++i) {
      const bool writable = (RightsAt(region.data + i, open) & 2U) != 0;
      const bool changed = !writable && bytes[kMarginBytes + i] != laid[kMarginBytes + i];
      if (!writable) behind[kMarginBytes + i] = original[kMarginBytes + i];
      if (changed && adjoins) ++expected.back().second;
      if (changed && !adjoins) expected.emplace_back(i, 1);
      adjoins = changed;
    }
    std::vector<std::pair<std::size_t, std::size_t>> found;
    std::size_t from = 0;
    MemoryRegion stretch;
    while (UncoverNext(region, open, fill, &from, &stretch)) {
      found.emplace_back(stretch.data - region.data, stretch.bytes);
      ASSERT_EQ(from, found.back().first + stretch.bytes);
    }
    EXPECT_EQ(stretch.bytes, 0U);
    ASSERT_EQ(found, expected) << turn;
    ASSERT_EQ(bytes, behind) << turn;
    changed_count += found.size();
  }
  EXPECT_GT(changed_count, 1000U);
}

TEST(FillBytes, AreNoneOfTheOtherFillNorWhatLiesThereNorZero) {
  for (std::size_t offset = 0; offset < 200; ++offset) {
    std::array<bool, 256> of_first{};
    for (const Fill fill : {Fill::kFirst, Fill::kSecond}) {
      for (unsigned present = 0; present < 256; ++present) {
        const auto byte = std::to_integer<unsigned>(FillByte(fill, offset, std::byte(present)));
        EXPECT_NE(byte, present);
        EXPECT_NE(byte, 0U);
        EXPECT_EQ(byte >= 128, fill == Fill::kFirst) << "words of several have the sign of their fill";
        if (fill == Fill::kFirst) of_first[byte] = true;
        if (fill == Fill::kSecond) EXPECT_FALSE(of_first[byte]);
      }
    }
  }
}

}  // namespace
}  // namespace arenaproof
