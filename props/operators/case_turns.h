// Which kind of case comes when.
#pragma once

#include <cstdint>

#include "engine/generators/operators/operator_generator.h"

namespace arenaproof::props {

// The case of that number; false when a kernel is wrong.
bool RunCaseOfNumber(CaseRandom& random, std::uint64_t number);

}  // namespace arenaproof::props
