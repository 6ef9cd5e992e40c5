// Does the event checker notice every access list that is not the operator's? Each list of a sound life is shown to it
// with one thing changed: an operand that is missing, moved, longer, of another kind or right, somebody else's.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// What the checker let pass, in words; also what it found wrong with the life itself.
std::vector<std::string> RunAccessListSelfTest();

}  // namespace arenaproof
