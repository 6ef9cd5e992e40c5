// Which of the buffers that an offline plan has fixed share bytes: found with the certifier, named in an order that
// does not depend on how it was searched for.
//
// No heap. `workspace` has CertifierWorkspaceBytes(buffers.size()) bytes at any address; without them kNoRoom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/planner/placed_buffer.h"

namespace arenaproof {

enum class OverlapVerdict : std::uint8_t { kNone, kFound, kNoRoom };

// Of all pairs in question the one with the lowest first, then the lowest second index.
struct BufferPair {
  OverlapVerdict verdict = OverlapVerdict::kNone;
  std::size_t first = 0;  // < second
  std::size_t second = 0;
};

// Half-open ranges; buffers of zero bytes share nothing.
bool ShareBytes(const PlacedBuffer& a, const PlacedBuffer& b);

// The lowest byte that two buffers which share bytes have in common.
std::size_t LowestSharedOffset(const PlacedBuffer& a, const PlacedBuffer& b);

// Alive at one scope from 0 on, as the certifier has it.
bool AliveTogether(const PlacedBuffer& a, const PlacedBuffer& b);

// Pairs that share bytes while both are alive. All buffers are placed, none ends before it begins, and offset + bytes
// fits. `trusted` is used for the search and is false everywhere afterwards. O(n log n * log n) where there is such a
// pair, else O(n log n).
BufferPair FirstLiveOverlap(std::span<PlacedBuffer> buffers, std::span<std::byte> workspace);

// Pairs that share bytes, whenever they live, and of which at least one is not `trusted`: with it everything in
// question is marked. O(n log n).
BufferPair FirstSharedBytes(std::span<const PlacedBuffer> buffers, std::span<std::byte> workspace);

}  // namespace arenaproof
