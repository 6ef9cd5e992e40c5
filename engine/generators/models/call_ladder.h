// Models that are about nothing but calls: subgraphs in any order in the file that call each other around the deepest
// and around the most that is allowed.
#pragma once

#include <string>

#include "engine/generators/models/model_choices.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

// Nobody reaches itself. Depths lie around kMaxCallDepth in half of them. Steps are anything up to a multiple of
// kMaxCallWork, in a third of them exactly that many, or one more or less.
ModelBuilder MakeCallLadder(Choices& choices);

// Who calls whom, a line for each subgraph.
std::string CallsOf(const ModelBuilder& model);

}  // namespace arenaproof::testing
