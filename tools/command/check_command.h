// `arenaproof check` as the user sees it: progress on a terminal, the report, one sentence when it could not run.
#pragma once

#include "tools/command/check.h"

namespace arenaproof {

ExitStatus CheckCommand(const CheckCall& call);

}  // namespace arenaproof
