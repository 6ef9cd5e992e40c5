// The checks of one call: a model's options and what became of them.
#pragma once

#include <span>
#include <string>

#include "tools/command/check.h"
#include "tools/text/exit_status.h"

namespace arenaproof {

struct ModelCheck {
  CheckOptions options;
  CheckResult result;
};

// The worst of them.
ExitStatus StatusOf(std::span<const ModelCheck> checks);

}  // namespace arenaproof
