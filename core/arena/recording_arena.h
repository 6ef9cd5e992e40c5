// An arena that counts what it hands out, itself included (arena_counters.h). Everything else is the base's.
#pragma once

#include "core/arena/self_hosting.h"
#include "core/arena/separate_arenas.h"
#include "core/arena/single_arena.h"

namespace arenaproof {

template <typename Base>
class Recording : public Base {
 public:
  Recording() { Base::set_counters(&recorded_); }
  // The copy counts on for itself.
  Recording(const Recording& other) : Base(other), recorded_(other.recorded_) { Base::set_counters(&recorded_); }
  Recording& operator=(const Recording&) = delete;

  ArenaCounters& recorded() { return recorded_; }
  const ArenaCounters& recorded() const { return recorded_; }
  // Hides the live figure of the base: what was counted.
  std::size_t UsedBytes() const { return recorded_.used_bytes; }

 private:
  ArenaCounters recorded_;
};

using RecordingSingleArena = Recording<SingleArena>;
using RecordingPersistentArena = Recording<PersistentArena>;
ARENAPROOF_PIN_BYTES(RecordingSingleArena, 120, 8, 60, 4);
ARENAPROOF_PIN_BYTES(RecordingPersistentArena, 120, 8, 60, 4);

// Aligned as by SingleArena::Create, unlike the reference's factory for recorded arenas.
inline Status CreateRecordingArena(std::byte* buffer, std::size_t bytes, ArenaObserver* observer,
                                   RecordingSingleArena** arena) {
  return CreateSingleArena(buffer, bytes, observer, arena);
}

}  // namespace arenaproof
