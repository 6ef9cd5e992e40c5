// What people read of a call of `check` with several models.
#pragma once

#include <span>
#include <string>

#include "tools/command/model_check.h"

namespace arenaproof {

// "3 models: 2 clean, 1 with violations", in a colour where the options ask for colours.
std::string ChecksVerdictLine(std::span<const ModelCheck> checks);

// That line, then a table with a row for each model.
std::string ChecksText(std::span<const ModelCheck> checks);

}  // namespace arenaproof
