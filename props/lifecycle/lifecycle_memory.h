// The memory of a lifecycle: arenas of the slots or the shared ones, and what applications offer for tensors, in one
// block without gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/arena/tensor_arena.h"
#include "props/lifecycle/lifecycle_model.h"

namespace arenaproof {

inline constexpr std::size_t kArenaBytes = std::size_t{1} << 16;        // of a slot's own
inline constexpr std::size_t kSharedArenaBytes = std::size_t{1} << 19;  // tails accumulate
inline constexpr std::size_t kBufferBytes = 512;

class LifecycleMemory {
 public:
  explicit LifecycleMemory(bool shares_arenas)
      : shares_arenas_(shares_arenas),
        bytes_(2 * kSharedArenaBytes + kSlotCount * (2 * kArenaBytes + kBuffersPerSlot * kBufferBytes) + kAlignment) {}

  // `other`: of two arenas the second.
  std::byte* ArenaOf(std::size_t slot, bool other = false) const {
    if (shares_arenas_) return start() + (other ? kSharedArenaBytes : 0);
    return start() + 2 * kSharedArenaBytes + (2 * slot + (other ? 1 : 0)) * kArenaBytes;
  }
  // A slot's two arenas, or the shared ones, each of `bytes`.
  ArenaBuffers PairOf(std::size_t slot, std::size_t bytes) const {
    return {ArenaOf(slot), bytes, ArenaOf(slot, true), bytes};
  }
  std::byte* BufferOf(std::size_t slot, std::size_t buffer) const {
    return start() + 2 * kSharedArenaBytes + kSlotCount * 2 * kArenaBytes +
           (slot * kBuffersPerSlot + buffer) * kBufferBytes;
  }
  // All bytes of a slot that has arenas of its own.
  std::span<std::byte> Everything(std::size_t slot) const { return {ArenaOf(slot), 2 * kArenaBytes}; }

 private:
  static constexpr std::size_t kAlignment = 64;

  std::byte* start() const {
    auto* const data = const_cast<std::byte*>(bytes_.data());
    return data + (kAlignment - reinterpret_cast<std::uintptr_t>(data) % kAlignment) % kAlignment;
  }

  bool shares_arenas_;
  std::vector<std::byte> bytes_;
};

}  // namespace arenaproof
