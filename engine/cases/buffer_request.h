// A buffer that a planner is asked to place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/planner/memory_planner.h"

namespace arenaproof::testing {

struct BufferRequest {
  std::size_t bytes = 0;
  std::int32_t first = 0;
  std::int32_t last = 0;
  std::int64_t offline_offset = kOnline;

  friend bool operator==(const BufferRequest&, const BufferRequest&) = default;
};

}  // namespace arenaproof::testing
