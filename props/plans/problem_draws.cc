#include "props/plans/problem_draws.h"

#include <algorithm>
#include <array>
#include <limits>

#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

constexpr std::int64_t kMoments = 9;
constexpr std::int64_t kTilingMoments = 16, kFewMoments = 6;

class ProblemMaker {
 public:
  ProblemMaker() {
    constexpr std::array<std::int64_t, 6> kUnits{1, 1, 1, 3, 12, 64};
    constexpr std::array<std::int64_t, 6> kBegins{
        0, 0, -4, 1'000'000'007, kEarliest_, std::numeric_limits<std::int64_t>::max() - kMoments};
    unit_ = kUnits[Below(kUnits.size())];
    begin_ = OneIn(2) ? 0 : kBegins[Below(kBegins.size())];
    first_ = 1 + Below(4);
    second_ = 1 + Below(5);
    aligned_ = OneIn(2);
    fixed_ = OneIn(2);
    gaps_ = OneIn(2);
  }

  std::vector<PlanBuffer> Make(std::size_t most) {
    for (std::size_t left = 1 + Below(most); left > 0; --left) {
      buffers_.push_back(!buffers_.empty() && OneIn(3) ? NearlyEqual() : Any());
    }
    return buffers_;
  }

 private:
  std::int64_t Size() {
    switch (Below(8)) {
      case 0:
        return unit_ * (1 + Below<std::int64_t>(6));
      case 1:
        return OneIn(3) ? 0 : unit_;
      case 2:
        return unit_ * (first_ + second_);
      case 3:
        return unit_ * 2 * first_;
      case 4:
      case 5:
        return unit_ * second_;
      default:
        return unit_ * first_;
    }
  }

  void DrawAlignment(PlanBuffer& buffer) {
    constexpr std::array<std::int64_t, 9> kAlignments{1, 2, 2, 3, 4, 6, 6, 8, 8};
    buffer.alignment = kAlignments[Below(kAlignments.size())] * (OneIn(2) ? unit_ : 1);
  }

  // Mostly just where one or two others could end, so that what lies below it fits or does not.
  void Fix(PlanBuffer& buffer) {
    std::int64_t offset = 0;
    for (int left = Below(4); left > 0; --left) offset += Size();
    if (OneIn(6)) offset += 1;
    buffer.offset = (offset + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
  }

  void DrawGaps(PlanBuffer& buffer) {
    buffer.gaps.clear();
    std::int64_t from = buffer.lifetime.lower;
    for (int left = 1 + Below(2); left > 0 && from < buffer.lifetime.upper; --left) {
      const std::int64_t lower = from + Below(buffer.lifetime.upper - from);
      const std::int64_t width = OneIn(8) ? 0 : 1 + Below<std::int64_t>(2);
      const std::int64_t upper = lower + std::min(buffer.lifetime.upper - lower, width);
      buffer.gaps.push_back({lower, upper});
      if (upper == buffer.lifetime.upper) return;
      from = upper + (OneIn(4) ? 0 : 1);
    }
  }

  PlanBuffer Any() {
    PlanBuffer buffer;
    const std::int64_t lower = Below(kMoments), upper = lower + Below(kMoments + 1 - lower);
    buffer.lifetime = {begin_ + lower, begin_ + (upper == lower && !OneIn(8) ? lower + 1 : upper)};
    buffer.bytes = Size();
    if (aligned_ && OneIn(2)) DrawAlignment(buffer);
    if (fixed_ && OneIn(3)) Fix(buffer);
    if (gaps_ && OneIn(2)) DrawGaps(buffer);
    return buffer;
  }

  PlanBuffer NearlyEqual() {
    PlanBuffer buffer = buffers_[Below(buffers_.size())];
    buffer.offset.reset();
    switch (Below(5)) {
      case 0:
      case 1:
        DrawAlignment(buffer);
        break;
      case 2:
        if (gaps_) DrawGaps(buffer);
        break;
      case 3:
        buffer.bytes = Size();
        break;
      default:
        break;
    }
    return buffer;
  }

  static constexpr std::int64_t kEarliest_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t unit_ = 1, begin_ = 0, first_ = 1, second_ = 1;
  bool aligned_ = false, fixed_ = false, gaps_ = false;
  std::vector<PlanBuffer> buffers_;
};

void Spoil(PlanBuffer& buffer) {
  switch (Below(7)) {
    case 0:
      std::swap(buffer.lifetime.lower, buffer.lifetime.upper);
      break;
    case 1:
      buffer.bytes = -1 - buffer.bytes;
      break;
    case 2:
      buffer.alignment = -Below<std::int64_t>(3);
      break;
    case 3:
      buffer.offset = OneIn(2) ? -buffer.alignment : -1;
      break;
    case 4:
      buffer.alignment = 4;
      buffer.offset = 1 + Below<std::int64_t>(7);
      break;
    case 5: {
      const auto [lower, upper] = buffer.lifetime;
      const std::int64_t begin = lower == std::numeric_limits<std::int64_t>::min() ? lower : lower - Below(2);
      const std::int64_t end = upper == std::numeric_limits<std::int64_t>::max() ? upper : upper + Below(2);
      const auto at = buffer.gaps.begin() + static_cast<std::ptrdiff_t>(Below(buffer.gaps.size() + 1));
      buffer.gaps.insert(at, OneIn(2) ? TimeInterval{begin, begin + 1} : TimeInterval{end - 1, end});
      break;
    }
    default:
      buffer.bytes = std::numeric_limits<std::int64_t>::max() >> Below(3);
      break;
  }
}

struct Tile {
  TimeInterval time;
  std::int64_t units;
};

// Cut from side to side, again and again.
std::vector<Tile> CutTiles(std::size_t most, std::int64_t units) {
  std::vector<Tile> tiles{{{0, kTilingMoments}, units}};
  const std::size_t count = 2 + Below(most - 1);
  for (std::size_t tries = 0; tiles.size() < count && tries < 20 * most; ++tries) {
    Tile& tile = tiles[Below(tiles.size())];
    Tile rest = tile;
    if (OneIn(2)) {
      const std::int64_t width = tile.time.upper - tile.time.lower;
      if (width < 2) continue;
      tile.time.upper = rest.time.lower = tile.time.lower + 1 + Below(width - 1);
    } else {
      if (tile.units < 2) continue;
      tile.units = 1 + Below(tile.units - 1);
      rest.units -= tile.units;
    }
    tiles.push_back(rest);
  }
  return tiles;
}

// Laid one after the other at the lowest free place, so that no straight cut need go through.
std::vector<Tile> LaidTiles(std::size_t most, std::int64_t units) {
  std::vector<std::int64_t> height(kFewMoments);
  std::vector<Tile> tiles;
  for (;;) {
    const auto lowest = std::min_element(height.begin(), height.end());
    if (*lowest == units) return tiles;
    const std::int64_t lower = lowest - height.begin();
    std::int64_t upper = lower + 1;
    const bool last = tiles.size() + 1 >= most;
    while (upper < kFewMoments && height[static_cast<std::size_t>(upper)] == *lowest && (last || !OneIn(3))) ++upper;
    const std::int64_t size = last ? units - *lowest : 1 + Below(std::min<std::int64_t>(3, units - *lowest));
    const std::int64_t top = *lowest + size;
    for (std::int64_t at = lower; at < upper; ++at) height[static_cast<std::size_t>(at)] = top;
    tiles.push_back({{lower, upper}, size});
  }
}

}  // namespace

std::vector<PlanBuffer> DrawProblem(std::size_t most) { return ProblemMaker().Make(most); }

std::vector<PlanBuffer> DrawFaultyProblem(std::size_t most) {
  std::vector<PlanBuffer> buffers = DrawProblem(most);
  for (int left = 1 + Below(2); left > 0; --left) Spoil(buffers[Below(buffers.size())]);
  return buffers;
}

Tiling DrawTiling(std::size_t most) {
  const bool laid = OneIn(2);
  const std::int64_t units = laid ? 3 + Below<std::int64_t>(5) : 4 + Below<std::int64_t>(OneIn(2) ? 12 : 40);
  const std::int64_t unit = OneIn(2) ? 1 : 16;
  const std::int64_t full = Below(laid ? kFewMoments : kTilingMoments);
  const bool whole = OneIn(3);
  const int taken_out = 2 + Below(6);  // one in so many
  Tiling tiling;
  tiling.head = units * unit;
  for (const Tile& tile : laid ? LaidTiles(most, units) : CutTiles(most, units)) {
    const bool stays = whole || (tile.time.lower <= full && full < tile.time.upper);
    if (!stays && OneIn(taken_out)) continue;
    PlanBuffer& buffer = tiling.buffers.emplace_back();
    buffer.lifetime = tile.time;
    buffer.bytes = tile.units * unit;
  }
  for (std::size_t i = tiling.buffers.size(); i > 1; --i) std::swap(tiling.buffers[i - 1], tiling.buffers[Below(i)]);
  return tiling;
}

std::string ProblemText(const std::vector<PlanBuffer>& buffers) {
  std::string text;
  for (const PlanBuffer& buffer : buffers) {
    text += "  [" + std::to_string(buffer.lifetime.lower) + ", " + std::to_string(buffer.lifetime.upper) + ") " +
            std::to_string(buffer.bytes) + " bytes, alignment " + std::to_string(buffer.alignment);
    if (buffer.offset) text += ", fixed at " + std::to_string(*buffer.offset);
    for (const TimeInterval& gap : buffer.gaps) {
      text += ", gap [" + std::to_string(gap.lower) + ", " + std::to_string(gap.upper) + ")";
    }
    text += "\n";
  }
  return text;
}

}  // namespace arenaproof::testing
