// A traced set-up repeated on cursors alone: the arena's own operations (core/arena/operations.h) at the target's word,
// no memory, no model.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/structure_bytes.h"
#include "tools/memory/memory_trace.h"

namespace arenaproof {

// Sizes of the arenas and where they start, as offsets from a multiple of 64.
struct ReplayArenas {
  bool two = false;
  std::size_t bytes = 0;             // the single arena, or the one for head and temporaries
  std::size_t persistent_bytes = 0;  // of two arenas: the one for the tail
  std::size_t misalignment = 0;      // of the first, or of the single arena
  std::size_t persistent_misalignment = 0;
};

struct ReplayedOperation {
  std::size_t taken_bytes = 0;  // what the tail gave, padding included; for a temporary with the padding before it
};

struct Replay {
  // The operation that does not fit; nothing when all do.
  std::optional<std::size_t> refused;
  std::vector<ReplayedOperation> operations;  // those that were granted
  std::size_t head_bytes = 0;                 // at the end
  std::size_t tail_bytes = 0;                 // at the end
  // The most that scratch requests and temporaries took before the head got its size; planning counts with its need.
  std::size_t set_up_peak_bytes = 0;

  bool ok() const { return !refused; }
};

// The most bytes that a block of this alignment takes more at one start of its arena than at another.
std::size_t PaddingByChance(std::size_t alignment);
// The same of all temporaries of the operator whose temporaries take most so.
std::size_t MostPaddingByChance(const std::vector<TracedOperation>& operations);

// A temporary whose alignment does not divide 64 takes as much as it does where its padding is largest.
// `planning_bytes`: what planning needs of the block that it takes (planning_bytes.h).
Replay ReplaySetUp(const std::vector<TracedOperation>& operations, std::size_t planning_bytes, WordSize word,
                   const ReplayArenas& arenas);

}  // namespace arenaproof
