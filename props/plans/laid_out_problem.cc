#include "props/plans/laid_out_problem.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/oracles/plans/pairwise_plan.h"
#include "engine/oracles/plans/smallest_head.h"
#include "props/plans/problem_draws.h"
#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostTried = 6;

// Where a buffer was laid, in units.
struct Tile {
  TimeInterval time;
  std::int64_t begin = 0, units = 0;
  std::vector<TimeInterval> gaps;
};

template <typename T>
void Shuffle(std::vector<T>& list) {
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[Below(i)]);
}

// Each cuts a tile in two, and returns the other one; false when it is too small for that.

bool CutInTime(Tile& tile, Tile& rest) {
  const std::int64_t width = tile.time.upper - tile.time.lower;
  if (width < 2 || !tile.gaps.empty()) return false;
  tile.time.upper = rest.time.lower = tile.time.lower + 1 + Below(width - 1);
  return true;
}

// Often in the middle of an even number: there alignments meet.
bool CutInHeight(Tile& tile, Tile& rest) {
  if (tile.units < 2) return false;
  tile.units = tile.units % 2 == 0 && OneIn(3) ? tile.units / 2 : 1 + Below(tile.units - 1);
  rest.units -= tile.units;
  rest.begin += tile.units;
  return true;
}

// The other one lies in a gap.
bool CutOutOfTheMiddle(Tile& tile, Tile& rest) {
  const std::int64_t width = tile.time.upper - tile.time.lower;
  if (width < 3 || !tile.gaps.empty()) return false;
  rest.time.lower = tile.time.lower + 1 + Below(width - 2);
  rest.time.upper = rest.time.lower + 1 + Below(tile.time.upper - rest.time.lower - 1);
  tile.gaps.push_back(rest.time);
  return true;
}

std::int64_t Area(const Tile& tile) { return (tile.time.upper - tile.time.lower) * tile.units; }

// Cut again and again, from side to side.
std::vector<Tile> CutTiles(std::size_t count, std::int64_t moments, std::int64_t units, bool gaps) {
  const bool even = !OneIn(3);  // large ones first, so that no tile is much larger than others
  std::vector<Tile> tiles{{{0, moments}, 0, units, {}}};
  for (std::size_t tries = 0; tiles.size() < count && tries < 20 * count; ++tries) {
    std::size_t chosen = Below(tiles.size());
    for (int other = even ? 3 : 0; other > 0; --other) {
      const std::size_t index = Below(tiles.size());
      if (Area(tiles[index]) > Area(tiles[chosen])) chosen = index;
    }
    Tile& tile = tiles[chosen];
    Tile rest = tile;
    const bool is_cut = gaps && OneIn(5) ? CutOutOfTheMiddle(tile, rest)
                        : OneIn(2)       ? CutInTime(tile, rest)
                                         : CutInHeight(tile, rest);
    if (is_cut) tiles.push_back(rest);
  }
  return tiles;
}

// Laid one after the other at the lowest free place, so that no straight cut need go through.
std::vector<Tile> LaidTiles(std::size_t most, std::int64_t moments, std::int64_t units) {
  std::vector<std::int64_t> height(static_cast<std::size_t>(moments));
  std::vector<Tile> tiles;
  for (;;) {
    const auto lowest = std::min_element(height.begin(), height.end());
    if (*lowest == units) return tiles;
    const std::int64_t lower = lowest - height.begin(), begin = *lowest;
    std::int64_t upper = lower + 1;
    const bool last = tiles.size() + 1 >= most;
    while (upper < moments && height[static_cast<std::size_t>(upper)] == begin && (last || !OneIn(3))) ++upper;
    const std::int64_t size = last ? units - begin : 1 + Below(std::min(1 + units / 3, units - begin));
    for (std::int64_t at = lower; at < upper; ++at) height[static_cast<std::size_t>(at)] = begin + size;
    tiles.push_back({{lower, upper}, begin, size, {}});
  }
}

// Of the unit, as mostly; of bytes, which may be less than the unit, more, or both.
std::int64_t AnyAlignment(std::int64_t unit) {
  constexpr std::array<std::int64_t, 5> kOfUnits{2, 2, 3, 4, 8};
  constexpr std::array<std::int64_t, 8> kOfBytes{2, 3, 4, 9, 16, 32, 64, 96};
  return OneIn(3) ? kOfBytes[Below(kOfBytes.size())] : unit * kOfUnits[Below(kOfUnits.size())];
}

struct Shape {
  bool laid = false;
  std::size_t count = 0;
  std::int64_t moments = 0, units = 0;
};

// Few moments and units, where much is equal; or so many that hardly anything is, and a search that guesses which bytes
// stay free soon knows that it is wrong.
Shape DrawShape(std::size_t most) {
  const std::size_t count = 2 + Below(most - 1);
  const auto many = static_cast<std::int64_t>(4 * count);
  switch (Below(4)) {
    case 0:
      return {true, most, 6, 3 + Below<std::int64_t>(5)};
    case 1:
      return {true, most, 12, 100 + Below<std::int64_t>(300)};
    case 2:
      return {false, count, 16, 4 + Below<std::int64_t>(OneIn(2) ? 12 : 40)};
    default:
      return {false, count, many, 64 + Below<std::int64_t>(960)};
  }
}

