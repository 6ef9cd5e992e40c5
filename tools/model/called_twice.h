// Which subgraphs of a model run in more than one place. What is dead on the way to one caller may be needed on the way
// to another: on the runtime's clock all their tensors are alive from the first call to the last.
#pragma once

#include <vector>

#include "core/runtime/storage/model_allocation.h"

namespace arenaproof {

// Of each subgraph, whether it is called from more than one place, or by one that is.
std::vector<bool> CalledTwice(const ModelAllocation& allocation);

}  // namespace arenaproof
