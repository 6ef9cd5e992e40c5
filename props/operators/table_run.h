// Cases from the table of operators against the definitions of their operators.
#pragma once

#include "core/operators/operator_row.h"
#include "engine/generators/operators/table/table_case.h"
#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

// A kernel by itself, each operand a heap block of its own; one extent is far now and then.
bool RunTableKernel(CaseRandom& random, const OperatorRow& row, const OperatorDefinition& definition);

// The rows that have cases and a definition.
const std::vector<std::pair<const OperatorRow*, const OperatorDefinition*>>& DrawnRows();

}  // namespace arenaproof::props
