// Models of one operator that passes values on: IF, WHILE, READ_VARIABLE or ASSIGN_VARIABLE, with values of any type,
// rank and quantisation that its row in the table of operators has. Loops run once or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/operators/operator_row.h"
#include "engine/generators/random_source.h"

namespace arenaproof {

// Those of the table that such models are of.
std::span<const OperatorRow* const> RowsOfPassedValues();

// Sound, and small. Precondition: a row of RowsOfPassedValues().
std::vector<std::byte> MakePassedValueModel(RandomSource& random, const OperatorRow& row);

}  // namespace arenaproof
