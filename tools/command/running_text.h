// Running operators in words.
#pragma once

#include <string>

#include "tools/model/operator_board.h"

namespace arenaproof {

// "WHILE (operator 1), in it ADD (operator 0 of subgraph 2)", with the phase in front when it is not invoke; empty when
// none runs.
std::string RunningText(const ActiveOperators& running);

// " while WHILE (operator 1) ran, in it ADD (operator 0 of subgraph 2) (5012 operators had begun)"; where none
// runs and a function of a kernel library does, " in init of ADD"; else empty.
std::string WhileRunning(const ActiveOperators& running);

// " after ADD (operator 2), which ran last, had returned"; empty while an operator or a function of a kernel library
// runs, and before the first.
std::string AfterLast(const ActiveOperators& running);

// "init of ADD", "the loading of the library": the function of a kernel library that runs; empty when none does.
std::string LibraryCallText(const ActiveOperators& running);

}  // namespace arenaproof
