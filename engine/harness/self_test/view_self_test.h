// Do the oracles of the model's view and of its validation notice what is wrong? Every view of a file is shown to them
// with one field changed, decoded options aside; refusals are shown by refusal_self_test.h.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// What was let pass, in words; also what was found wrong with what is right.
std::vector<std::string> RunViewOracleSelfTest();

}  // namespace arenaproof
