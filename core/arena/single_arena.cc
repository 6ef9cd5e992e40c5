#include "core/arena/single_arena.h"

#include "core/arena/self_hosting.h"

namespace arenaproof {

Status SingleArena::Create(std::byte* buffer, std::size_t bytes, ArenaObserver* observer, SingleArena** arena) {
  return CreateSingleArena(buffer, bytes, observer, arena);
}

}  // namespace arenaproof
