// The picture of a reported plan, with what was touched without right in it.
#include "tools/command/checked_plan_drawing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace arenaproof {
namespace {

WorkerReport PlanOf(std::vector<PlannedBufferReport> buffers) {
  WorkerReport report;
  report.plan.emplace().buffers = std::move(buffers);
  return report;
}

PlannedBufferReport Tensor(std::int64_t tensor, std::int64_t offset, std::int64_t bytes) {
  PlannedBufferReport buffer;
  buffer.tensor = tensor;
  buffer.offset = offset;
  buffer.bytes = bytes;
  buffer.last = 2;
  return buffer;
}

PlannedBufferReport Scratch(std::int64_t scratch, std::int64_t owner, std::int64_t offset) {
  PlannedBufferReport buffer = Tensor(-1, offset, 16);
  buffer.scratch = scratch;
  buffer.owner_operator = owner;
  return buffer;
}

ViolationReport Touching(const char* kind, std::int64_t index, std::int64_t lowest, std::int64_t highest) {
  ViolationReport violation;
  violation.operator_index = 1;
  violation.step = 2;
  violation.operand_kind = kind;
  violation.operand_index = index;
  violation.lowest_touched = lowest;
  violation.highest_touched = highest;
  return violation;
}

TEST(CheckedPlanDrawing, MarksWhatWasTouchedAtTheOperandsPlace) {
  CheckedPlanDrawing picture(
      PlanOf({Tensor(4, 64, 32), Tensor(5, 0, 64), Scratch(8, 0, 96), Scratch(9, 1, 112), Scratch(10, 1, 128)}));
  ASSERT_TRUE(picture.Mark(Touching("input", 4, -12, -1), "before"));
  ASSERT_TRUE(picture.Mark(Touching("scratch", 1, 16, 19), "after"));
  EXPECT_FALSE(picture.Mark(Touching("constant", 4, 0, 1), "not in the head"));
  EXPECT_FALSE(picture.Mark(Touching("input", 6, 0, 1), "not planned"));
  const auto& accesses = picture.drawing().accesses;
  ASSERT_EQ(accesses.size(), 2u);
  EXPECT_EQ(accesses[0].time, 2);
  EXPECT_EQ(accesses[0].lowest, 52);
  EXPECT_EQ(accesses[0].end, 64);
  EXPECT_EQ(accesses[1].lowest, 144);
  EXPECT_EQ(picture.drawing().peak_bytes, 144);
  const std::string svg = PlanSvg(picture.drawing());
  EXPECT_NE(svg.find("data-time=\"2\" data-lowest=\"52\" data-end=\"64\""), std::string::npos);
}

// The worker ran kernels that may have overwritten anything.
TEST(CheckedPlanDrawing, TakesAnyNumbers) {
  constexpr std::int64_t kNumbers[] = {std::numeric_limits<std::int64_t>::min(), -1, 0, 1, std::int64_t{1} << 40,
                                       std::numeric_limits<std::int64_t>::max()};
  for (const std::int64_t a : kNumbers) {
    for (const std::int64_t b : kNumbers) {
      PlannedBufferReport first = Tensor(a, b, b), second = Tensor(b, a, b), third = Tensor(1, b, a);
      second.first = a;
      second.last = b;
      third.subgraph = a;
      third.scratch = b;
      third.owner_operator = a;
      CheckedPlanDrawing picture(PlanOf({first, second, third, Tensor(4, 0, 8)}));
      ViolationReport violation = Touching("input", 4, a, b);
      picture.Mark(violation, "touched");
      violation.step = b;
      violation.operand_index = a;
      picture.Mark(violation, "touched");
      EXPECT_FALSE(picture.empty());
      EXPECT_TRUE(PlanSvg(picture.drawing()).ends_with("</svg>\n"));
      EXPECT_TRUE(PlanTableHtml(picture.drawing()).ends_with("</table>\n"));
    }
  }
}

}  // namespace
}  // namespace arenaproof
