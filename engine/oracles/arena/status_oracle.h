// What a call's status has to say, to the last number: said once more from the state before the call, in numbers that
// cannot wrap, and then taken at its word.
#pragma once

#include <cstdint>

#include "core/arena/invariants.h"
#include "core/base/status.h"

namespace arenaproof {

// What is wrong with the status of the call that `step` describes; nullptr: nothing. That the arena refuses rightly,
// and for a true reason, is for the invariants.
const char* CheckStatus(const Status& status, const Transition<std::uintptr_t>& step);

}  // namespace arenaproof
