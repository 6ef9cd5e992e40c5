// Copies of operands in pages of their own: they keep the alignment of the original, lie at the edge that is asked for,
// and say what was written beside them.
#include "sanitizers/instrument/guard/guarded_block.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>

#include "sanitizers/instrument/guard/fault_trap.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

alignas(64) std::array<std::byte, 3 * kPageBytes> originals;

MemoryRegion Original(std::size_t offset, std::size_t bytes) { return {originals.data() + offset, bytes}; }

TEST(GuardedBlock, CountsWhatAnAlignmentLeaves) {
  struct Case {
    std::size_t at, alignment;
  };
  for (const Case& one : {Case{0, 16}, Case{32, 16}, Case{16, 16}, Case{8, 8}, Case{24, 8}, Case{4, 4}, Case{2, 2},
                          Case{6, 2}, Case{1, 1}, Case{15, 1}}) {
    const std::byte* const operand = originals.data() + one.at;
    EXPECT_EQ(AlignmentAt(operand), one.alignment) << one.at;
    for (std::size_t bytes = 0; bytes < 40; ++bytes) {
      const std::size_t up = (bytes + one.alignment - 1) / one.alignment * one.alignment;
      EXPECT_EQ(ResidueBytes(operand, bytes), up - bytes) << one.at << ", " << bytes;
      EXPECT_EQ(LeadBytes(operand, bytes), up) << one.at << ", " << bytes;
    }
  }
}

// Also where original and what may be read around it fill one page, or a byte more than that.
TEST(GuardedBlock, LiesAtTheEdgeThatItIsFlushTo) {
  for (const std::size_t at : {0u, 8u, 4u, 2u, 1u}) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{20}, kPageBytes - 16, kPageBytes, kPageBytes + 1}) {
      for (const ReadableAround& around :
           {ReadableAround{}, ReadableAround{0, 12}, ReadableAround{16, 0}, ReadableAround{3, 5}}) {
        const MemoryRegion original = Original(at, bytes);
        const std::size_t lead = LeadBytes(original.data, around.before_bytes);
        for (const FlushTo flush : {FlushTo::kEnd, FlushTo::kStart}) {
          const GuardedBlock block(original, around, flush, Fill::kFirst);
          ASSERT_NE(block.data(), nullptr);
          const std::byte* const pages = block.mapping().data + kClosedPagesBytes;
          const std::byte* const end = block.mapping().data + block.mapping().bytes - kClosedPagesBytes;
          EXPECT_EQ(AlignmentAt(block.data()) >= AlignmentAt(original.data), true);
          EXPECT_GE(block.data(), pages + lead);
          EXPECT_LE(block.data() + bytes + around.after_bytes, end);
          EXPECT_LT(end - pages, static_cast<std::ptrdiff_t>(lead + bytes + around.after_bytes + kPageBytes));
          if (flush == FlushTo::kStart) {
            EXPECT_EQ(block.data(), pages + lead);
          } else {
            EXPECT_EQ(
                block.data() + bytes + around.after_bytes + ResidueBytes(original.data, bytes + around.after_bytes),
                end);
          }
          EXPECT_EQ(block.InOriginal(AddressOf(block.data()) - 5), original.data - 5);
          EXPECT_EQ(block.InOriginal(AddressOf(block.data()) + bytes + 5), original.data + bytes + 5);
        }
      }
    }
  }
}

