// The planner's part in the announced work of planning: its object where that lies in the arena, and a workspace that
// ends with the arena's free bytes.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/model/lifetimes.h"
#include "core/planner/greedy_planner.h"
#include "core/planner/host/arena_head_planner.h"
#include "core/planner/linear_planner.h"
#include "core/planner/placed_buffer.h"
#include "test_arena_support.h"
#include "work_log_support.h"

namespace arenaproof::testing {
namespace {

class AnnouncedPlanner : public ::testing::Test {
 protected:
  // What planning announces, of a chain of 3 tensors.
  std::vector<OperandRange> Planning(InterpreterOptions options) {
    log_ = WorkLog();
    options.observer = &log_;
    EXPECT_TRUE(MakeInterpreter(model_, arena_, options)->AllocateTensors().ok());
    const std::vector<AnnouncedWork> works = log_.Of(RuntimeWork::kPlanning);
    EXPECT_EQ(works.size(), 1U);
    EXPECT_EQ(works.at(0).subgraph, -1);
    EXPECT_EQ(works[0].operands.size(), 3U);
    return works[0].operands;
  }

  const MockScope mock_;
  const SmallModel model_{Chain(2, 33)};
  const TestArena arena_{8192};
  WorkLog log_;
};

TEST_F(AnnouncedPlanner, IsTheBlockOfTheTailThatItLiesIn) {
  for (const bool preserve : {false, true}) {
    const OperandRange object = Planning({.preserve_all_tensors = preserve})[2];
    // Behind the arena's own object.
    EXPECT_EQ(object.data, log_.tail_blocks[1].data);
    EXPECT_EQ(object.bytes, log_.tail_blocks[1].bytes);
    EXPECT_EQ(object.bytes, preserve ? sizeof(LinearPlanner) : sizeof(GreedyPlanner));
  }
}

TEST_F(AnnouncedPlanner, OfTheApplicationIsItsObject) {
  GreedyPlanner greedy;
  const OperandRange object = Planning({.planner = &greedy})[2];
  EXPECT_EQ(object.data, reinterpret_cast<const std::byte*>(&greedy));
  EXPECT_EQ(object.bytes, sizeof greedy);
  ArenaHeadPlanner on_the_heap;
  EXPECT_EQ(Planning({.planner = &on_the_heap})[2].bytes, 0U) << "it says nothing of itself";
}

TEST_F(AnnouncedPlanner, WorksInAllThatIsLeftBehindTheRecords) {
  const std::vector<OperandRange> operands = Planning({});
  std::size_t free_bytes = 0;  // in one temporary block
  for (const std::string& line : log_.lines) {
    if (line.starts_with("temporary ")) free_bytes = std::stoul(line.substr(10));
  }
  EXPECT_EQ(operands[1].bytes, 3 * sizeof(PlacedBuffer));
  EXPECT_EQ(operands[0].bytes, free_bytes - 3 * sizeof(Lifetime) - 3 * sizeof(PlacedBuffer));
}

}  // namespace
}  // namespace arenaproof::testing
