// Calls into the C library whose ranges are checked first: they have their results whether they are reported or not,
// and are reported with exactly the bytes that they touch.
#include <gmock/gmock.h>
#include <strings.h>

#include <cmath>
#include <cstdlib>
#include <functional>

#include "sanitizers/hooks/range_check.h"
#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kOpenBytes = 4;

class LibraryCalls : public MockOperators {
 protected:
  void Lay() { std::memcpy(arena(128), "abcdefgh", 9); }
  const char* text() { return reinterpret_cast<const char*>(arena(128)); }
};
INSTANTIATE_TEST_SUITE_P(By, LibraryCalls, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

int Sign(int value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

int CompareItems(const void* a, const void* b) {
  return *static_cast<const unsigned char*>(a) - *static_cast<const unsigned char*>(b);
}

struct LibraryCall {
  const char* what;
  std::function<std::int64_t(char* text)> make;
  std::int64_t result;
  std::size_t touched;  // of the nine bytes of "abcdefgh"
};

const LibraryCall kReadingCalls[] = {
    {"memcmp, equal", [](char* t) { return Sign(std::memcmp(t, "abcdefgh", 8)); }, 0, 8},
    {"memcmp, less", [](char* t) { return Sign(std::memcmp(t, "abcdefgi", 8)); }, -1, 8},
    {"memcmp, more, as second", [](char* t) { return Sign(std::memcmp("abcdefgi", t, 8)); }, 1, 8},
    {"memcmp of bytes above 127", [](char* t) { return Sign(std::memcmp(t, "abcdef\xff", 7)); }, -1, 7},
    {"memcmp of nothing", [](char* t) { return Sign(std::memcmp(t + 8, "x", 0)); }, 0, 0},
    {"bcmp, equal", [](char* t) { return bcmp(t, "abcdefgh", 8) == 0; }, 1, 8},
    {"bcmp, other, as second", [](char* t) { return bcmp("abcdefgi", t, 8) == 0; }, 0, 8},
    {"memchr that finds", [](char* t) { return static_cast<char*>(std::memchr(t, 'f', 9)) - t; }, 5, 6},
    {"memchr that finds the last", [](char* t) { return static_cast<char*>(std::memchr(t, 'h', 8)) - t; }, 7, 8},
    {"memchr that finds nothing", [](char* t) { return std::memchr(t, 'z', 8) == nullptr; }, 1, 8},
    {"memchr takes a byte of its value", [](char* t) { return static_cast<char*>(std::memchr(t, 'f' + 256, 9)) - t; },
     5, 6},
    {"strlen", [](char* t) { return static_cast<std::int64_t>(std::strlen(t)); }, 8, 9},
    {"strnlen with less than the text", [](char* t) { return static_cast<std::int64_t>(strnlen(t, 5)); }, 5, 5},
    {"strnlen with the text alone", [](char* t) { return static_cast<std::int64_t>(strnlen(t, 8)); }, 8, 8},
    {"strnlen with more", [](char* t) { return static_cast<std::int64_t>(strnlen(t, 64)); }, 8, 9},
    {"strcmp, equal", [](char* t) { return Sign(std::strcmp(t, "abcdefgh")); }, 0, 9},
    {"strcmp, less", [](char* t) { return Sign(std::strcmp(t, "abcdefz")); }, -1, 7},
    {"strcmp, more, as second", [](char* t) { return Sign(std::strcmp("abcdefz", t)); }, 1, 7},
    {"strcmp with a shorter one", [](char* t) { return Sign(std::strcmp(t, "abcde")); }, 1, 6},
    {"strncmp up to the limit", [](char* t) { return Sign(std::strncmp(t, "abcdefz", 6)); }, 0, 6},
    {"strncmp, other before the limit", [](char* t) { return Sign(std::strncmp(t, "abcdefz", 64)); }, -1, 7},
    {"strncmp, as second", [](char* t) { return Sign(std::strncmp("abcdefz", t, 8)); }, 1, 7},
    {"strncmp of equal ones that end", [](char* t) { return Sign(std::strncmp(t, "abcdefgh", 64)); }, 0, 9},
};

TEST_P(LibraryCalls, ThatReadHaveTheirResultsAndTheirBytes) {
  Lay();
  for (const std::size_t open : {std::size_t{9}, kOpenBytes}) {
    std::int32_t index = 0;
    for (const LibraryCall& call : kReadingCalls) {
      const std::size_t before = groups().size();
      std::int64_t result = 0;
      Run({Input(arena(128), open)}, [&] { result = call.make(reinterpret_cast<char*>(arena(128))); }, ++index);
      EXPECT_EQ(result, call.result) << call.what << ", open " << open;
      if (call.touched <= open) {
        EXPECT_EQ(groups().size(), before) << call.what << ", open " << open;
        continue;
      }
      ASSERT_EQ(groups().size(), before + 1) << call.what << ", open " << open;
      EXPECT_FALSE(groups().back().write) << call.what;
      EXPECT_EQ(groups().back().count, 1U) << call.what;
      EXPECT_EQ(groups().back().distance_bytes, call.touched - open) << call.what;
      EXPECT_EQ(groups().back().max_width_bytes, call.touched) << call.what;
    }
  }
}

TEST_P(LibraryCalls, ThatWriteHaveTheirResultsToo) {
  for (const std::size_t open : {std::size_t{64}, kOpenBytes}) {
    Lay();
    double fraction = 0;
    Run(
        {Scratch(arena(128), open)},
        [&] {
          volatile std::size_t bytes = 7;
          std::memmove(arena(130), arena(128), bytes);  // backwards
          std::memmove(arena(160), arena(130), bytes);
          std::memmove(arena(158), arena(160), bytes);  // forwards
          std::memset(arena(176), 0x1ff, bytes);        // a byte of it
          std::memcpy(arena(184), arena(158), bytes);
          fraction = std::frexp(12.0, reinterpret_cast<int*>(arena(144)));
        },
        static_cast<std::int32_t>(open));
    EXPECT_EQ(std::string(text(), 9), "ababcdefg") << open;
    EXPECT_EQ(std::string(text() + 30, 9), "abcdefgfg") << open;
    EXPECT_EQ(std::string(text() + 56, 7), "abcdefg") << open;
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(*arena(176 + i), std::byte{0xff});
    EXPECT_EQ(*arena(183), std::byte{0});
    int exponent = 0;
    std::memcpy(&exponent, arena(144), sizeof exponent);
    EXPECT_EQ(fraction, 0.75);
    EXPECT_EQ(exponent, 4);
    EXPECT_EQ(groups().empty(), open == 64);
    std::memset(arena(144), 0, 4);
  }
}

TEST_P(LibraryCalls, ThatSortTouchAllItemsAndNoSingleOne) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{8}}) {
    std::memcpy(arena(128), "hgfedcba", 9);
    Run({Input(arena(256), 16)}, [&] { std::qsort(arena(128), count / 2, 2, CompareItems); });
    Run({Input(arena(256), 16)}, [&] { std::qsort(arena(128), count, 1, CompareItems); });
    EXPECT_EQ(std::string(text(), 8), count == 8 ? "abcdefgh" : "hgfedcba");
    if (count < 2) EXPECT_EQ(groups().size(), 0U) << count << " items";
  }
  Run({Input(arena(256), 16), Scratch(arena(128), 5)}, [&] { std::qsort(arena(128), 3, 2, CompareItems); }, 1);
  std::size_t reads = 0, writes = 0;
  for (const Violation& group : groups()) {
    if (group.op.index != 1) continue;
    EXPECT_EQ(group.distance_bytes, 1U);
    ++(group.write ? writes : reads);
  }
  EXPECT_EQ(reads, 1U);
  EXPECT_EQ(writes, 1U);
}

