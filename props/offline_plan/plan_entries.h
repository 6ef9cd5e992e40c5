// Metadata entries that hold offline plans for a model: one or several, the same or nearly so, fitting or off by one.
#pragma once

#include <cstddef>

#include "engine/generators/models/model_choices.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

// Adds up to five plans, each in a buffer of its own or in that of an earlier one, and before, between and behind them
// entries of other names: empty, beginnings of the plan's name, longer than it, of its length, and of other bytes.
void AddPlanEntries(ModelBuilder& model, Choices& choices);

}  // namespace arenaproof::testing
