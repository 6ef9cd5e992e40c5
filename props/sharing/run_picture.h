// The picture of a run's plan, as `plan` and `describe` have to draw it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/harness/sharing/planned_run.h"

namespace arenaproof::testing {

// Of each buffer its owner, itself for an owner of others; nothing where it shares with none.
std::vector<std::optional<std::size_t>> GroupsOf(const PlannedRun& run);

// The text has it: a group is drawn as its owner, until the last of it dies.
void RequirePicture(const std::string& text, const PlannedRun& run);

}  // namespace arenaproof::testing
