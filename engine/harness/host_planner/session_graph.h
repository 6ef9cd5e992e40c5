// The graph that a session's numbers mean.
#pragma once

#include "engine/cases/planner_session.h"
#include "engine/cases/synthetic_graph.h"

namespace arenaproof::testing {

// Mostly few different sizes, so that tensors may share; sometimes none, odd ones, or one that no memory holds.
std::size_t SessionBytes(std::uint8_t number);

// A graph in execution order in which nobody reads a tensor before it is written.
SyntheticGraph SessionGraph(const PlannerSession& session);

}  // namespace arenaproof::testing
