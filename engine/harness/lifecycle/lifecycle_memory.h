// The memory of a lifecycle: arenas of the slots or the shared ones, and what applications offer for tensors, in one
// block. Arenas begin and end at any address, and the two of a pair have different lengths.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/arena/tensor_arena.h"
#include "engine/harness/lifecycle/lifecycle_model.h"

namespace arenaproof {

inline constexpr std::size_t kArenaBytes = std::size_t{1} << 16;        // of a slot's own
inline constexpr std::size_t kSharedArenaBytes = std::size_t{1} << 19;  // tails accumulate
inline constexpr std::size_t kBufferBytes = 512;

// What an arena leaves out of the memory that it could have. Less than half of it.
struct ArenaCut {
  std::size_t front_bytes = 0;
  std::size_t back_bytes = 0;
};
using ArenaCuts = std::array<ArenaCut, 2>;  // the second one: of the pair's other arena

class LifecycleMemory {
 public:
  LifecycleMemory(bool shares_arenas, const ArenaCuts& cuts)
      : shares_arenas_(shares_arenas),
        cuts_(cuts),
        bytes_(ArenasBytes() + kSlotCount * kBuffersPerSlot * kBufferBytes + kAlignment) {}

  // `other`: of two arenas the second.
  std::byte* ArenaOf(std::size_t slot, bool other = false) const {
    return PlaceOf(slot, other) + cuts_[other].front_bytes;
  }
  // The first multiple of 16 in it.
  std::byte* AlignedIn(std::size_t slot) const { return ArenaOf(slot) + FrontGap(slot); }
  // The bytes in front of that.
  std::size_t FrontGap(std::size_t slot) const {
    return (16 - reinterpret_cast<std::uintptr_t>(ArenaOf(slot)) % 16) % 16;
  }
  std::size_t ArenaBytes(bool other = false) const {
    const ArenaCut& cut = cuts_[other];
    return (shares_arenas_ ? kSharedArenaBytes : kArenaBytes) - cut.front_bytes - cut.back_bytes;
  }
  // A slot's two arenas, or the shared ones.
  ArenaBuffers PairOf(std::size_t slot) const {
    return {ArenaOf(slot), ArenaBytes(), ArenaOf(slot, true), ArenaBytes(true)};
  }
  std::byte* BufferOf(std::size_t slot, std::size_t buffer) const {
    return start() + ArenasBytes() + (slot * kBuffersPerSlot + buffer) * kBufferBytes;
  }
  // All bytes of a slot that has arenas of its own.
  std::span<std::byte> Everything(std::size_t slot) const { return {PlaceOf(slot, false), 2 * kArenaBytes}; }

 private:
  static constexpr std::size_t kAlignment = 64;

  std::byte* start() const {
    auto* const data = const_cast<std::byte*>(bytes_.data());
    return data + (kAlignment - reinterpret_cast<std::uintptr_t>(data) % kAlignment) % kAlignment;
  }

  std::byte* PlaceOf(std::size_t slot, bool other) const {
    if (shares_arenas_) return start() + (other ? kSharedArenaBytes : 0);
    return start() + (2 * slot + (other ? 1 : 0)) * kArenaBytes;
  }
  std::size_t ArenasBytes() const { return shares_arenas_ ? 2 * kSharedArenaBytes : kSlotCount * 2 * kArenaBytes; }

  bool shares_arenas_;
  ArenaCuts cuts_;
  std::vector<std::byte> bytes_;
};

}  // namespace arenaproof
