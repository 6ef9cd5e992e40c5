// An arena of all three sections in one buffer.
#pragma once

#include "core/arena/arena.h"

namespace arenaproof {

class SingleArena : public Arena {
 public:
  SingleArena() = default;

  // Manages exactly [buffer, buffer + bytes). Statuses of Arena::Init; on failure the object is unchanged.
  Status Init(std::byte* buffer, std::size_t bytes, ArenaObserver* observer = nullptr) {
    return Arena::Init(buffer, bytes, ArenaKind::kSingle, observer);
  }

  // The factory: manages the buffer from its first 16-aligned byte to its end and puts the arena object itself into
  // the tail (so it counts as used, and the observer gets it as the first tail block). kArenaNullBuffer,
  // kSizeOverflow, kArenaBufferTooSmall (bytes given, bytes the object needs). On failure *arena is untouched.
  static Status Create(std::byte* buffer, std::size_t bytes, ArenaObserver* observer, SingleArena** arena);
};
ARENAPROOF_PIN_BYTES(SingleArena, 88, 8, 44, 4);

}  // namespace arenaproof
