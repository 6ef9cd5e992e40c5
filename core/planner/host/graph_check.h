// Whether every index of a graph names a tensor.
#pragma once

#include "core/base/status.h"
#include "core/planner/host/arena_graph.h"

namespace arenaproof {

// kArenaTensorIndex (ArenaOperand, node or position, index found, tensors): an index beyond the tensors, a variable
// that is left out, or output 0 left out of an operator that may share. kArenaGraphTooLarge (nodes, tensors).
enum class ArenaOperand : std::uint8_t { kGraphInput, kGraphOutput, kVariable, kInput, kOutput, kTemporary };

Status CheckGraph(ArenaGraph& graph);

}  // namespace arenaproof
