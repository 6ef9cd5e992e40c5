// The dilated layout spreads the plan of the planner that was chosen: tensors that are apart in it are apart with
// closed bytes between them, in the same order; a group stays together.
#pragma once

#include <span>
#include <string>

#include "core/arena/observer.h"
#include "core/base/buffer_alias.h"

namespace arenaproof::testing {

// What does not hold, one sentence, or nothing. `sharing` is that of both. With `all_apart` no two share bytes at any
// time, except groups.
std::string WrongSpread(std::span<const PlanEntry> faithful, std::span<const PlanEntry> dilated,
                        std::span<const BufferAlias> sharing, bool all_apart);

}  // namespace arenaproof::testing
