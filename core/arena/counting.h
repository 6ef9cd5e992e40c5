// How the counters of a recorded arena follow its operations.
#pragma once

#include <cstddef>

#include "core/arena/arena_counters.h"
#include "core/arena/arena_state.h"
#include "core/arena/operation_table.h"

namespace arenaproof {

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
