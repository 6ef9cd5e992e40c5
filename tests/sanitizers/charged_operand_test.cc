// Which runs of illegal bytes an access has, and what is charged with them: the rules of illegal_runs.h one by one, and
// how the list of open ranges changes while an operator calls the runtime.
#include <gmock/gmock.h>

#include "sanitizers/device/open_ranges.h"
#include "sanitizers/report/apart_regions.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {
namespace {

const std::byte* PlaceAt(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }

OperandRange Held(std::uintptr_t address, std::size_t bytes, AccessRight right = AccessRight::kRead) {
  return {PlaceAt(address), bytes, right, OperandKind::kInput, 0};
}

std::string WordsOf(const IllegalRun& run) {
  static const char* const kSides[] = {"before", "after", "inside", "far"};
  return std::to_string(run.begin) + "-" + std::to_string(run.end) + " " + kSides[static_cast<int>(run.side)] + " " +
         std::to_string(run.operand) + " by " + std::to_string(run.distance_bytes);
}

struct ChargeRow {
  const char* what;
  std::vector<OperandRange> operands;
  std::uintptr_t begin, end;
  bool write;
  std::vector<OperandRange> allowances;
  std::vector<std::string> runs;
};

TEST(ChargedOperand, IsChosenByTheRules) {
  const OperandRange none{};
  const ChargeRow rows[] = {
      {"the lower one of two as near, whichever is listed first",
       {Held(1024, 8), Held(1000, 8)},
       1012,
       1020,
       false,
       {},
       {"1012-1020 after 1 by 12"}},
      {"of two that it touches the one that holds its first byte",
       {Held(1024, 8), Held(1000, 8)},
       1004,
       1028,
       false,
       {},
       {"1008-1024 after 1 by 16"}},
      {"of two that what is closed borders on the one that the access touches",
       {Held(1000, 8), Held(1024, 8)},
       1008,
       1028,
       false,
       {},
       {"1008-1024 before 1 by 16"}},
      {"of two at one address the one listed first",
       {Held(1000, 8), Held(1000, 8)},
       1008,
       1009,
       false,
       {},
       {"1008-1009 after 0 by 1"}},
      {"of two that end at one address the lower one",
       {Held(1004, 4), Held(1000, 8)},
       1008,
       1009,
       false,
       {},
       {"1008-1009 after 1 by 1"}},
      {"the nearer one, which is listed last",
       {Held(1000, 8), Held(1020, 8)},
       1016,
       1018,
       false,
       {},
       {"1016-1018 before 1 by 4"}},
      {"none that has no bytes or no address",
       {none, Held(1008, 0), {nullptr, 64, AccessRight::kRead, OperandKind::kInput, 0}, Held(1000, 8)},
       1008,
       1010,
       false,
       {},
       {"1008-1010 after 3 by 2"}},
      {"63 closed bytes in front are before, and the first byte counts",
       {Held(1100, 8)},
       1030,
       1037,
       false,
       {},
       {"1030-1037 before 0 by 70"}},
      {"64 closed bytes in front are far", {Held(1100, 8)}, 1030, 1036, false, {}, {"1030-1036 far 0 by 64"}},
      {"both sides of one are two runs",
       {Held(1004, 4)},
       1000,
       1016,
       false,
       {},
       {"1000-1004 before 0 by 4", "1008-1016 after 0 by 8"}},
      {"bytes that may only be read are a run of their own between others",
       {Held(1004, 4)},
       1000,
       1016,
       true,
       {},
       {"1000-1004 before 0 by 4", "1004-1008 inside 0 by 0", "1008-1016 after 0 by 8"}},
      {"two that may only be read are two runs",
       {Held(1000, 4), Held(1004, 4)},
       1002,
       1006,
       true,
       {},
       {"1002-1004 inside 0 by 0", "1004-1006 inside 1 by 0"}},
      {"what two hold is charged to the one listed first, across the other's end",
       {Held(1000, 8), Held(1002, 2)},
       1000,
       1008,
       true,
       {},
       {"1000-1008 inside 0 by 0"}},
      {"what may only be written is not read",
       {Held(1000, 8, AccessRight::kWrite)},
       1006,
       1010,
       false,
       {},
       {"1006-1008 inside 0 by 0", "1008-1010 after 0 by 2"}},
      {"what is allowed beside an operand may be read",
       {Held(1008, 8)},
       1002,
       1010,
       false,
       {Held(1004, 4)},
       {"1002-1004 before 0 by 6"}},
      {"and not be written",
       {Held(1008, 8, AccessRight::kReadWrite)},
       1002,
       1010,
       true,
       {Held(1004, 4)},
       {"1002-1008 before 0 by 6"}},
      {"an allowance of no bytes allows nothing",
       {Held(1008, 8)},
       1006,
       1010,
       false,
       {Held(1006, 0), none},
       {"1006-1008 before 0 by 2"}},
      {"an allowance parts what lies before it from what lies behind",
       {Held(1000, 8)},
       1008,
       1020,
       false,
       {Held(1012, 4)},
       {"1008-1012 after 0 by 4", "1016-1020 after 0 by 12"}},
  };
  for (const ChargeRow& row : rows) {
    std::vector<std::string> runs;
    for (const IllegalRun& run :
         AttributeAccess(row.operands, row.begin, row.end - row.begin, row.write, row.allowances)) {
      runs.push_back(WordsOf(run));
    }
    EXPECT_EQ(runs, row.runs) << row.what;
  }
}

TEST(ChargedOperand, IsFurthestFromTheFirstByteBeforeItAndFromTheLastElsewhere) {
  EXPECT_EQ((IllegalRun{.begin = 10, .end = 14, .side = ViolationSide::kBefore}).furthest(), 10U);
  for (const ViolationSide side : {ViolationSide::kAfter, ViolationSide::kInside, ViolationSide::kFar}) {
    EXPECT_EQ((IllegalRun{.begin = 10, .end = 14, .side = side}).furthest(), 13U);
  }
}

OperandRange BlockOf(OperandKind kind, std::uintptr_t address, std::int32_t index) {
  return {PlaceAt(address), 16, AccessRight::kReadWrite, kind, index};
}

TEST(OpenRanges, NumberBlocksOfAKindAndKeepTheNumbersOfWhatIsTaken) {
  std::vector<OperandRange> open = {BlockOf(OperandKind::kTemporary, 100, 0), BlockOf(OperandKind::kPersistent, 900, 0),
                                    BlockOf(OperandKind::kTemporary, 200, 1)};
  TakeTemporary(open, PlaceAt(100));
  const OperandRange given = GivenBlock(open, OperandKind::kTemporary, {PlaceAt(300), 24});
  EXPECT_EQ(given.index, 2);
  EXPECT_EQ(given.kind, OperandKind::kTemporary);
  EXPECT_EQ(given.data, PlaceAt(300));
  EXPECT_EQ(given.bytes, 24U);
  EXPECT_EQ(given.right, AccessRight::kReadWrite);
  EXPECT_EQ(GivenBlock(open, OperandKind::kPersistent, {}).index, 1);
  EXPECT_EQ(GivenBlock({}, OperandKind::kPersistent, {}).index, 0);
}

TEST(OpenRanges, AreTakenByKindAndPlace) {
  const std::vector<OperandRange> all = {
      BlockOf(OperandKind::kTemporary, 100, 0),  BlockOf(OperandKind::kTemporary, 200, 1),
      BlockOf(OperandKind::kPersistent, 100, 0), BlockOf(OperandKind::kPersistent, 200, 1),
      BlockOf(OperandKind::kPersistent, 300, 2), BlockOf(OperandKind::kScratch, 100, 0)};
  const auto left = [&](auto take) {
    std::vector<OperandRange> open = all;
    take(open);
    std::string flags;
    for (std::size_t i = 0; i < open.size(); ++i) {
      flags += open[i].bytes == 16 ? '1' : '0';
      EXPECT_EQ(open[i].data, all[i].data);
      EXPECT_EQ(open[i].index, all[i].index);
    }
    return flags;
  };
  EXPECT_EQ(left([](auto& open) { TakeTemporary(open, PlaceAt(100)); }), "011111");
  EXPECT_EQ(left([](auto& open) { TakeTemporary(open, PlaceAt(104)); }), "111111");
  EXPECT_EQ(left([](auto& open) { TakeTemporaries(open); }), "001111");
  EXPECT_EQ(left([](auto& open) { TakePersistentBelow(open, PlaceAt(200)); }), "110111");
  EXPECT_EQ(left([](auto& open) { TakePersistentBelow(open, PlaceAt(100)); }), "111111");
}

TEST(ApartRegions, AreSortedJoinedWhereTheyShareBytesAndNotWhereTheyTouch) {
  const auto region = [](std::uintptr_t address, std::size_t bytes) { return MemoryRegion{PlaceAt(address), bytes}; };
  const std::vector<MemoryRegion> apart = Apart({region(500, 10),
                                                 region(100, 50),
                                                 region(300, 0),
                                                 {nullptr, 8},
                                                 region(120, 10),
                                                 region(140, 20),
                                                 region(160, 8),
                                                 region(509, 6),
                                                 region(100, 8),
                                                 region(50, 5)});
  std::vector<std::pair<std::uintptr_t, std::size_t>> found;
  for (const MemoryRegion& one : apart) found.emplace_back(AddressOf(one.data), one.bytes);
  EXPECT_THAT(found,
              ::testing::ElementsAre(std::pair(50, 5), std::pair(100, 60), std::pair(160, 8), std::pair(500, 15)));
  EXPECT_TRUE(Apart({}).empty());
}

}  // namespace
}  // namespace arenaproof
