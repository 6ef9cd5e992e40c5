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

// The worst of them; at least kCouldNotRun when `not_written`, a sentence, says that something that was asked for
// besides could not be written.
ExitStatus StatusOf(std::span<const ModelCheck> checks, const std::string& not_written = {});

}  // namespace arenaproof
