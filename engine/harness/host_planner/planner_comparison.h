// All that can be asked of an arena planner between two calls, beside the planner that is written from the
// specification, the memory that it was given, and a dump that is written a second time.
#pragma once

#include <string>

#include "core/planner/host/arena_planner.h"
#include "engine/cases/synthetic_graph.h"
#include "engine/harness/host_planner/tracked_memory.h"
#include "engine/oracles/host_planner/model_planner.h"

namespace arenaproof::testing {

struct ComparedPlanner {
  const ArenaPlanner& planner;
  const SyntheticGraph& graph;
  const ModelPlanner& model;
  const TrackedMemory& memory;
  const ArenaPlannerOptions& options;  // that the planner was made with
};

// The first difference; empty: there is none.
std::string PlannerDifference(const ComparedPlanner& compared);

// The same of DumpDebugInfo().
std::string DumpDifference(const ComparedPlanner& compared);

}  // namespace arenaproof::testing
