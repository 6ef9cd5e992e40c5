// Buffers that share bytes on purpose, checked and planned in groups: a group moves as one.
//
// Whether a sharing is right is decided here from lifetimes alone, whoever proposed it:
//   link        indices exist; a buffer has one source; the source is alive before, and still when the buffer comes
//               alive; every way leads to the owner that is named, and the owner shares with nobody; no two of a group
//               come alive at once;
//   kept        the source is no input of its subgraph, the buffer no output; neither is a variable or trusted;
//   still read  where data are modified, the source dies, no other name of the bytes is alive any more, and none is an
//               output of its subgraph;
//   apart       (of a finished plan) all of a group have one offset, and as many bytes.
// That the operator allows it is not seen here but in core/runtime/planning/sharing_check.h.
//
// A buffer that comes alive twice (in a subgraph that is called twice) has one lifetime from the first time to the
// last: "still read" then refuses what modifies data, which is safe and never proposed by this repository.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/buffer_alias.h"
#include "core/planner/placed_buffer.h"

namespace arenaproof {

enum class AliasReason : std::uint8_t { kSound, kLink, kKept, kStillRead, kApart };

struct AliasVerdict {
  AliasReason reason = AliasReason::kSound;
  std::size_t buffer = 0;
  std::size_t other = 0;  // its source; for kStillRead the name that is read

  constexpr bool ok() const { return reason == AliasReason::kSound; }
};

// Sorts `aliases` by owner, then by when their buffers come alive; so they stay. O(n log n), no memory. Offsets are not
// looked at.
AliasVerdict CheckAliases(std::span<const PlacedBuffer> buffers, std::span<BufferAlias> aliases);

// kApart or kSound.
AliasVerdict CheckAliasPlaces(std::span<const PlacedBuffer> buffers, std::span<const BufferAlias> aliases);

// While it exists, each group is one buffer: its owner, alive as long as any of the group; the others have no bytes and
// `shares`. Then all are as before, and lie where the owner does.
class JoinedGroups {
 public:
  // CheckAliases() has found `aliases` sound and sorted them.
  JoinedGroups(std::span<PlacedBuffer> buffers, std::span<BufferAlias> aliases);
  ~JoinedGroups();
  JoinedGroups(const JoinedGroups&) = delete;
  JoinedGroups& operator=(const JoinedGroups&) = delete;

 private:
  std::span<PlacedBuffer> buffers_;
  std::span<BufferAlias> aliases_;
};

}  // namespace arenaproof
