#include "core/planner/plan_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

class Lines final : public PictureSink {
 public:
  explicit Lines(std::size_t most = SIZE_MAX) : most_(most) {}
  bool Line(std::string_view line) override {
    lines.emplace_back(line);
    return lines.size() < most_;
  }
  std::vector<std::string> lines;

 private:
  std::size_t most_;
};

std::vector<std::string> Draw(const std::vector<PlacedBuffer>& buffers) {
  Lines sink;
  DrawPlan(buffers, sink);
  return sink.lines;
}

std::string Times(std::size_t count, char character) { return std::string(count, character); }

TEST(PlanPicture, IsTheReferencesForTheOverlapCase) {
  EXPECT_THAT(Draw({{0, 100, 0, 1}, {0, 50, 2, 3}, {100, 20, 1, 2}}),
              ElementsAre("0 (id=0): size=100, offset=0, first_used=0 last_used=1",
                          "1 (id=1): size=50, offset=0, first_used=2 last_used=3",
                          "2 (id=2): size=20, offset=100, first_used=1 last_used=2",
                          "   0: " + Times(66, '0') + Times(14, '.') + " (1k)",
                          "   1: " + Times(66, '0') + Times(14, '2') + " (1k)",
                          "   2: " + Times(33, '1') + Times(33, '.') + Times(14, '2') + " (1k)",
                          "   3: " + Times(33, '1') + Times(47, '.') + " (1k)"));
}

TEST(PlanPicture, OfNothingIsOneEmptyRow) { EXPECT_THAT(Draw({}), ElementsAre("   0: " + Times(80, '.') + " (0k)")); }

TEST(PlanPicture, MarksABufferOfOneStepWithAStarAndASharedColumnWithAnExclamation) {
  EXPECT_THAT(Draw({{0, 40, 0, 0}, {20, 60, 0, 1}}),
              ElementsAre("* (id=0): size=40, offset=0, first_used=0 last_used=0",
                          "1 (id=1): size=60, offset=20, first_used=0 last_used=1",
                          "   0: " + Times(20, '*') + Times(20, '!') + Times(40, '1') + " (1k)",
                          "   1: " + Times(20, '.') + Times(60, '1') + " (1k)"));
}

TEST(PlanPicture, CountsCharactersModulo62) {
  std::vector<PlacedBuffer> buffers(64, PlacedBuffer{0, 0, 0, 1});
  const std::vector<std::string> lines = Draw(buffers);
  EXPECT_EQ(lines[9][0], '9');
  EXPECT_EQ(lines[10][0], 'a');
  EXPECT_EQ(lines[35][0], 'z');
  EXPECT_EQ(lines[36][0], 'A');
  EXPECT_EQ(lines[61][0], 'Z');
  EXPECT_EQ(lines[62][0], '0');
  EXPECT_EQ(lines[63][0], '1');
}

TEST(PlanPicture, RoundsKilobytesUpAndLeavesSmallBuffersWithoutAColumn) {
  const std::vector<std::string> lines = Draw({{0, 8192, 0, 1}, {8192, 1, 0, 1}});
  EXPECT_EQ(lines[2], "   0: " + Times(79, '0') + "1 (9k)");
  EXPECT_EQ(Draw({{0, 1, 0, 1}, {1, 8191, 0, 1}})[2], "   0: " + Times(80, '1') + " (8k)");
}

TEST(PlanPicture, DoesNotOverflowWhereTheReferenceDoes) {
  // 26 843 546 * 80 is the first product beyond 31 bits.
  EXPECT_EQ(Draw({{0, 26843546, 0, 1}, {26843546, 26843546, 0, 1}})[2],
            "   0: " + Times(40, '0') + Times(40, '1') + " (52429k)");
  const std::size_t half = SIZE_MAX / 2 + 1;
  EXPECT_EQ(Draw({{0, half, 0, 1}, {half, half - 1, 0, 1}})[2],
            "   0: " + Times(40, '0') + Times(40, '1') + " (" + std::to_string(half / 512) + "k)");
}

TEST(PlanPicture, SkipsWhatHasNoOffsetAndClampsWhatHasNoEnd) {
  EXPECT_THAT(Draw({{kUnplaced, 2048, 0, 1}, {SIZE_MAX - 1, 80, 1, 1}}),
              ElementsAre("0 (id=0): size=2048, offset=-1, first_used=0 last_used=1",
                          "* (id=1): size=80, offset=" + std::to_string(SIZE_MAX - 1) + ", first_used=1 last_used=1",
                          "   0: " + Times(80, '.') + " (2k)", "   1: " + Times(79, '.') + "* (3k)"));
}

TEST(PlanPicture, EndsWhenTheSinkHasEnough) {
  Lines sink(3);
  const std::vector<PlacedBuffer> buffers{{0, 16, 0, INT32_MAX}};
  DrawPlan(buffers, sink);
  EXPECT_EQ(sink.lines.size(), 3u);
}

}  // namespace
}  // namespace arenaproof::testing
