#include "core/runtime/storage/temporary_blocks.h"

#include <cstdint>
#include <new>

#include "core/runtime/storage/observer_pause.h"

namespace arenaproof {

Status TemporaryBlocks::Allocate(TensorArena& arena, std::size_t bytes, std::size_t alignment, std::byte** block) {
  std::byte* place = nullptr;
  {
    const ObserverPause pause(arena);
    arena.Announce<Link>(1);
    ARENAPROOF_RETURN_IF_ERROR(arena.AllocateTemporary(sizeof(Link), alignof(Link), &place));
  }
  std::byte* granted = nullptr;
  if (const Status status = arena.AllocateTemporary(bytes, alignment, &granted); !status.ok()) {
    const ObserverPause pause(arena);
    ARENAPROOF_RETURN_IF_ERROR(arena.DeallocateTemporary(place));
    return status;
  }
  first_ = new (place) Link{first_, granted};
  ++outstanding_count_;
  *block = granted;
  return Ok();
}

Status TemporaryBlocks::Free(TensorArena& arena, std::byte* block) {
  Link** link = &first_;
  while (*link != nullptr && (*link)->block != block) link = &(*link)->next;
  if (*link == nullptr) return Failure(StatusCode::kForeignTemporary, reinterpret_cast<std::uintptr_t>(block));
  return FreeNext(arena, link);
}

Status TemporaryBlocks::FreeNext(TensorArena& arena, Link** link) {
  Link* const freed = *link;
  *link = freed->next;
  --outstanding_count_;
  ARENAPROOF_RETURN_IF_ERROR(arena.DeallocateTemporary(freed->block));
  const ObserverPause pause(arena);
  return arena.DeallocateTemporary(reinterpret_cast<std::byte*>(freed));
}

void TemporaryBlocks::FreeAll(TensorArena& arena) {
  while (first_ != nullptr) {
    if (!FreeNext(arena, &first_).ok()) break;  // cannot happen: every link names blocks the arena granted
  }
  first_ = nullptr;
  outstanding_count_ = 0;
}

}  // namespace arenaproof
