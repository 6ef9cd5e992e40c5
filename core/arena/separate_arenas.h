// The two arenas of a pair: what lives as long as the arena in one memory, what dies or is overwritten in another.
#pragma once

#include "core/arena/arena.h"

namespace arenaproof {

// A tail only. kArenaNullBuffer, kSizeOverflow; on failure the object is unchanged.
class PersistentArena : public Arena {
 public:
  PersistentArena() = default;
  Status Init(std::byte* buffer, std::size_t bytes, ArenaObserver* observer = nullptr) {
    return Arena::Init(buffer, bytes, ArenaKind::kPersistent, observer);
  }
};
ARENAPROOF_PIN_BYTES(PersistentArena, 88, 8, 44, 4);

// Head and temporaries only. Statuses as above.
class NonPersistentArena : public Arena {
 public:
  NonPersistentArena() = default;
  Status Init(std::byte* buffer, std::size_t bytes, ArenaObserver* observer = nullptr) {
    return Arena::Init(buffer, bytes, ArenaKind::kNonPersistent, observer);
  }
  // The counters of the arena that it makes a pair with.
  void RecordInto(ArenaCounters* counters) { set_counters(counters); }
};
ARENAPROOF_PIN_BYTES(NonPersistentArena, 88, 8, 44, 4);

}  // namespace arenaproof
