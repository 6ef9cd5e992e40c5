// Where the arena's search has to place a buffer among others (A15 of the planners' specification), in arithmetic that
// cannot wrap, and the whole plan that follows for buffers of known lifetimes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace arenaproof::testing {

using WideOffset = unsigned __int128;
inline constexpr WideOffset kLargestOffset = SIZE_MAX;

struct GapObstacle {
  WideOffset offset = 0;
  std::size_t bytes = 0;
};

// `obstacles` are those that live at some time of the buffer, in any order. Absent: some sum does not fit a size.
std::optional<WideOffset> SmallestGap(std::vector<GapObstacle> obstacles, std::size_t bytes, std::size_t alignment);

struct TimedBuffer {
  std::size_t bytes = 0;
  std::int32_t first = -1;
  std::int32_t last = -1;
};

struct GapPlan {
  std::vector<std::size_t> offsets;
  std::size_t end = 0;  // of the highest buffer
};

// What lives from 0 to the last time of all comes first, by index; then the larger before the smaller, the earlier
// before the later, the lower index before the higher. A buffer without bytes is at 0 and in nobody's way. Absent: the
// plan does not fit a size, and `*refused` is the buffer for which there is no place.
std::optional<GapPlan> PlanBySmallestGap(std::span<const TimedBuffer> buffers, std::size_t alignment,
                                         std::size_t* refused);
// The order alone.
std::vector<std::size_t> OrderOfPlacement(std::span<const TimedBuffer> buffers);

}  // namespace arenaproof::testing
