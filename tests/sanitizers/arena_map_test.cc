// The picture around an illegal access, letter by letter.
#include "sanitizers/report/arena_map.h"

#include <gmock/gmock.h>

#include <array>

namespace arenaproof {
namespace {

using ::testing::ElementsAre;

alignas(64) std::array<std::byte, 4096> drawn;

std::byte* DrawnAt(std::size_t offset) { return drawn.data() + offset; }

IllegalRun RunOf(std::size_t begin, std::size_t end, ViolationSide side, int operand) {
  return {AddressOf(DrawnAt(begin)), AddressOf(DrawnAt(end)), side, operand, 0};
}

OperandRange DrawnOperand(std::size_t offset, std::size_t bytes) {
  return {DrawnAt(offset), bytes, AccessRight::kRead, OperandKind::kInput, 0};
}

TEST(ArenaMap, HasALetterForEachOwner) {
  ByteRegistry registry;
  registry.SetReserve({DrawnAt(1008), 16});
  registry.SetArena({DrawnAt(1024), 512});
  registry.SetModel({DrawnAt(1536), 128});
  registry.AddConstant(1, {DrawnAt(1544), 8});
  registry.AddQuantization(1, {DrawnAt(1560), 4});
  registry.SetPlan(DrawnAt(1024),
                   std::array<PlanEntry, 3>{{{.tensor = 1, .offset = 0, .bytes = 16, .first = 0, .last = 1},
                                             {.tensor = 2, .offset = 16, .bytes = 20, .first = 4, .last = 4},
                                             {.scratch = 0, .owner_operator = 0, .offset = 40, .bytes = 8}}});
  registry.AddTemporary({DrawnAt(1080), 8});
  registry.AddTailBlock({DrawnAt(1520), 16}, -1);
  const OperandRange operands[] = {DrawnOperand(1120, 4), DrawnOperand(1124, 12), DrawnOperand(1160, 8)};
  EXPECT_THAT(DrawArenaMap(registry, {operands, 4}, RunOf(1040, 1600, ViolationSide::kFar, 0)),
              ElementsAre("arena-0x0020  ##rrddLL Ls.T....",  //
                          "                    !! !!!!!!!!",  //
                          "arena+0x0060  Oo...o.. ........",  //
                          "              !!!!!!!! !!!!!!!!",  //
                          "arena+0x00e0  ........ ........",  //
                          "              !!!!!!!! !!!!!!!!",  //
                          "arena+0x0160  ........ ........",  //
                          "              !!!!!!!! !!!!!!!!",  //
                          "arena+0x01e0  ..ttmcmq mmmmmmmm",  //
                          "              !!!!!!!! !!!!",
                          "8 bytes a letter: O the operand, o its other operands, L live tensor, d dead tensor, s "
                          "scratch of others, c other constant, T temporary, t tail, q quantisation, m model file, # "
                          "closed guard, r reserved in front, . gap; ! below: touched without right"));
  // Of another operand, and of none.
  EXPECT_EQ(DrawArenaMap(registry, {operands, 4}, RunOf(1112, 1120, ViolationSide::kBefore, 1))[0],
            "arena+0x0028  s.T....O O...o...");
  EXPECT_EQ(DrawArenaMap(registry, {operands, 4}, RunOf(1112, 1120, ViolationSide::kFar, -1))[0],
            "arena+0x0028  s.T....o o...o...");
}

TEST(ArenaMap, ShowsTheOperandsEdgeAndTheEndOfWhatIsTouched) {
  ByteRegistry registry;
  registry.SetArena({DrawnAt(0), 4096});
  const OperandRange operands[] = {DrawnOperand(0, 64), DrawnOperand(2048, 64)};
  const auto draw = [&](const IllegalRun& run) {
    std::vector<std::string> lines = DrawArenaMap(registry, {operands, -1}, run);
    lines.pop_back();  // the legend
    return lines;
  };
  EXPECT_THAT(draw(RunOf(2112, 2120, ViolationSide::kAfter, 1)),
              ElementsAre("arena+0x0808  OOOOOOO. ........",  //
                          "                     !"));
  EXPECT_THAT(draw(RunOf(2040, 2048, ViolationSide::kBefore, 1)),
              ElementsAre("arena+0x07c8  .......O OOOOOOO.",  //
                          "                    !"));
  EXPECT_THAT(draw(RunOf(1001, 1002, ViolationSide::kFar, -1)),
              ElementsAre("arena+0x03b8  ........ ........",  //
                          "                    !"));
  // 1000 bytes do not fit: the end behind an operand, the beginning in front of it.
  const std::vector<std::string> behind = draw(RunOf(2112, 3112, ViolationSide::kAfter, 1)),
                                 before = draw(RunOf(1048, 2048, ViolationSide::kBefore, 1));
  ASSERT_EQ(behind.size(), 9U);
  EXPECT_EQ(behind[0], "arena+0x0a28  ........ ........");
  EXPECT_EQ(behind[7], "              !!!!!!!! !!!!!!!!");
  EXPECT_EQ(behind[8], "arena+0x0c28  ........ ........");
  ASSERT_EQ(before.size(), 10U);
  EXPECT_EQ(before[0], "arena+0x03e8  ........ ........");
  EXPECT_EQ(before[1], "                    !! !!!!!!!!");
  EXPECT_EQ(before[9], "              !!!!!!!! !!!!!!!!");
}

// Names of places of several lengths; the letters stand below each other.
TEST(ArenaMap, KeepsItsColumns) {
  ByteRegistry registry;
  registry.SetArena({DrawnAt(0), 1024}, {DrawnAt(1024), 1024});
  const OperandRange operands[] = {DrawnOperand(1000, 8)};
  EXPECT_THAT(DrawArenaMap(registry, {operands, -1}, RunOf(1008, 1100, ViolationSide::kAfter, 0)),
              ElementsAre("arena+0x03b8       ......O. ........",  //
                          "                          ! !!!!!!!!",  //
                          "persistent+0x0038  ........ ........",  //
                          "                   !!!", ::testing::_));
}

}  // namespace
}  // namespace arenaproof