TEST(GuardedBlock, HoldsTheOriginalOrTheFillUntilItIsLaidAnew) {
  std::memset(originals.data(), 0x33, originals.size());
  const MemoryRegion original = Original(0, 20);
  std::array<std::byte, 2> fills;
  for (const Fill fill : {Fill::kFirst, Fill::kSecond}) {
    GuardedBlock block(original, {}, FlushTo::kEnd, fill);
    EXPECT_FALSE(block.closed());
    ASSERT_TRUE(block.Lay(true, false));
    EXPECT_TRUE(block.closed());
    EXPECT_EQ(std::memcmp(block.data(), original.data, 20), 0);
    const std::byte beside = block.data()[-1];
    EXPECT_NE(beside, std::byte{0x33});
    block.data()[3] = block.data()[-1] = std::byte{0x2a};
    block.MarkOpen();
    EXPECT_FALSE(block.closed());
    ASSERT_TRUE(block.Lay(true, true));
    EXPECT_TRUE(block.closed());
    EXPECT_EQ(block.data()[-1], beside);
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_NE(block.data()[i], std::byte{0x33}) << i;
      EXPECT_NE(block.data()[i], std::byte{0x2a}) << i;
    }
    EXPECT_THAT(block.WrittenBeside(), IsEmpty());
    fills[fill == Fill::kFirst ? 0 : 1] = block.data()[0];
  }
  EXPECT_NE(fills[0], fills[1]);
}

// An original that fills its pages leaves nothing beside it.
TEST(GuardedBlock, ListsWhatWasWrittenBesideTheCopyAndNothingInIt) {
  for (const FlushTo flush : {FlushTo::kEnd, FlushTo::kStart}) {
    for (const std::size_t bytes : {std::size_t{20}, kPageBytes}) {
      GuardedBlock block(Original(0, bytes), {}, flush, Fill::kFirst);
      ASSERT_TRUE(block.Lay(true, false));
      std::memset(block.data(), 0x2a, bytes);
      EXPECT_THAT(block.WrittenBeside(), IsEmpty());
    }
  }
  GuardedBlock block(Original(0, 20), {16, 16}, FlushTo::kEnd, Fill::kFirst);
  ASSERT_TRUE(block.Lay(true, false));
  std::byte* const copy = block.data();
  std::memset(copy - 2, 0x2a, 20 + 2 + 3);  // on both sides, and all of it
  for (const std::ptrdiff_t at : {-16, -15, 31}) copy[at] = std::byte{0x2a};
  std::vector<std::pair<std::ptrdiff_t, std::size_t>> places;
  for (const MemoryRegion& stretch : block.WrittenBeside()) places.emplace_back(stretch.data - copy, stretch.bytes);
  EXPECT_THAT(places, ElementsAre(std::pair(-16, 2u), std::pair(-2, 2u), std::pair(20, 3u), std::pair(31, 1u)));
  const std::byte* const pages = block.mapping().data + kClosedPagesBytes;
  GuardedBlock at_start(Original(0, 20), {}, FlushTo::kStart, Fill::kFirst);
  ASSERT_TRUE(at_start.Lay(true, false));
  at_start.data()[kPageBytes - 1] = std::byte{0x2a};
  EXPECT_EQ(at_start.WrittenBeside().size(), 1u);
  ASSERT_TRUE(block.Lay(true, false));
  const_cast<std::byte*>(pages)[0] = std::byte{0x2a};
  EXPECT_EQ(block.WrittenBeside().size(), 1u);
}

// Of pages that may not be written each write is a fault; what lies beside the copy is then as it was laid.
TEST(GuardedBlock, ThatIsNotWritableIsClosedToWrites) {
  if (!FaultTrap::Available()) GTEST_SKIP() << "no faults are told apart on this machine";
  GuardedBlock block(Original(0, 20), {}, FlushTo::kEnd, Fill::kFirst);
  ASSERT_TRUE(block.Lay(false, false));
  const MemoryRegion mappings[] = {block.mapping()};
  const FaultTrap trap(mappings);
  const std::byte read = *const_cast<volatile std::byte*>(block.data() + 3);
  EXPECT_EQ(read, originals[3]);
  EXPECT_EQ(trap.faults().size(), 0u);
  *const_cast<volatile std::byte*>(block.data() - 1) = std::byte{0x2a};
  ASSERT_EQ(trap.faults().size(), 1u);
  EXPECT_TRUE(trap.faults()[0].write);
  EXPECT_THAT(block.WrittenBeside(), IsEmpty());
}

}  // namespace
}  // namespace arenaproof::testing
