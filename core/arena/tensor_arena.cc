#include "core/arena/tensor_arena.h"

#include <new>

#include "core/arena/recording_arena.h"
#include "core/base/alignment.h"
#include "core/base/checked_word.h"

namespace arenaproof {
namespace {

using Word = std::uintptr_t;

// Buffers that begin at one address overlap even if one of them has no bytes: two arenas there would be one.
Status CheckDisjoint(const ArenaBuffers& buffers) {
  const Word persistent = reinterpret_cast<Word>(buffers.persistent);
  const Word non_persistent = reinterpret_cast<Word>(buffers.non_persistent);
  const bool below = persistent < non_persistent && buffers.persistent_bytes <= non_persistent - persistent;
  const bool above = non_persistent < persistent && buffers.non_persistent_bytes <= persistent - non_persistent;
  if (below || above) return Ok();
  return Failure(StatusCode::kArenaBuffersOverlap, persistent, buffers.persistent_bytes, non_persistent,
                 buffers.non_persistent_bytes);
}

template <typename TailArena>
Status PlacePair(const ArenaBuffers& buffers, ArenaObserver* observer, TensorArena* arena) {
  const Word gap = DistanceToMultiple<Word>(reinterpret_cast<Word>(buffers.non_persistent), kTensorAlignment);
  if (gap > buffers.non_persistent_bytes) {
    return Failure(StatusCode::kArenaBufferTooSmall, buffers.non_persistent_bytes, gap);
  }
  NonPersistentArena head;
  ARENAPROOF_RETURN_IF_ERROR(head.Init(buffers.non_persistent + gap, buffers.non_persistent_bytes - gap, observer));

  const Word rest =
      Remainder<Word>(reinterpret_cast<Word>(buffers.persistent) + buffers.persistent_bytes, Word{kTensorAlignment});
  const Status too_small = Failure(StatusCode::kArenaBufferTooSmall, buffers.persistent_bytes,
                                   rest + sizeof(TailArena) + sizeof(NonPersistentArena));
  if (rest > buffers.persistent_bytes) return too_small;
  TailArena tail;
  ARENAPROOF_RETURN_IF_ERROR(tail.Init(buffers.persistent, buffers.persistent_bytes - rest, observer));
  std::byte* tail_place = nullptr;
  std::byte* head_place = nullptr;
  if (observer != nullptr) observer->OnShape(BytesOf<TailArena>(), 1);
  if (!tail.AllocatePersistent(sizeof(TailArena), alignof(TailArena), &tail_place).ok()) return too_small;
  if (observer != nullptr) observer->OnShape(BytesOf<NonPersistentArena>(), 1);
  if (!tail.AllocatePersistent(sizeof(NonPersistentArena), alignof(NonPersistentArena), &head_place).ok()) {
    return too_small;
  }
  TailArena* const placed_tail = new (tail_place) TailArena(tail);
  NonPersistentArena* const placed_head = new (head_place) NonPersistentArena(head);
  placed_head->RecordInto(placed_tail->counters());
  *arena = TensorArena(*placed_tail, *placed_head);
  return Ok();
}

}  // namespace

Status TensorArena::CreateSingle(std::byte* buffer, std::size_t bytes, ArenaObserver* observer, TensorArena* arena,
                                 bool recorded) {
  if (recorded) {
    RecordingSingleArena* single = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(CreateRecordingArena(buffer, bytes, observer, &single));
    *arena = TensorArena(*single);
    return Ok();
  }
  SingleArena* single = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(SingleArena::Create(buffer, bytes, observer, &single));
  *arena = TensorArena(*single);
  return Ok();
}

Status TensorArena::CreatePair(const ArenaBuffers& buffers, ArenaObserver* observer, TensorArena* arena,
                               bool recorded) {
  ARENAPROOF_RETURN_IF_ERROR(CheckArenaBuffer(buffers.persistent, buffers.persistent_bytes));
  ARENAPROOF_RETURN_IF_ERROR(CheckArenaBuffer(buffers.non_persistent, buffers.non_persistent_bytes));
  ARENAPROOF_RETURN_IF_ERROR(CheckDisjoint(buffers));
  return recorded ? PlacePair<RecordingPersistentArena>(buffers, observer, arena)
                  : PlacePair<PersistentArena>(buffers, observer, arena);
}

}  // namespace arenaproof