std::vector<Tile> TilesOf(const Shape& shape, bool gaps) {
  return shape.laid ? LaidTiles(shape.count, shape.moments, shape.units)
                    : CutTiles(shape.count, shape.moments, shape.units, gaps);
}

// `taken_out`: one in so many of those that are not alive at one moment; 0: none.
KnownProblem DrawTiles(const Shape& shape, std::size_t taken_out, bool rich) {
  constexpr std::array<std::int64_t, 6> kUnits{1, 1, 3, 16, 48, 64};
  const std::int64_t unit = kUnits[Below(kUnits.size())];
  const std::int64_t full = Below(shape.moments);
  const int fixed = 3 + Below(9), aligned = 1 + Below(4);
  const std::array<std::int64_t, 2> alignments{AnyAlignment(unit), AnyAlignment(unit)};
  KnownProblem problem;
  problem.head = shape.units * unit;
  for (const Tile& tile : TilesOf(shape, rich)) {
    PlanBuffer buffer;
    buffer.lifetime = tile.time;
    buffer.bytes = tile.units * unit;
    buffer.gaps = tile.gaps;
    if (taken_out > 0 && !LivesAt(buffer, full) && Below(taken_out) == 0) continue;
    const std::int64_t offset = tile.begin * unit;
    if (rich && OneIn(aligned)) {
      const std::int64_t alignment = OneIn(4) ? AnyAlignment(unit) : alignments[Below(alignments.size())];
      if (offset % alignment == 0) buffer.alignment = alignment;
    }
    if (rich && OneIn(fixed)) buffer.offset = offset;
    problem.buffers.push_back(buffer);
  }
  Shuffle(problem.buffers);
  return problem;
}

KnownProblem DrawTiles(std::size_t most, bool rich) {
  return DrawTiles(DrawShape(most), OneIn(3) ? 0 : 2 + Below<std::size_t>(9), rich);
}

KnownProblem DrawTriedProblem() {
  KnownProblem problem{DrawSoundProblem(kMostTried), 0};
  problem.head = SmallestHead(problem.buffers);
  return problem;
}

void MoveInTime(std::vector<PlanBuffer>& buffers, std::int64_t by) {
  for (PlanBuffer& buffer : buffers) {
    buffer.lifetime = {buffer.lifetime.lower + by, buffer.lifetime.upper + by};
    for (TimeInterval& gap : buffer.gaps) gap = {gap.lower + by, gap.upper + by};
  }
}

// The buffers begin at 0. When the last of them ends.
std::int64_t MoveToStart(std::vector<PlanBuffer>& buffers) {
  if (buffers.empty()) return 0;
  std::int64_t start = buffers.front().lifetime.lower, end = buffers.front().lifetime.upper;
  for (const PlanBuffer& buffer : buffers) {
    start = std::min(start, buffer.lifetime.lower);
    end = std::max(end, buffer.lifetime.upper);
  }
  // In two steps: what is to be taken off may be the least number, which has no negative.
  MoveInTime(buffers, -(start + 1));
  MoveInTime(buffers, 1);
  return end - start;
}

}  // namespace

KnownProblem DrawTiling(std::size_t most) { return DrawTiles(most, false); }

KnownProblem DrawRichTiling(std::size_t most) { return DrawTiles(most, true); }

KnownProblem DrawLooseTiling(std::size_t most) {
  const std::size_t count = most / 2 + Below(most - most / 2 + 1);
  return DrawTiles({false, count, static_cast<std::int64_t>(4 * count), 200 + Below<std::int64_t>(800)},
                   2 + Below<std::size_t>(3), false);
}

KnownProblem DrawJoinedProblem(std::size_t most) {
  KnownProblem joined;
  std::int64_t end = 0;
  for (bool first = true; first || (joined.buffers.size() + kMostTried <= most && !OneIn(6)); first = false) {
    KnownProblem part = OneIn(4) ? DrawTiles(kMostTried, OneIn(2)) : DrawTriedProblem();
    const std::int64_t width = MoveToStart(part.buffers);
    MoveInTime(part.buffers, end);
    joined.buffers.insert(joined.buffers.end(), part.buffers.begin(), part.buffers.end());
    joined.head = std::max(joined.head, part.head);
    end += width;
  }
  // Everything that lives lies above it or below it, so that without it all above could move down by its bytes.
  const bool all_live_and_move =
      std::all_of(joined.buffers.begin(), joined.buffers.end(),
                  [](const PlanBuffer& buffer) { return !buffer.offset && !AliveIntervals(buffer).empty(); });
  if (all_live_and_move && end > 0 && OneIn(2)) {
    std::int64_t bytes = 1;
    for (const PlanBuffer& buffer : joined.buffers) bytes = std::lcm(bytes, buffer.alignment);
    bytes *= 1 + Below<std::int64_t>(4);
    PlanBuffer& always = joined.buffers.emplace_back();
    always.lifetime = {0, end};
    always.bytes = bytes;
    joined.head += bytes;
  }
  Shuffle(joined.buffers);
  return joined;
}

}  // namespace arenaproof::testing
