// One step of a growing arena's code, for the engines that check it. Apart from the invariants, so that what only
// evaluates them does not depend on the code.
#pragma once

#include "core/planner/host/growing_invariants.h"
#include "core/planner/host/growing_operations.h"

namespace arenaproof {

// Runs the operation on a copy of `before` and records the step, which goes on looking at `arguments.records`.
template <typename Word>
GrowingTransition<Word> Step(const GrowingState<Word>& before, GrowingOperation operation,
                             const GrowingArguments<Word>& arguments) {
  GrowingState<Word> after = before;
  const GrowingOutcome<Word> outcome = Apply(operation, after, arguments);
  return {before, operation, arguments, outcome, std::move(after)};
}

}  // namespace arenaproof
