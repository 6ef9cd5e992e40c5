// A small model that brings a plan of its own, as a converter for a device leaves it.
#pragma once

#include <cstddef>
#include <vector>

namespace arenaproof {

// SVDF, RELU, IF and ADD over three subgraphs. The plan fixes input, output, the state variable, one of IF's operands,
// its result and two tensors of a branch; what is not fixed, a scratch buffer too, is placed around them. The output
// takes the bytes of a tensor that is dead by then.
std::vector<std::byte> FixedPlan();

}  // namespace arenaproof
