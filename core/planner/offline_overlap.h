// Which of the buffers that an offline plan has fixed share bytes, named in an order that does not depend on how they
// were searched for.
//
// No heap. `workspace` has CertifierWorkspaceBytes(buffers.size()) bytes at any address; without them kNoRoom.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/planner/certifier.h"
#include "core/planner/placed_buffer.h"

namespace arenaproof {

enum class OverlapVerdict : std::uint8_t { kNone, kFound, kNoRoom };

// The pair in question with the lowest first, then the lowest second index.
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

// What a buffer is in a search for shared bytes: a pair is in question when one of the two is a subject and neither is
// kNone.
enum class PairRole : std::uint8_t { kNone, kPartner, kSubject };

// The indices of the buffers that have bytes, in the order of their offsets, written into `workspace`.
std::span<const std::uint32_t> OrderByOffset(std::span<const PlacedBuffer> buffers, std::span<std::byte> workspace);

// The lowest index in a pair that is in question and shares bytes; buffers.size() when there is none.
template <typename RoleOf>
std::size_t LowestSharingBytes(std::span<const PlacedBuffer> buffers, std::span<const std::uint32_t> by_offset,
                               const RoleOf& role_of) {
  // A pair shares bytes exactly when the later one of the order starts before the other has ended.
  std::size_t lowest = buffers.size();
  std::size_t end_of_any = 0, end_of_subject = 0;
  for (const std::uint32_t index : by_offset) {
    const PairRole role = role_of(index);
    if (role == PairRole::kNone) continue;
    const PlacedBuffer& buffer = buffers[index];
    const std::size_t end = buffer.offset + buffer.bytes;
    if ((role == PairRole::kSubject ? end_of_any : end_of_subject) > buffer.offset) {
      lowest = std::min<std::size_t>(lowest, index);
    }
    end_of_any = std::max(end_of_any, end);
    if (role == PairRole::kSubject) end_of_subject = std::max(end_of_subject, end);
  }
  std::size_t next_of_any = SIZE_MAX, next_subject = SIZE_MAX;
  for (std::size_t i = by_offset.size(); i-- > 0;) {
    const std::uint32_t index = by_offset[i];
    const PairRole role = role_of(index);
    if (role == PairRole::kNone) continue;
    const PlacedBuffer& buffer = buffers[index];
    if ((role == PairRole::kSubject ? next_of_any : next_subject) < buffer.offset + buffer.bytes) {
      lowest = std::min<std::size_t>(lowest, index);
    }
    next_of_any = buffer.offset;
    if (role == PairRole::kSubject) next_subject = buffer.offset;
  }
  return lowest;
}

// Pairs in question that share bytes, whenever they live. role_of(std::size_t index) -> PairRole. O(n log n).
template <typename RoleOf>
BufferPair FirstSharedBytes(std::span<const PlacedBuffer> buffers, const RoleOf& role_of,
                            std::span<std::byte> workspace) {
  if (workspace.size() < CertifierWorkspaceBytes(buffers.size())) return {OverlapVerdict::kNoRoom};
  if (buffers.empty()) return {};
  const std::size_t first = LowestSharingBytes(buffers, OrderByOffset(buffers, workspace), role_of);
  if (first == buffers.size()) return {};
  const auto in_question = [&](PairRole a, PairRole b) {
    return a != PairRole::kNone && b != PairRole::kNone && (a == PairRole::kSubject || b == PairRole::kSubject);
  };
  BufferPair pair{OverlapVerdict::kFound, first, first + 1};
  while (!ShareBytes(buffers[first], buffers[pair.second]) || !in_question(role_of(first), role_of(pair.second))) {
    ++pair.second;
  }
  return pair;
}

}  // namespace arenaproof
