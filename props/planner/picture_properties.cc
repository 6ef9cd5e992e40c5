// P10: the picture of a plan, text for text: a line for each buffer, then for each time 80 columns, '!' where, and only
// where, two live buffers share a column, and what is alive in KB.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/planner/plan_picture.h"
#include "engine/oracles/planner/reference_picture.h"
#include "props/planner/planner_generators.h"

namespace arenaproof::testing {
namespace {

class Lines final : public PictureSink {
 public:
  explicit Lines(std::size_t most_count) : most_count_(most_count) {}
  bool Line(std::string_view line) override {
    lines.emplace_back(line);
    return lines.size() < most_count_;
  }
  std::vector<std::string> lines;

 private:
  std::size_t most_count_;
};

RC_GTEST_PROP(PlanPicture, P10_ShowsEveryBufferAndEveryTimeInEightyColumns, ()) {
  auto buffers = *ArbitraryPlan();
  // Plans are small, or so large that their products need more than 64 bits.
  const auto factor = *rc::gen::element<std::size_t>(1, 7, 100003, 2000003, 10000019, 1000000007, std::size_t{1} << 55);
  for (PlacedBuffer& buffer : buffers) {
    if (buffer.offset != kUnplaced) buffer.offset *= factor;
    buffer.bytes *= factor;
  }
  if (!buffers.empty() && *rc::gen::arbitrary<bool>()) {  // one that is not placed, and may live longest
    PlacedBuffer& other = buffers[*rc::gen::inRange<std::size_t>(0, buffers.size())];
    other.offset = kUnplaced;
    other.last += *rc::gen::inRange(0, 9);
  }
  const std::vector<std::string> expected = ReferencePicture(buffers);
  Lines picture(SIZE_MAX);
  DrawPlan(buffers, picture);
  for (std::size_t i = 0; i < std::min(expected.size(), picture.lines.size()); ++i) {
    if (picture.lines[i] == expected[i]) continue;
    const std::string message =
        "VIOLATED: a line of the picture of a plan is\n" + picture.lines[i] + "\nand has to be\n" + expected[i];
    RC_FAIL(message);
  }
  const std::string missing = "VIOLATED: the picture of a plan has too few lines, or too many";
  if (picture.lines.size() != expected.size()) RC_FAIL(missing);
  // Whoever has seen enough is shown no more.
  const auto enough = *rc::gen::inRange<std::size_t>(1, expected.size() + 1);
  Lines beginning(enough);
  DrawPlan(buffers, beginning);
  RC_ASSERT(beginning.lines.size() == enough);
}

}  // namespace
}  // namespace arenaproof::testing
