// Does the oracle of validation notice a refusal that is not the file's? A model is broken in one way after another;
// the refusal that it gets is right, and with any of its figures changed, for another rule, or taken back it is not.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// What was let pass, in words; also what was found wrong with what is right.
std::vector<std::string> RunValidationOracleSelfTest();

}  // namespace arenaproof
