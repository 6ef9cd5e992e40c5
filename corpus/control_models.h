// Small models in which operators call subgraphs and keep values by name. Their numbers are exact in single precision,
// so every build answers the same.
#pragma once

#include <cstddef>
#include <vector>

namespace arenaproof {

// A condition and two values go through IF within IF; what is alive around each call is read after it.
std::vector<std::byte> ControlBranches();

// WHILE runs its body three times, whatever its input; a value beside the loop is read behind it.
std::vector<std::byte> ControlLoop();

// CALL_ONCE gives a resource variable its first value; each invoke adds its input to it. A second variable, int8 with a
// zero point, keeps the input before.
std::vector<std::byte> ControlVariables();

}  // namespace arenaproof
