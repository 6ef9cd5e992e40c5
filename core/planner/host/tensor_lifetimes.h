// From which node to which each tensor of a graph is needed, sharing taken into account.
//
// Graph inputs and variables are needed from node 0 on, every other tensor from the node that first writes it. The last
// node that reads a tensor, or a tensor that shares its bytes, is where it dies; graph inputs, outputs and variables,
// what nobody reads, and, if all tensors are to be preserved, everything lives to the end. A tensor that shares the
// bytes of another has no end of its own. Source: TensorFlow Lite's arena planner; other than there, a tensor that a
// node writes after its last reader lives until then, because its bytes are written then.
#pragma once

#include "core/planner/host/arena_plan.h"

namespace arenaproof {

// Fills alloc_node, dealloc_node and node_tensors. Precondition: uses and sharing are known.
void FindLifetimes(const ArenaGraph& graph, bool preserve_all_tensors, ArenaPlan& plan);

// Adds `tensor` to those that are needed first at `node`.
void AddToNode(ArenaPlan& plan, std::size_t node, std::int32_t tensor);

// The temporaries of the nodes first..last are needed there, and one that several nodes name from the first of them to
// the last. kArenaTensorIndex; kArenaTemporaryTaken (node, tensor): a temporary that the graph has another use for.
Status AddTemporaries(const ArenaGraph& graph, std::int32_t first, std::int32_t last, bool preserve_all_tensors,
                      ArenaPlan& plan);

}  // namespace arenaproof
