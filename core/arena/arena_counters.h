// What a recorded arena counts, itself included. Temporaries and refused calls change nothing.
#pragma once

#include <cstddef>

namespace arenaproof {

struct ArenaCounters {
  std::size_t requested_head_bytes = 0;  // of the last head operation, not a sum
  std::size_t requested_tail_bytes = 0;
  std::size_t used_bytes = 0;        // head and tail with the padding of alignments
  std::size_t allocation_count = 0;  // persistent blocks; the head never counts

  std::size_t requested_bytes() const { return requested_head_bytes + requested_tail_bytes; }
  friend bool operator==(const ArenaCounters&, const ArenaCounters&) = default;
};

}  // namespace arenaproof
