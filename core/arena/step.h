// One step of the operations' code, for the engines that check it. It is apart from the invariants, so that what only
// evaluates them does not depend on the code.
#pragma once

#include "core/arena/invariants.h"
#include "core/arena/operations.h"

namespace arenaproof {

// Runs the operation on a copy of `before` and records the step.
template <typename Word>
constexpr Transition<Word> Step(const ArenaState<Word>& before, Operation operation, const Arguments<Word>& arguments) {
  ArenaState<Word> after = before;
  const Outcome<Word> outcome = Apply(operation, after, arguments);
  return Transition<Word>{before, operation, arguments, outcome, after};
}

}  // namespace arenaproof
