// Does the oracle of validation notice a refusal that is not the file's? Each invalid model
// (engine/cases/invalid_models.h) is refused rightly; the refusal with any of its numbers changed, for another rule, or
// taken back is wrong.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// What was let pass, and what was found wrong with what is right, in words.
std::vector<std::string> RunValidationOracleSelfTest();

}  // namespace arenaproof
