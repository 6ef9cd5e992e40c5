// The table of operators: a row for each operator that the reference kernels serve, family by family (rows/).
#pragma once

#include <span>
#include <vector>

#include "core/operators/operator_row.h"

namespace arenaproof {

// The rows of the families, in the order of their codes.
std::span<const OperatorRow* const> OperatorTable();

// Null for an operator without a row.
const OperatorRow* FindOperatorRow(BuiltinOperator code);

}  // namespace arenaproof
