// Bytes that are covered and put back: of the regions that are watched now and of no others, and once.
#include "sanitizers/instrument/filling/closed_bytes.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>

#include "sanitizers/instrument/filling/read_only_bytes.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class CoveredMemory : public ::testing::Test {
 protected:
  CoveredMemory() { std::memset(memory_.data(), 0x33, memory_.size()); }

  std::byte* At(std::size_t offset) { return memory_.data() + offset; }
  MemoryRegion Region(std::size_t offset, std::size_t bytes) { return {At(offset), bytes}; }
  OperandRange Range(std::size_t offset, std::size_t bytes, AccessRight right) {
    return {At(offset), bytes, right, OperandKind::kInput, 0};
  }
  std::vector<std::pair<std::ptrdiff_t, std::size_t>> Places(const std::vector<MemoryRegion>& stretches) {
    std::vector<std::pair<std::ptrdiff_t, std::size_t>> places;
    for (const MemoryRegion& stretch : stretches) places.emplace_back(stretch.data - At(0), stretch.bytes);
    return places;
  }
  // How many bytes of [begin, end) are others than they were at first.
  std::size_t CountChanged(std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) count += *At(i) != std::byte{0x33} ? 1u : 0u;
    return count;
  }

  std::array<std::byte, 512> memory_;
  ClosedBytes bytes_;
};

TEST_F(CoveredMemory, IsFilledWhereNothingIsOpenAndPutBackOnce) {
  bytes_.Watch({Region(128, 64), Region(0, 64)});
  EXPECT_FALSE(bytes_.covered());
  const OperandRange open[] = {Range(16, 8, AccessRight::kRead), Range(136, 8, AccessRight::kWrite)};
  bytes_.Cover(open, Fill::kFirst);
  EXPECT_TRUE(bytes_.covered());
  EXPECT_EQ(CountChanged(0, 64), 56u);
  EXPECT_EQ(CountChanged(64, 128), 0u);
  EXPECT_EQ(CountChanged(128, 192), 56u);
  for (const std::size_t written : {17u, 138u, 150u}) *At(written) = std::byte{0x1a};
  EXPECT_THAT(Places(bytes_.Uncover()), ElementsAre(Pair(17, 1u), Pair(150, 1u)));
  EXPECT_FALSE(bytes_.covered());
  EXPECT_EQ(CountChanged(0, 192), 1u);  // what it may write
  *At(40) = std::byte{0x1a};
  EXPECT_THAT(bytes_.Uncover(), IsEmpty());
  EXPECT_EQ(*At(40), std::byte{0x1a});
}

// The buffers of more and of larger regions stay behind.
TEST_F(CoveredMemory, IsThatOfTheRegionsThatAreWatchedNow) {
  bytes_.Watch({Region(0, 64), Region(128, 64)});
  bytes_.Cover({}, Fill::kFirst);
  bytes_.Uncover();
  bytes_.Watch({Region(256, 16)});
  bytes_.Cover({}, Fill::kSecond);
  EXPECT_EQ(CountChanged(0, 512), 16u);
  EXPECT_EQ(CountChanged(256, 272), 16u);
  std::memset(At(0), 0x44, 64);
  EXPECT_THAT(bytes_.Uncover(), IsEmpty());
  EXPECT_EQ(*At(63), std::byte{0x44});
  EXPECT_EQ(CountChanged(64, 512), 0u);
  bytes_.Cover({}, Fill::kFirst);
  bytes_.Watch({Region(0, 64)});  // nothing of it was covered
  EXPECT_THAT(bytes_.Uncover(), IsEmpty());
}

TEST_F(CoveredMemory, IsSavedOnceWhereRegionsShareBytes) {
  bytes_.Watch({Region(32, 64), Region(0, 64), Region(40, 8), Region(96, 0), {nullptr, 16}});
  bytes_.Cover({}, Fill::kFirst);
  EXPECT_EQ(CountChanged(0, 96), 96u);
  EXPECT_THAT(bytes_.Uncover(), IsEmpty());
  EXPECT_EQ(CountChanged(0, 512), 0u);
}

// It is only asked whether what may only be read is as it was.
TEST_F(CoveredMemory, WithoutAFillStaysAsItIs) {
  bytes_.Watch({Region(0, 64), Region(128, 64)});
  const OperandRange open[] = {Range(8, 8, AccessRight::kRead), Range(136, 8, AccessRight::kReadWrite)};
  bytes_.Cover(open, {});
  EXPECT_EQ(CountChanged(0, 192), 0u);
  for (const std::size_t written : {8u, 9u, 40u, 136u}) *At(written) = std::byte{0x1a};
  EXPECT_THAT(Places(bytes_.Uncover()), ElementsAre(Pair(8, 2u), Pair(40, 1u)));
  EXPECT_EQ(CountChanged(0, 192), 1u);
}

TEST_F(CoveredMemory, TakesAFillForGoodWhereItIsWatched) {
  bytes_.Watch({Region(64, 64), Region(192, 64)});
  bytes_.Lay(Region(60, 8), Fill::kFirst);
  EXPECT_EQ(CountChanged(0, 512), 4u);
  EXPECT_EQ(CountChanged(64, 68), 4u);
  bytes_.Lay(Region(120, 80), Fill::kFirst);
  EXPECT_EQ(CountChanged(120, 128), 8u);
  EXPECT_EQ(CountChanged(128, 192), 0u);
  EXPECT_EQ(CountChanged(192, 200), 8u);
  bytes_.Lay(Region(300, 8), Fill::kFirst);
  EXPECT_EQ(CountChanged(0, 512), 20u);
  // Each of the two fills has bytes of its own.
  const std::byte first = *At(64);
  bytes_.Lay(Region(64, 1), Fill::kSecond);
  EXPECT_NE(*At(64), first);
}

// What may be read and not written, of operands and of what may be read beside them.
TEST_F(CoveredMemory, ThatMayOnlyBeReadIsKeptForItsOperator) {
  ReadOnlyBytes bytes;
  const OperandRange open[] = {Range(0, 16, AccessRight::kRead), Range(64, 16, AccessRight::kReadWrite),
                               Range(128, 16, AccessRight::kNone), Range(192, 16, AccessRight::kReadInPlace),
                               Range(192, 16, AccessRight::kReadWriteInPlace)};
  const OperandRange allowances[] = {Range(16, 8, AccessRight::kRead)};
  bytes.Keep(open, allowances);
  for (const std::size_t written : {3u, 20u, 24u, 64u, 128u, 192u}) *At(written) = std::byte{0x1a};
  EXPECT_THAT(Places(bytes.TakeWritten()), ElementsAre(Pair(3, 1u), Pair(20, 1u)));
  for (const std::size_t put_back : {3u, 20u}) EXPECT_EQ(*At(put_back), std::byte{0x33});
  EXPECT_EQ(CountChanged(0, 512), 4u);
  EXPECT_THAT(bytes.TakeWritten(), IsEmpty());
  bytes.Keep({open, 1}, {});
  *At(20) = std::byte{0x1a};  // of the operator before
  EXPECT_THAT(bytes.TakeWritten(), IsEmpty());
}

}  // namespace
}  // namespace arenaproof::testing
