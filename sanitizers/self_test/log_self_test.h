// Self-test: the violation log has to keep different faults apart and to put together what is one fault.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// One sentence for each thing that the log did wrong.
std::vector<std::string> RunViolationLogSelfTest();

}  // namespace arenaproof
