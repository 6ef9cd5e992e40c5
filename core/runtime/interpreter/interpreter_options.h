// What a caller may choose about an interpreter; the defaults are a device's.
#pragma once

#include <cstddef>

#include "core/arena/observer.h"
#include "core/planner/memory_planner.h"
#include "core/runtime/interpreter/cancellation.h"
#include "core/runtime/interpreter/profiler.h"
#include "core/runtime/kernel_interface/constant_placement.h"
#include "core/runtime/planning/buffer_sharing_source.h"
#include "core/runtime/planning/offline_plan_listener.h"

namespace arenaproof {

struct InterpreterOptions {
  // Null: a greedy planner of the allocator's own, which then lives in the tail.
  MemoryPlanner* planner = nullptr;
  // Null: no two tensors share bytes while both are alive, as on a device.
  BufferSharingSource* sharing = nullptr;
  ArenaObserver* observer = nullptr;
  // Null: constants are read in the model file.
  ConstantPlacement* constants = nullptr;
  // Closed bytes on each side of each persistent block of a kernel and of each variable (128 between two when 64).
  // Has to be a multiple of 64, so that no address changes modulo 64.
  std::size_t persistent_spacing_bytes = 0;
  // Whether tensors that the model's offline plan fixes may share bytes while both are alive, and who gets the report.
  OfflinePlanPolicy offline_plan = {};
  // Every tensor keeps its value until the next invoke: the allocator's own planner is a linear one. An application's
  // planner has to be of that kind then (kPlannerSharesBytes); its plan is checked for that (kPlanSharedBytes).
  bool preserve_all_tensors = false;
  // Room for so many resource variables, in the tail, made before any model; 0: the model may use none.
  std::size_t resource_variable_count = 0;
  // The arena counts what is allocated, by category (ModelAllocator::record); takes some more bytes of the tail.
  bool record_memory = false;
  Cancellation* cancellation = nullptr;
  Profiler* profiler = nullptr;
};

}  // namespace arenaproof
