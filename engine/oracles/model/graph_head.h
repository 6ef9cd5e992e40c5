// Where the arena planner puts the buffers of a model, said a second time: the graph of each subgraph read off the
// model itself and planned alone, by ArenaPlanner with memory of its own and by the planner that is written from the
// specification (engine/oracles/host_planner/model_planner.h); then arena behind arena.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/arena/observer.h"
#include "core/model/model_view.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::testing {

struct GraphHead {
  std::vector<std::size_t> offsets;  // one for each buffer of the plan
  std::size_t bytes = 0;             // the end of the highest one, sizes rounded up to 16
  std::size_t arenas = 0;            // how many subgraphs have any memory
  std::size_t scratch_buffers = 0;   // that take room
};

// `plan` is any plan of the model: its buffers, their sizes and whether anything touches them. The model is set up with
// `kernels`. Throws std::logic_error when the two planners differ.
GraphHead HeadOfGraphs(const ModelView& model, std::span<const PlanEntry> plan, const KernelSet& kernels, bool sharing);

}  // namespace arenaproof::testing
