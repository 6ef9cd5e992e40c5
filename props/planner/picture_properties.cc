// P10: the picture of a plan, text for text: a line for each buffer, then for each time 80 columns, '!' where, and only
// where, two live buffers share a column, and what is alive in KB.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/planner/plan_picture.h"
#include "props/planner/planner_generators.h"

namespace arenaproof::testing {
namespace {

using Exact = unsigned __int128;

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

char Letter(const PlacedBuffer& buffer, std::size_t index) {
  if (buffer.first == buffer.last) return '*';
  const std::size_t ordinal = index % 62;
  if (ordinal < 10) return static_cast<char>('0' + ordinal);
  return static_cast<char>(ordinal < 36 ? 'a' + (ordinal - 10) : 'A' + (ordinal - 36));
}

std::string Row(const std::vector<PlacedBuffer>& buffers, std::int32_t time, std::size_t scale) {
  std::string columns(80, '.');
  Exact live_bytes = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlacedBuffer& buffer = buffers[i];
    if (time < buffer.first || time > buffer.last) continue;
    live_bytes += buffer.bytes;
    if (buffer.offset == kUnplaced) continue;
    const Exact begin = Exact{buffer.offset} * 80 / scale;
    const Exact end = Exact{buffer.offset + buffer.bytes} * 80 / scale;
    for (std::size_t column = 0; column < 80; ++column) {
      if (column < begin || column >= end) continue;
      columns[column] = columns[column] == '.' ? Letter(buffer, i) : '!';
    }
  }
  const auto kilobytes = static_cast<std::size_t>((std::min<Exact>(live_bytes, SIZE_MAX) + 1023) / 1024);
  std::string number = std::to_string(time);
  number.insert(0, 4 - std::min<std::size_t>(4, number.size()), ' ');
  return number + ": " + columns + " (" + std::to_string(kilobytes) + "k)";
}

std::vector<std::string> ReferencePicture(const std::vector<PlacedBuffer>& buffers) {
  std::vector<std::string> lines;
  std::size_t scale = 80;
  std::int32_t last_time = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlacedBuffer& buffer = buffers[i];
    const bool placed = buffer.offset != kUnplaced;
    lines.push_back(std::string(1, Letter(buffer, i)) + " (id=" + std::to_string(i) + "): size=" +
                    std::to_string(buffer.bytes) + ", offset=" + (placed ? std::to_string(buffer.offset) : "-1") +
                    ", first_used=" + std::to_string(buffer.first) + " last_used=" + std::to_string(buffer.last));
    if (placed) scale = std::max(scale, buffer.offset + buffer.bytes);
    last_time = std::max(last_time, buffer.last);
  }
  for (std::int32_t time = 0; time <= last_time; ++time) lines.push_back(Row(buffers, time, scale));
  return lines;
}

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
