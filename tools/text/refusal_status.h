// What a refusal by the runtime means for a command's exit status.
#pragma once

#include "core/base/status.h"
#include "tools/text/exit_status.h"

namespace arenaproof {

// kViolations for a plan in which tensors share bytes (V20 and V25 of offline plans) and for any plan of a planner that
// the certifier refuses for where it puts tensors; else, and for a misaligned one, kCouldNotRun. `refusal` is not ok.
ExitStatus ExitStatusOf(const Status& refusal);

}  // namespace arenaproof
