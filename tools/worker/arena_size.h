// How large the arena is in each layout.
#pragma once

#include <cstddef>

#include "core/base/status.h"
#include "core/model/model_view.h"
#include "core/runtime/constant_placement.h"
#include "core/runtime/kernel.h"
#include "core/runtime/offline_plan_listener.h"
#include "core/runtime/operator_location.h"

namespace arenaproof {

struct ArenaSize {
  Status status;  // why there is none
  OperatorLocation location;
  std::size_t faithful_bytes = 0;  // as given, or the smallest with which set-up succeeds
  std::size_t dilated_bytes = 0;   // with dilated layout only
};

inline constexpr std::size_t kPersistentSpacingBytes = 64;  // of the dilated layout

// `given_bytes` 0: finds the smallest. The faithful set-up has to succeed in any case: the dilated layout spreads what
// a device would do. Its arena is larger by a multiple of 64, less what a device's own planner takes in the tail (here
// the planner lives outside), so that persistent blocks keep their addresses modulo 64 too.
ArenaSize FindArenaSize(const ModelView& model, const KernelSet& kernels, std::size_t given_bytes, bool dilated,
                        ConstantPlacement* constants, const OfflinePlanPolicy& offline_plan = {});

}  // namespace arenaproof
