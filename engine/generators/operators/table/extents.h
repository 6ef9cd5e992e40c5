// Extents of a case's shapes: small ones, or one of them far (engine/generators/reach.h) and the others 1 or 2, or all
// 1: a thin case, whose far one may be as far as an extent comes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/generators/operators/case_choices.h"

namespace arenaproof {

class Extents {
 public:
  static constexpr std::size_t kNoneFar = static_cast<std::size_t>(-1);

  // The extent that is drawn as number `far` (from 0) is the far one.
  explicit Extents(CaseRandom& random, std::size_t far = kNoneFar)
      : random_(random), far_(far), thin_(far != kNoneFar && random.OneIn(2)) {}

  // 1 to `most`; the far one up to the farthest, or to `limit`.
  std::int32_t Next(std::int32_t most = 5, std::int32_t limit = 1 << 18);
  // So many of them. Without a far one a tensor of them has no more than 2048 elements, so that the operands of the
  // widest type fit an arena.
  CaseShape Shape(std::int32_t least_rank, std::int32_t most_rank, std::int32_t most = 5, std::int32_t limit = 1 << 18);

  // Between these; half of the time so many that the far one is among them, if it may be.
  std::int32_t Rank(std::int32_t least, std::int32_t most);

  // Now and then 0, when it is the only one: outputs of more dimensions are not served without elements.
  void MakeEmptySometimes(CaseShape& shape);

  bool is_thin() const { return thin_; }
  std::size_t drawn() const { return drawn_; }
  // 0 as long as none was.
  std::int32_t far_extent() const { return far_extent_; }

 private:
  static constexpr std::int32_t kMostElements = 2048;

  CaseRandom& random_;
  std::size_t far_;
  bool thin_;
  std::size_t drawn_ = 0;
  std::int32_t far_extent_ = 0;
};

}  // namespace arenaproof
