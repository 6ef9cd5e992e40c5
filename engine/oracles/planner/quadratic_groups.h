// What groups of buffers that share bytes count as, by following every buffer to its root and looking at all members:
// too simple to be wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/buffer_alias.h"
#include "core/planner/placed_buffer.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::testing {

inline std::size_t RootOf(std::size_t buffer, std::span<const BufferAlias> aliases) {
  for (std::size_t step = 0; step <= aliases.size(); ++step) {
    for (const BufferAlias& alias : aliases) {
      if (alias.buffer != buffer) continue;
      buffer = alias.source;
      break;
    }
  }
  return buffer;
}

// A root is alive from the earliest start of its group to the latest end, and as large as the largest; the others have
// no bytes and share. `aliases` are sound: no way along them is a circle.
inline std::vector<PlacedBuffer> JoinedQuadratically(std::span<const PlacedBuffer> buffers,
                                                     std::span<const BufferAlias> aliases) {
  std::vector<PlacedBuffer> joined(buffers.begin(), buffers.end());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (RootOf(i, aliases) != i) {
      joined[i].bytes = 0;
      joined[i].shares = true;
      continue;
    }
    for (std::size_t j = 0; j < buffers.size(); ++j) {
      if (RootOf(j, aliases) != i) continue;
      joined[i].first = std::min(joined[i].first, buffers[j].first);
      joined[i].last = std::max(joined[i].last, buffers[j].last);
      joined[i].bytes = std::max(joined[i].bytes, buffers[j].bytes);
    }
  }
  return joined;
}

inline bool SameBuffer(const PlacedBuffer& a, const PlacedBuffer& b) {
  return a.offset == b.offset && a.bytes == b.bytes && a.first == b.first && a.last == b.last &&
         a.trusted == b.trusted && a.variable == b.variable && a.kept == b.kept && a.shares == b.shares;
}

}  // namespace arenaproof::testing
ARENAPROOF_UNGUIDED_END
