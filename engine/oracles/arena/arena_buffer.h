// A real array for an arena at an address whose residues are the same in every process, so that the same sequence does
// the same thing wherever the loader put the program: sequences replay.
#pragma once

#include <cstddef>

namespace arenaproof {

// Room for the farthest arena of engine/generators/reach.h beside another one. Only what a case uses costs time.
inline constexpr std::size_t kArenaBufferBytes = std::size_t{320} * 1024;
inline constexpr std::size_t kArenaBufferPeriod = 4096 * 3 * 3 * 5;

// kArenaBufferBytes bytes that start at a multiple of kArenaBufferPeriod, hence of every alignment that divides it.
// There is one such buffer; its contents are whatever was left there.
inline std::byte* ArenaBuffer() {
  static std::byte storage[kArenaBufferPeriod + kArenaBufferBytes];
  const std::size_t remainder = reinterpret_cast<std::size_t>(storage) % kArenaBufferPeriod;
  return storage + (remainder == 0 ? 0 : kArenaBufferPeriod - remainder);
}

}  // namespace arenaproof
