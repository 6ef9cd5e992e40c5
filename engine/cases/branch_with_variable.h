// A sound model in which a variable of a branch and an intermediate tensor of the main subgraph have the same number.
#pragma once

#include <cstddef>

#include "tools/model_builder/model_builder.h"

namespace arenaproof {

// In its own subgraph, 1, the variable's; in subgraph 0 that of the intermediate tensor "middle".
inline constexpr std::size_t kVariableOfTheBranch = 2;

// condition, x -> RELU -> middle; IF: y = middle + variable, or RELU of middle. Floats, 48 bytes each.
ModelBuilder BranchWithVariable();

}  // namespace arenaproof
