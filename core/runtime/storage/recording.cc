#include "core/runtime/storage/recording.h"

#include "core/arena/counting.h"

namespace arenaproof {

void MemoryRecord::Add(MemoryCategory category, const ArenaCounters& before, const ArenaCounters& after,
                       std::size_t count) {
  if (after.allocation_count == before.allocation_count) return;  // refused, or an array without elements
  RecordedMemory& memory = now_[static_cast<std::size_t>(category)];
  memory.requested_bytes += after.requested_tail_bytes - before.requested_tail_bytes;
  memory.used_bytes += after.used_bytes - before.used_bytes;
  memory.count += count;
}

void MemoryRecord::Mark(const ArenaCounters& counters) {
  at_mark_ = now_;
  counters_at_mark_ = counters;
}

void MemoryRecord::Rewind(ArenaCounters& counters) {
  now_ = at_mark_;
  RestoreTail(counters_at_mark_, counters);
}

}  // namespace arenaproof
