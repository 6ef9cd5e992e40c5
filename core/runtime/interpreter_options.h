// What a caller may choose about an interpreter; the defaults are a device's.
#pragma once

#include <cstddef>

#include "core/arena/observer.h"
#include "core/planner/memory_planner.h"
#include "core/runtime/constant_placement.h"

namespace arenaproof {

struct InterpreterOptions {
  // Null: a greedy planner of the allocator's own, which then lives in the tail. No plan is trusted, whoever made it.
  MemoryPlanner* planner = nullptr;
  ArenaObserver* observer = nullptr;
  // Null: constants are read in the model file.
  ConstantPlacement* constants = nullptr;
  // Closed bytes on each side of each persistent block of a kernel and of each variable (128 between two when 64).
  // Has to be a multiple of 64, so that no address changes modulo 64.
  std::size_t persistent_spacing_bytes = 0;
};

}  // namespace arenaproof
