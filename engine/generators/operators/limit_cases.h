// Operators that stand exactly at a limit of what prepare accepts, and those one step beyond it: for every factor of a
// count and every operand that has a limit of its own.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/generators/operators/invalid_case.h"

namespace arenaproof::props {

struct LimitCase {
  OperatorCase subject;  // for prepare only: what it is given may be far larger than the arena, and has no values
  const char* what = "";
  std::optional<Refusal> refusal;  // of what is beyond
};

// `which` counts from 0.
std::size_t LimitCount();
LimitCase MakeLimitCase(CaseRandom& random, std::size_t which, bool beyond);

}  // namespace arenaproof::props
