// Running operators in words.
#pragma once

#include <string>

#include "tools/model/operator_board.h"

namespace arenaproof {

// "WHILE (operator 1), in it ADD (operator 0 of subgraph 2)", with the phase in front when it is not invoke; empty when
// none runs.
std::string RunningText(const ActiveOperators& running);

// " while WHILE (operator 1) ran, in it ADD (operator 0 of subgraph 2) (5012 operators had begun)"; empty when none
// runs.
std::string WhileRunning(const ActiveOperators& running);

}  // namespace arenaproof
