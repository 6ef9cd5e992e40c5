// How large the arena has to be for a model: not what is used in the end, but the smallest size with which set-up
// succeeds.
#pragma once

#include <cstddef>

#include "core/base/status.h"
#include "core/model/model_view.h"
#include "core/planner/memory_planner.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "core/runtime/planning/offline_plan_listener.h"

namespace arenaproof {

inline constexpr std::size_t kMaxArenaBytes = std::size_t{1} << 31;

struct ArenaNeed {
  Status status;                     // of the largest arena tried when no size succeeds
  OperatorLocation location;         // of that failure
  std::size_t bytes = 0;             // with an arena that starts on 64 bytes; of two: the one for head and temporaries
  std::size_t persistent_bytes = 0;  // of two arenas: the one for the tail
};

// Whether a status says that a larger arena might do.
bool AsksForALargerArena(const Status& status);

// What would be right, after the sentence about an arena whose size was given; empty when no larger one would do.
const char* HintAtALargerArena(const Status& status);

// Tries set-ups with growing arenas, then bisects. `planner`, `offline_plan`: see InterpreterOptions.
ArenaNeed FindArenaNeed(const ModelView& model, const KernelSet& kernels, MemoryPlanner* planner = nullptr,
                        const OfflinePlanPolicy& offline_plan = {});

// The same with any options (but for the number of resource variables, which is the model's), and for two arenas.
ArenaNeed FindArenaNeed(const ModelView& model, const KernelSet& kernels, const InterpreterOptions& options,
                        bool two_arenas);

}  // namespace arenaproof