TEST_P(LibraryCalls, OutsideOfOperatorsPass) {
  EXPECT_TRUE(hooks::check_range(arena(0), 4096, true));
  EXPECT_EQ(groups().size(), 0U);
}

// What only the byte shadow knows of such ranges.
class ShadowedRanges : public LibraryCalls {};
INSTANTIATE_TEST_SUITE_P(By, ShadowedRanges, ::testing::Values("shadow"),
                         [](const auto& instance) { return instance.param; });

TEST_P(ShadowedRanges, LeaveTheirExtents) {
  for (const std::size_t bytes : {1U, 7U, 8U, 9U, 21U, 24U}) {
    Run(
        {Input(arena(128), 64, 4), Scratch(model(64), 64)}, [&] { std::memcpy(model(64 + 3), arena(128 + 5), bytes); },
        static_cast<std::int32_t>(bytes));
    const auto extent = [&](OperandKind kind, std::int32_t index) {
      return instrument_->extents().at({0, static_cast<std::int32_t>(bytes), OperatorPhase::kInvoke, kind, index});
    };
    const Extent read = extent(OperandKind::kInput, 4), written = extent(OperandKind::kScratch, 0);
    EXPECT_TRUE(read.read);
    EXPECT_EQ(read.lowest_read, 5);
    EXPECT_EQ(read.highest_read, static_cast<std::ptrdiff_t>(5 + bytes - 1));
    EXPECT_TRUE(written.written);
    EXPECT_FALSE(written.read);
    EXPECT_EQ(written.lowest_written, 3);
    EXPECT_EQ(written.highest_written, static_cast<std::ptrdiff_t>(3 + bytes - 1));
  }
  EXPECT_EQ(groups().size(), 0U);
}

