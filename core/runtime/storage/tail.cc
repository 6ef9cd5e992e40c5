#include "core/runtime/storage/tail.h"

#include "core/base/alignment.h"
#include "core/runtime/storage/observer_pause.h"

namespace arenaproof {

Status Tail::Allocate(std::size_t bytes, std::size_t alignment, std::byte** block) {
  if (head_floor_bytes_ > 0 && alignment > 0 && !arena_.separate()) {
    const ArenaState<std::uintptr_t>& state = arena_.persistent().state();
    const std::uintptr_t tail_begin = state.tail_begin;
    const std::uintptr_t above_head = tail_begin - state.begin - head_floor_bytes_;
    if (bytes > above_head || (tail_begin - bytes) % alignment > above_head - bytes) {
      return Failure(StatusCode::kTailWouldCrossHead, bytes, alignment, above_head);
    }
  }
  return arena_.AllocatePersistent(bytes, alignment, block);
}

Status Tail::CheckSpacedRoom(std::size_t bytes, std::size_t spacing_bytes) const {
  const ArenaState<std::uintptr_t>& state = arena_.persistent().state();
  const auto fits_above = [&](std::uintptr_t limit) {
    const std::size_t room = state.tail_begin - limit;
    if (bytes > room || room - bytes < 2 * spacing_bytes) return false;
    return (state.tail_begin - bytes - spacing_bytes) % kTensorAlignment <= room - bytes - 2 * spacing_bytes;
  };
  const std::uintptr_t head_floor = state.begin + head_floor_bytes_;
  if (head_floor_bytes_ > 0 && !arena_.separate() && !fits_above(head_floor)) {
    return Failure(StatusCode::kTailWouldCrossHead, bytes, kTensorAlignment, state.tail_begin - head_floor);
  }
  if (fits_above(state.temporary_end)) return Ok();
  return Failure(StatusCode::kArenaPersistentDoesNotFit, bytes, kTensorAlignment,
                 state.tail_begin - state.temporary_end);
}

Status Tail::AllocateSpaced(std::size_t bytes, std::size_t spacing_bytes, std::byte** block) {
  std::byte* spacing = nullptr;
  if (spacing_bytes > 0) ARENAPROOF_RETURN_IF_ERROR(CheckSpacedRoom(bytes, spacing_bytes));
  if (spacing_bytes > 0) {
    const ObserverPause pause(arena_);
    ARENAPROOF_RETURN_IF_ERROR(Allocate(spacing_bytes, 1, &spacing));
  }
  ARENAPROOF_RETURN_IF_ERROR(Allocate(bytes, kTensorAlignment, block));
  if (spacing_bytes > 0) {
    const ObserverPause pause(arena_);
    ARENAPROOF_RETURN_IF_ERROR(Allocate(spacing_bytes, 1, &spacing));
  }
  return Ok();
}

}  // namespace arenaproof
