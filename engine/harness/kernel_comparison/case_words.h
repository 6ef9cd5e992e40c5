// A case in words, as much of it as somebody needs who has to see why two kernels differ on it.
#pragma once

#include <string>
#include <vector>

#include "core/operators/operator_row.h"
#include "engine/cases/operator_case.h"

namespace arenaproof::testing {

// A line for each operand, and one for the options if there are any.
std::vector<std::string> CaseLines(const OperatorRow& row, const OperatorCase& subject);

}  // namespace arenaproof::testing
