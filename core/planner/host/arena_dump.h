// What lies in an arena, as text: its allocations, what lives at each node, and which nodes need most.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/planner/host/simple_arena.h"
#include "core/planner/plan_picture.h"

namespace arenaproof {

struct DumpTitle {
  const char* name;
  int subgraph;
  std::size_t bytes;  // of the arena's memory; before there is any, of its plan
  std::int32_t last_node;
};

// Of what has a place, in this order: a title with bytes, megabytes (of 1024 * 1024 bytes, three decimals) and
// the number of tensors; a line for each, with its lifetime (one without an end ends at `last_node`); the largest ones;
// a line for each node 0..last_node with the bytes that live there and how much of the arena that is; the five nodes
// that need most. Nothing when nothing has a place or there is no node.
void DumpArena(const DumpTitle& title, std::span<const Allocation> places, PictureSink& sink);

// The picture of core/planner/plan_picture.h, with one row for each node, behind a line that says what its ids are.
void DrawArena(std::span<const Allocation> places, std::int32_t last_node, PictureSink& sink);

// "[1,2,4-7]": sorted; a run of three or more is written with a dash.
std::string IdList(std::vector<std::int32_t> ids);

}  // namespace arenaproof
