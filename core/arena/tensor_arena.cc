#include "core/arena/tensor_arena.h"

#include <new>

#include "core/base/alignment.h"
#include "core/base/checked_word.h"

namespace arenaproof {
namespace {

using Word = std::uintptr_t;

Status CheckBuffer(const std::byte* buffer, std::size_t bytes) {
  if (buffer == nullptr) return Failure(StatusCode::kArenaNullBuffer);
  const Word address = reinterpret_cast<Word>(buffer);
  if (!CheckedAdd<Word>(address, bytes).ok) return Failure(StatusCode::kSizeOverflow, address, bytes);
  return Ok();
}

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

}  // namespace

Status TensorArena::CreateSingle(std::byte* buffer, std::size_t bytes, ArenaObserver* observer, TensorArena* arena) {
  SingleArena* single = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(SingleArena::Create(buffer, bytes, observer, &single));
  *arena = TensorArena(*single);
  return Ok();
}

Status TensorArena::CreatePair(const ArenaBuffers& buffers, ArenaObserver* observer, TensorArena* arena) {
  ARENAPROOF_RETURN_IF_ERROR(CheckBuffer(buffers.persistent, buffers.persistent_bytes));
  ARENAPROOF_RETURN_IF_ERROR(CheckBuffer(buffers.non_persistent, buffers.non_persistent_bytes));
  ARENAPROOF_RETURN_IF_ERROR(CheckDisjoint(buffers));

  const Word gap = DistanceToMultiple<Word>(reinterpret_cast<Word>(buffers.non_persistent), kTensorAlignment);
  if (gap > buffers.non_persistent_bytes) {
    return Failure(StatusCode::kArenaBufferTooSmall, buffers.non_persistent_bytes, gap);
  }
  SingleArena head;
  ARENAPROOF_RETURN_IF_ERROR(head.Init(buffers.non_persistent + gap, buffers.non_persistent_bytes - gap, observer));

  const Word rest =
      Remainder<Word>(reinterpret_cast<Word>(buffers.persistent) + buffers.persistent_bytes, Word{kTensorAlignment});
  const Status too_small =
      Failure(StatusCode::kArenaBufferTooSmall, buffers.persistent_bytes, rest + 2 * sizeof(SingleArena));
  if (rest > buffers.persistent_bytes) return too_small;
  SingleArena tail;  // places itself: moved into the block that it took from its own bytes
  ARENAPROOF_RETURN_IF_ERROR(tail.Init(buffers.persistent, buffers.persistent_bytes - rest, observer));
  std::byte* tail_place = nullptr;
  std::byte* head_place = nullptr;
  if (observer != nullptr) observer->OnShape(BytesOf<SingleArena>(), 1);
  if (!tail.AllocatePersistent(sizeof(SingleArena), alignof(SingleArena), &tail_place).ok()) return too_small;
  if (observer != nullptr) observer->OnShape(BytesOf<SingleArena>(), 1);
  if (!tail.AllocatePersistent(sizeof(SingleArena), alignof(SingleArena), &head_place).ok()) return too_small;
  *arena = TensorArena(*new (tail_place) SingleArena(tail), *new (head_place) SingleArena(head));
  return Ok();
}

}  // namespace arenaproof
