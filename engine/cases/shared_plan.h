// A plan in which buffers share bytes on purpose: what the certifier is asked about.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/buffer_alias.h"
#include "core/planner/placed_buffer.h"

namespace arenaproof::testing {

struct SharedPlan {
  std::vector<PlacedBuffer> buffers;
  std::vector<BufferAlias> aliases;
  std::size_t head_bytes = 0;
  std::size_t alignment = 16;
};

}  // namespace arenaproof::testing
