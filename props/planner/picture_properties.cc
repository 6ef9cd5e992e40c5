// P10: 80 columns in each row, and '!' where, and only where, two live buffers share a column.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "core/planner/plan_picture.h"
#include "props/planner/planner_generators.h"

namespace arenaproof::testing {
namespace {

class Rows final : public PictureSink {
 public:
  bool Line(std::string_view line) override {
    if (line.find("(id=") == std::string_view::npos) rows.emplace_back(line);
    return true;
  }
  std::vector<std::string> rows;
};

RC_GTEST_PROP(PlanPicture, P10_ShowsEightyColumnsAndMarksSharedOnes, ()) {
  auto buffers = *ArbitraryPlan();
  // From small plans to ones whose products need more than 64 bits.
  const auto factor = *rc::gen::element<std::size_t>(1, 7, 100003, 2000003, 10000019, 1000000007, std::size_t{1} << 55);
  std::size_t scale = 80;
  std::int32_t last_time = 0;
  for (PlacedBuffer& buffer : buffers) {
    buffer.offset *= factor;
    buffer.bytes *= factor;
    scale = std::max(scale, buffer.offset + buffer.bytes);
    last_time = std::max(last_time, buffer.last);
  }
  Rows picture;
  DrawPlan(buffers, picture);
  RC_ASSERT(picture.rows.size() == static_cast<std::size_t>(last_time) + 1);
  for (std::int32_t time = 0; time <= last_time; ++time) {
    const std::string& row = picture.rows[static_cast<std::size_t>(time)];
    RC_ASSERT(row.substr(4, 2) == ": ");
    RC_ASSERT(row.substr(86, 2) == " (");
    for (std::size_t column = 0; column < 80; ++column) {
      int cover_count = 0;
      for (const PlacedBuffer& buffer : buffers) {
        const auto begin = static_cast<unsigned __int128>(buffer.offset) * 80 / scale;
        const auto end = static_cast<unsigned __int128>(buffer.offset + buffer.bytes) * 80 / scale;
        if (buffer.first <= time && time <= buffer.last && begin <= column && column < end) ++cover_count;
      }
      const char shown = row[6 + column];
      RC_ASSERT((shown == '.') == (cover_count == 0));
      RC_ASSERT((shown == '!') == (cover_count > 1));
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
