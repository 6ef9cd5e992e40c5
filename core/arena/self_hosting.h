// The factories of arenas that live in their own tail, for recorded and plain ones alike.
//
// An arena is built outside, takes the place for itself from its own tail and moves there: so it accounts for itself.
#pragma once

#include <new>

#include "core/arena/arena.h"
#include "core/base/alignment.h"
#include "core/base/checked_word.h"

namespace arenaproof {

inline Status CheckArenaBuffer(const std::byte* buffer, std::size_t bytes) {
  if (buffer == nullptr) return Failure(StatusCode::kArenaNullBuffer);
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(buffer);
  if (!CheckedAdd<std::uintptr_t>(address, bytes).ok) return Failure(StatusCode::kSizeOverflow, address, bytes);
  return Ok();
}

template <typename SelfHosted>
Status CreateSingleArena(std::byte* buffer, std::size_t bytes, ArenaObserver* observer, SelfHosted** arena) {
  ARENAPROOF_RETURN_IF_ERROR(CheckArenaBuffer(buffer, bytes));
  const std::uintptr_t distance =
      DistanceToMultiple<std::uintptr_t>(reinterpret_cast<std::uintptr_t>(buffer), kTensorAlignment);
  const Status too_small = Failure(StatusCode::kArenaBufferTooSmall, bytes, distance + sizeof(SelfHosted));
  if (distance > bytes) return too_small;
  SelfHosted builder;
  ARENAPROOF_RETURN_IF_ERROR(builder.Init(buffer + distance, bytes - distance, observer));
  std::byte* place = nullptr;
  if (observer != nullptr) observer->OnShape(BytesOf<SelfHosted>(), 1);
  if (!builder.AllocatePersistent(sizeof(SelfHosted), alignof(SelfHosted), &place).ok()) return too_small;
  *arena = new (place) SelfHosted(builder);
  return Ok();
}

}  // namespace arenaproof
