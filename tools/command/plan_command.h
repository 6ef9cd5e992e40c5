// What the child of `plan` and of `verify` does.
#pragma once

#include "tools/command/plan.h"
#include "tools/command/verify.h"
#include "tools/text/exit_status.h"

namespace arenaproof {

ExitStatus PlanCommand(const PlanOptions& options);
ExitStatus VerifyCommand(const VerifyOptions& options);

}  // namespace arenaproof
