// Does the oracle of committed plans notice every plan that is wrong? Plans of models with branches, variables and
// scratch buffers and of models too large for the trace of values are shown to it with one buffer changed.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// What the oracle let pass, in words; also what it found wrong with what is right.
std::vector<std::string> RunPlanOracleSelfTest();

}  // namespace arenaproof
