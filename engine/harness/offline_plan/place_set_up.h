// How a kind of set-up is made at a given place. Each kind has a file of its own: a target that asks for the
// allocator's links no interpreter and no kernels, whose code libFuzzer would look through after every input.
#pragma once

#include <cstddef>
#include <new>
#include <span>

#include "engine/harness/offline_plan/plan_run.h"

namespace arenaproof {

template <typename SetUp>
PlanSetUp* PlaceSetUp(const ValidatedModel& model, std::span<std::byte> arena, const InterpreterOptions& options,
                      void* place) {
  static_assert(sizeof(SetUp) <= kPlanSetUpBytes && alignof(SetUp) <= 64);
  return new (place) SetUp(model, arena, options);
}

}  // namespace arenaproof
