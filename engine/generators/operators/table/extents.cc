#include "engine/generators/operators/table/extents.h"

#include <algorithm>

#include "engine/generators/reach.h"

namespace arenaproof {

std::int32_t Extents::Next(std::int32_t most, std::int32_t limit) {
  if (drawn_++ == far_) {
    far_extent_ = static_cast<std::int32_t>(
        DrawReach(random_, std::min<std::size_t>(kFarthest, static_cast<std::size_t>(limit))));
    return far_extent_;
  }
  return random_.Between(1, far_ == kNoneFar ? most : std::min(most, thin_ ? 1 : 2));
}

std::int32_t Extents::Rank(std::int32_t least, std::int32_t most) {
  if (far_ != kNoneFar && far_ >= drawn_ && random_.OneIn(2)) {
    const auto needed = static_cast<std::int32_t>(std::min<std::size_t>(far_ - drawn_ + 1, 8));
    least = std::clamp(needed, least, most);
  }
  return random_.Between(least, most);
}

CaseShape Extents::Shape(std::int32_t least_rank, std::int32_t most_rank, std::int32_t most, std::int32_t limit) {
  CaseShape shape(static_cast<std::size_t>(Rank(least_rank, most_rank)));
  std::int32_t count = 1;
  for (std::int32_t& extent : shape) {
    extent = Next(most, limit);
    if (far_ != kNoneFar) continue;
    extent = std::min(extent, kMostElements / count);
    count *= extent;
  }
  return shape;
}

void Extents::MakeEmptySometimes(CaseShape& shape) {
  if (far_ == kNoneFar && shape.size() == 1 && random_.OneIn(16)) shape[0] = 0;
}

}  // namespace arenaproof
