#include "core/planner/search_floors.h"

#include <gtest/gtest.h>

namespace arenaproof::testing {
namespace {

void ExpectFloor(const SearchFloors& floors, std::int32_t first, std::int32_t last, std::size_t offset,
                 std::size_t place) {
  const SearchFloors::Floor floor = floors.Highest(first, last);
  EXPECT_EQ(floor.offset, offset) << first << " to " << last;
  EXPECT_EQ(floor.place, place) << first << " to " << last;
}

TEST(SearchFloors, HoldForLifetimesThatContainTheirOwn) {
  SearchFloors floors;
  floors.Remember(3, 7, {100, 9});
  ExpectFloor(floors, 3, 7, 100, 9);
  ExpectFloor(floors, INT32_MIN, INT32_MAX, 100, 9);
  ExpectFloor(floors, 4, 7, 0, 0);
  ExpectFloor(floors, 3, 6, 0, 0);
}

TEST(SearchFloors, AreAskedForTheHighest) {
  SearchFloors floors;
  floors.Remember(3, 7, {100, 9});
  floors.Remember(4, 5, {200, 20});
  floors.Remember(6, 6, {150, 15});
  ExpectFloor(floors, 3, 7, 200, 20);
  ExpectFloor(floors, 6, 7, 150, 15);
}

TEST(SearchFloors, KeepTheirPlaceWhenABufferIsPutBeforeIt) {
  SearchFloors floors;
  floors.Remember(0, 1, {100, 9});
  floors.Insert(9, 80);  // behind
  ExpectFloor(floors, 0, 1, 100, 9);
  floors.Insert(8, 100);
  ExpectFloor(floors, 0, 1, 100, 10);
  floors.Insert(4, 101);  // ends higher: what lies before it still ends below
  ExpectFloor(floors, 0, 1, 100, 4);
}

TEST(SearchFloors, GiveUpTheOldestForMore) {
  SearchFloors floors;
  for (int i = 0; i < 17; ++i) floors.Remember(i, i, {static_cast<std::size_t>(100 + i), 1});
  ExpectFloor(floors, 0, 0, 0, 0);
  ExpectFloor(floors, 1, 1, 101, 1);
  ExpectFloor(floors, 16, 16, 116, 1);
}

TEST(SearchFloors, AreForgottenAllTogether) {
  SearchFloors floors;
  floors.Remember(0, 1, {100, 9});
  floors.Forget();
  ExpectFloor(floors, 0, 1, 0, 0);
  floors.Remember(2, 3, {50, 5});
  ExpectFloor(floors, 0, 3, 50, 5);
}

}  // namespace
}  // namespace arenaproof::testing
