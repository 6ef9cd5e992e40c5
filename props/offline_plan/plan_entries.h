// Metadata entries that hold offline plans for a model: one or several, the same or nearly so, fitting or off by one.
#pragma once

#include <cstddef>

#include "props/model/model_choices.h"
#include "tools/model_builder.h"

namespace arenaproof::testing {

// Adds up to five entries, some under nearly the plan's name, each with a buffer of its own or with that of an earlier
// one.
void AddPlanEntries(ModelBuilder& model, Choices& choices);

}  // namespace arenaproof::testing
