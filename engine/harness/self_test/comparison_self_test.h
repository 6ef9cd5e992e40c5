// Shows the comparisons of RunWatched models whose answers are no function of their inputs, each in networks of many
// shapes: whatever a model has (a subgraph that nobody calls, branches, loops, variables), it is no reason not to
// compare it, save that something is run once.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// What was let pass, or was refused though it is right.
std::vector<std::string> RunComparisonSelfTest();

}  // namespace arenaproof