// One closed byte at each place of a range of 21.
TEST_P(ShadowedRanges, AreClosedByEachOfTheirBytes) {
  for (std::size_t hole = 0; hole < 21; ++hole) {
    Run(
        {Scratch(arena(128), hole), Scratch(arena(128 + hole + 1), 64)},
        [&] { EXPECT_FALSE(hooks::check_range(arena(128), 21, hole % 2 == 0)); }, static_cast<std::int32_t>(hole));
    ASSERT_EQ(groups().size(), hole + 1);
    EXPECT_EQ(groups().back().write, hole % 2 == 0);
  }
}

TEST_P(ShadowedRanges, OverwriteInPlaceByteByByte) {
  for (const std::size_t bytes : {3U, 8U, 13U}) {
    const std::vector<OperandRange> shared{{arena(128), 16, AccessRight::kReadInPlace, OperandKind::kInput, 1},
                                           {arena(128), 16, AccessRight::kReadWriteInPlace, OperandKind::kOutput, 2}};
    const auto index = static_cast<std::int32_t>(bytes);
    Run(shared, [&] { std::memset(arena(128), 1, bytes), Load<std::uint8_t>(arena(128 + bytes)); }, index);
    EXPECT_EQ(groups().size(), 0U);
  }
  const std::vector<OperandRange> shared{{arena(128), 16, AccessRight::kReadInPlace, OperandKind::kInput, 1},
                                         {arena(128), 16, AccessRight::kReadWriteInPlace, OperandKind::kOutput, 2}};
  Run(shared, [&] { std::memset(arena(128), 1, 13), Load<std::uint8_t>(arena(128 + 12)); });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kOverwritten);
}

// The arena alone is watched, without closed bytes around it, and all of it is open: what hangs over is not.
TEST_P(ShadowedRanges, ThatHangOverAnEdgeAreClosedThere) {
  alignas(64) static std::byte memory[256];
  instrument_->OnDetach();
  const auto alone = MakeInstrument(GetParam());
  std::byte* const begin = memory + 64;
  alone->OnAttach({begin, 128}, {});
  ASSERT_TRUE(alone->self_test().status().ok());
  const OperandRange all = Scratch(begin, 128);
  OperatorScope scope;
  scope.operands = {&all, 1};
  alone->OnOperatorBegins(scope);
  EXPECT_TRUE(hooks::check_range(begin, 128, false));
  EXPECT_TRUE(hooks::check_range(begin - 8, 8, false));
  EXPECT_TRUE(hooks::check_range(begin + 128, 8, true));
  EXPECT_TRUE(hooks::check_range(begin - 8, 0, true));
  EXPECT_EQ(alone->log().groups().size(), 0U);
  EXPECT_FALSE(hooks::check_range(begin - 4, 8, false));
  EXPECT_FALSE(hooks::check_range(begin + 124, 8, false));
  EXPECT_FALSE(hooks::check_range(begin + 1, SIZE_MAX - 1, true)) << "a length that wraps";
  alone->OnOperatorEnds();
  const std::vector<Violation>& found = alone->log().groups();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].side, ViolationSide::kBefore);
  EXPECT_EQ(found[0].distance_bytes, 4U);
  EXPECT_EQ(found[1].side, ViolationSide::kAfter);
  EXPECT_EQ(found[1].distance_bytes, 4U);
  EXPECT_EQ(found[2].side, ViolationSide::kAfter);
  EXPECT_TRUE(found[2].write);
  alone->OnDetach();
}

}  // namespace
}  // namespace arenaproof::testing
