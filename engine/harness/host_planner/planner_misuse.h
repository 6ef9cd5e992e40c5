// Calls of an arena planner that are wrong, or about a graph that is: what each has to be refused with.
#pragma once

#include <string>

#include "core/planner/host/arena_planner.h"
#include "engine/cases/planner_session.h"
#include "engine/cases/synthetic_graph.h"

namespace arenaproof::testing {

struct MisuseResult {
  std::string call;  // empty: the graph has nothing for this draw to spoil
  Status found;
  Status expected;
};

// Spoils the graph, makes the call and mends the graph. `planned_nodes` and `known_tensors` are what the planner saw
// last.
MisuseResult MisusePlanner(ArenaPlanner& planner, SyntheticGraph& graph, std::size_t planned_nodes,
                           std::size_t known_tensors, const SessionDraw& draw);

}  // namespace arenaproof::testing
