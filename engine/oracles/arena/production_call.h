// One call of the operation table on the production arena.
#pragma once

#include <cstdint>

#include "core/arena/arena.h"
#include "core/arena/invariants.h"
#include "engine/cases/arena_call.h"

namespace arenaproof {

struct ProductionResult {
  Status status;
  std::uintptr_t result = 0;  // address of the block or value of the answer; 0 where there is none
};

// `AnyArena`: Arena, TensorArena.
template <typename AnyArena>
ProductionResult CallProduction(AnyArena& arena, const ArenaCall<std::uintptr_t>& call);

// Whether the class did what the operation does: same verdict, same result, same state.
// `step` is the step from the state before the call.
const char* ProductionDiffers(const Arena& arena, const ProductionResult& production,
                              const Transition<std::uintptr_t>& step);

}  // namespace arenaproof
