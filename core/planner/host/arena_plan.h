// What the arena planner knows of each tensor: lifetime, whose bytes it shares, where it lies.
#pragma once

#include <cstdint>
#include <vector>

#include "core/planner/host/arena_graph.h"
#include "core/planner/host/simple_arena.h"
#include "core/planner/host/tensor_uses.h"

namespace arenaproof {

struct TensorPlan {
  Allocation record;                                    // default: no place
  ArenaTensorKind placed_in = ArenaTensorKind::kArena;  // which arena the record is of
  std::int32_t alloc_node = kNoNode;                    // the first node that needs it
  std::int32_t dealloc_node = kNoNode;                  // the last one; kNoNode: it lives to the end
  std::int32_t owner = -1;                              // the tensor whose bytes it shares, -1: it has its own
  std::int32_t source = -1;          // the input that it shares them through; its owner is `owner`, or it is that
  bool may_share = false;            // the sharing is right for bytes in the non-persistent arena
  bool keeps_apart = false;          // an output in the persistent arena: it has an owner, and memory of its own
  std::int32_t last_temporary = -1;  // the last node that has it as a temporary
};

struct ArenaPlan {
  std::vector<TensorPlan> tensors;
  // For each node the tensors that are first needed there, in the order in which they were found; at least one list.
  std::vector<std::vector<std::int32_t>> node_tensors;
  std::vector<TensorUses> uses;  // of the tensors that there were when the plan was made
  std::size_t node_count = 0;
};

// Whether [first, last] of both have a node in common, and their bytes a byte.
constexpr bool SharesBytesInTime(const Allocation& a, const Allocation& b) {
  return a.first <= b.last && b.first <= a.last && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

}  // namespace arenaproof
