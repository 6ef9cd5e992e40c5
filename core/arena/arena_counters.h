// What a recorded arena counts, itself included. Temporaries and refused calls change nothing.
#pragma once

#include <cstddef>

#include "core/arena/arena_state.h"
#include "core/arena/operation_table.h"

namespace arenaproof {

struct ArenaCounters {
  std::size_t requested_head_bytes = 0;  // of the last head operation, not a sum
  std::size_t requested_tail_bytes = 0;
  std::size_t used_bytes = 0;        // head and tail with the padding of alignments
  std::size_t allocation_count = 0;  // persistent blocks; the head never counts

  std::size_t requested_bytes() const { return requested_head_bytes + requested_tail_bytes; }
  friend bool operator==(const ArenaCounters&, const ArenaCounters&) = default;
};

// After a granted operation. What a rewound tail takes back is known by its bytes only: whoever marked the tail keeps
// the counters of that moment and puts them back (RestoreTail).
template <typename Word>
constexpr void Count(Operation operation, std::size_t size, const ArenaState<Word>& before,
                     const ArenaState<Word>& after, ArenaCounters& counters) {
  // Words: a head that shrinks and a tail that goes back subtract by wrapping.
  const OperationSection section = Describe(operation).section;
  if (section == OperationSection::kHead) {
    counters.requested_head_bytes = size;
    counters.used_bytes += after.head_end - before.head_end;
  }
  if (section == OperationSection::kTail) counters.used_bytes += before.tail_begin - after.tail_begin;
  if (operation == Operation::kAllocatePersistent) {
    counters.requested_tail_bytes += size;
    ++counters.allocation_count;
  }
}

// What a rewind cannot know: requests and count of the tail as they were at the mark.
constexpr void RestoreTail(const ArenaCounters& at_mark, ArenaCounters& counters) {
  counters.requested_tail_bytes = at_mark.requested_tail_bytes;
  counters.allocation_count = at_mark.allocation_count;
}

}  // namespace arenaproof
