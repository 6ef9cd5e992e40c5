// How much temporary memory planning takes: what PlanCommit carves, and the larger of what the greedy planner, the
// certifier and the description of the plan need in the rest. Derived from the same structures, so that it can be
// computed for machines of another word; the tests compare it with set-ups that have one byte less.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/arena/observer.h"
#include "core/base/structure_bytes.h"
#include "core/model/lifetimes.h"
#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"
#include "core/planner/placed_buffer.h"

namespace arenaproof {

struct PlanningCounts {
  std::size_t tensor_count = 0;   // of all subgraphs
  std::size_t scratch_count = 0;  // scratch buffers
  std::size_t buffer_count = 0;   // planned tensors and scratch buffers
};

struct PlanningBytes {
  std::size_t records = 0;  // lifetimes, places of scratch buffers, buffers
  std::size_t planner = 0;  // workspaces, one after the other in the same bytes
  std::size_t certifier = 0;
  std::size_t description = 0;

  std::size_t total() const { return records + std::max({planner, certifier, description}); }
};

// For the greedy planner, in a block that starts on a multiple of 16.
inline PlanningBytes PlanningBytesFor(const PlanningCounts& counts, WordSize word) {
  const std::size_t placed_bytes = BytesOf<PlacedBuffer>().bytes(word);
  PlanningBytes bytes;
  bytes.records = counts.tensor_count * BytesOf<Lifetime>().bytes(word) +
                  counts.scratch_count * (BytesOf<ScratchPlace>().bytes(word) + BytesOf<Lifetime>().bytes(word)) +
                  counts.buffer_count * placed_bytes;
  bytes.planner = GreedyPlanner::AlignedWorkspaceBytes(counts.buffer_count, word);
  bytes.certifier = CertifierWorkspaceBytes(counts.buffer_count, word);
  bytes.description = counts.buffer_count * (BytesOf<PlanEntry>().bytes(word) - placed_bytes);
  return bytes;
}

}  // namespace arenaproof
