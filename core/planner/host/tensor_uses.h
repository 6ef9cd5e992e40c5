// Who reads and writes each tensor of a graph, counted once for a plan.
#pragma once

#include <cstdint>
#include <vector>

#include "core/planner/host/arena_graph.h"

namespace arenaproof {

struct TensorUses {
  std::int32_t held = 0;         // how often it is a graph input, output or variable
  std::int32_t reads = 0;        // by nodes, each operand counted
  std::int32_t writes = 0;       // by nodes
  std::int32_t first_write = 0;  // node; meaningful if there are writes
  std::int32_t last_read = -1;   // node
  bool graph_input = false;
  bool graph_output = false;
  bool variable = false;
};

// Precondition: CheckGraph(graph).ok().
std::vector<TensorUses> CountUses(const ArenaGraph& graph);

}  // namespace arenaproof
