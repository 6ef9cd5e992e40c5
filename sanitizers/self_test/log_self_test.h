// Does the violation log keep apart what are different faults, and put together what is one?
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// What the log did wrong, in words.
std::vector<std::string> RunViolationLogSelfTest();

}  // namespace arenaproof
