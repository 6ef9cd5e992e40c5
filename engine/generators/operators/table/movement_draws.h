// What the shape rules of moved data share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {

// The more dimensions, the smaller they are: a case's operands fit an arena together, be there twelve of them.
inline std::int32_t MostExtent(std::int32_t rank) { return rank < 4 ? 5 : std::max(2, 8 - rank); }

// How far one extent may be: where there are `times` as many elements beside it, and the other dimensions at 2 unless
// the case is thin, not so many in all that other cases wait.
inline std::int32_t FarLimit(const Extents& extents, std::int32_t rank, std::size_t times) {
  constexpr std::size_t kMostElements = (std::size_t{1} << 17) + 1;
  const std::int32_t others = extents.is_thin() ? 0 : std::max(0, rank - 1);
  return static_cast<std::int32_t>(std::max<std::size_t>(1, (kMostElements / times) >> others));
}

// `times` as many elements, of which a thin case has few: two operands at most are repeated, no axis of 1 is padded.
inline std::size_t UnlessThin(const ShapeDraw& draw, std::size_t times) { return draw.extents.is_thin() ? 1 : times; }

inline CaseShape DrawShapeOfRanks(ShapeDraw& draw, std::int32_t least_rank, std::int32_t most_rank,
                                  std::size_t times = 1) {
  const std::int32_t rank = draw.extents.Rank(least_rank, most_rank);
  CaseShape shape(static_cast<std::size_t>(rank));
  for (std::int32_t& extent : shape) extent = draw.extents.Next(MostExtent(rank), FarLimit(draw.extents, rank, times));
  return shape;
}

// An axis as a file names it.
struct NamedAxis {
  std::size_t index;
  std::int32_t name;  // the index, or counted from the end
};

// Half of the names are negative. Precondition: a rank above 0.
inline NamedAxis DrawAxis(CaseRandom& random, std::size_t rank) {
  const std::size_t index = random.Below(rank);
  const auto name = static_cast<std::int32_t>(index);
  return {index, random.OneIn(2) ? name - static_cast<std::int32_t>(rank) : name};
}

// What STRIDED_SLICE makes of its first input by its options and its other inputs.
CaseShape StridedSliceShape(const OperatorCase& made);

}  // namespace arenaproof
