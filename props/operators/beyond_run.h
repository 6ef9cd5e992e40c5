// Operators one step beyond what their rows allow, and of types that their rows do not have: a kernel by itself refuses
// them, with a status that says why.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/generators/operators/table/beyond_case.h"

namespace arenaproof::props {

// The next of all ways in which a rule of that row can be broken, by turns, or of all rows when it is null; what was
// made is counted.
std::optional<BeyondCase> MakeNextBeyondCase(CaseRandom& random, const OperatorRow* only, std::uint64_t turn);

// Prepare refuses every type of every operand that no tuple of the row has.
bool RunTableTypes(CaseRandom& random, const OperatorRow& row);

// "1209 ways of breaking a rule of 90 operators came, of 1210; not one of ADD, a type: first": how many so far, on
// stdout. At most ten of those that did not come are named.
void PrintBreaksSeen();

}  // namespace arenaproof::props
