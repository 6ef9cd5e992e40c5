// The text that an arena's dump has to be, a second statement of core/planner/host/arena_dump.h: every number is
// counted from the allocations, node by node and byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/planner/host/simple_arena.h"

namespace arenaproof::testing {

struct DumpedArena {
  std::string title;
  int subgraph = 0;
  std::span<const Allocation> places;
  std::size_t bytes = 0;  // of its memory, or of its plan
  std::int32_t node_count = 0;
};

std::vector<std::string> DumpLines(const DumpedArena& arena);

// A row for each node.
std::vector<std::string> PictureLines(const DumpedArena& arena);

}  // namespace arenaproof::testing
