// Which rules of calls between subgraphs does a model break: of a subgraph that is not there, in a circle, too deep,
// too much work?
#pragma once

#include <vector>

#include "engine/oracles/model/broken_rules.h"
#include "engine/oracles/model/wire_model.h"

namespace arenaproof::oracle {

// Nothing of a model with more subgraphs than there may be.
std::vector<BrokenRule> BrokenCallRules(const wire::Model& model);

}  // namespace arenaproof::oracle
