#include "tools/model/operator_board.h"

#include <gtest/gtest.h>

#include <string>

#include "tools/command/running_text.h"

namespace arenaproof {
namespace {

OperatorScope Scope(const char* name, std::int32_t index, std::int32_t subgraph = 0,
                    OperatorPhase phase = OperatorPhase::kInvoke) {
  OperatorScope scope;
  scope.phase = phase;
  scope.subgraph = subgraph;
  scope.operator_index = index;
  scope.operator_name = name;
  scope.kernel_name = "mine";
  return scope;
}

TEST(OperatorBoard, ShowsTheOperatorsThatRunAndNoOther) {
  OperatorBoard board;
  EXPECT_TRUE(board.Read().nested.empty());
  board.Begin(Scope("ADD", 0));
  board.End();
  board.Begin(Scope("WHILE", 1));
  board.Begin(Scope("MUL", 3, 2));
  ActiveOperators running = board.Read();
  ASSERT_EQ(running.nested.size(), 2u);
  EXPECT_EQ(running.nested[0].name, "WHILE");
  EXPECT_EQ(running.nested[1].name, "MUL");
  EXPECT_EQ(running.nested[1].kernel, "mine");
  EXPECT_EQ(running.nested[1].subgraph, 2);
  EXPECT_EQ(running.nested[1].operator_index, 3);
  EXPECT_EQ(running.begun_count, 3u);
  EXPECT_EQ(RunningText(running), "WHILE (operator 1), in it MUL (operator 3 of subgraph 2)");
  EXPECT_EQ(WhileRunning(running),
            " while WHILE (operator 1) ran, in it MUL (operator 3 of subgraph 2) (3 operators had begun)");
  board.End();
  EXPECT_EQ(board.Read().nested.size(), 1u);
  board.End();
  board.End();
  running = board.Read();
  EXPECT_TRUE(running.nested.empty());
  EXPECT_EQ(RunningText(running), "");
  EXPECT_EQ(WhileRunning(running), "");
}

TEST(OperatorBoard, CountsWhatIsNestedDeeperThanItShows) {
  OperatorBoard board;
  for (int depth = 0; depth < 20; ++depth) board.Begin(Scope("IF", depth));
  ActiveOperators running = board.Read();
  EXPECT_EQ(running.begun_count, 20u);
  ASSERT_EQ(running.nested.size(), 8u);
  EXPECT_EQ(running.nested.back().operator_index, 7);
  for (int depth = 0; depth < 19; ++depth) board.End();
  running = board.Read();
  ASSERT_EQ(running.nested.size(), 1u);
  EXPECT_EQ(running.nested[0].operator_index, 0);
}

TEST(OperatorBoard, TakesAsMuchOfANameAsItHasRoomFor) {
  OperatorBoard board;
  board.Begin(Scope(std::string(100, 'N').c_str(), 0));
  EXPECT_EQ(board.Read().nested.at(0).name, std::string(40, 'N'));
  board.End();
  board.Begin(Scope("ADD", 0));
  EXPECT_EQ(board.Read().nested.at(0).name, "ADD");
}

TEST(OperatorBoard, NamesThePhasesBeforeInvoke) {
  OperatorBoard board;
  board.Begin(Scope("ADD", 4, 0, OperatorPhase::kPrepare));
  EXPECT_EQ(RunningText(board.Read()), "prepare of ADD (operator 4)");
}

}  // namespace
}  // namespace arenaproof
