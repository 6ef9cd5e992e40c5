// The outputs of operators of several inputs, element by element, for the list in arithmetic_definitions.cc.
#pragma once

#include <vector>

#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

using Outputs = std::vector<Expected>;

// ADD, SUB, MUL, DIV, SQUARED_DIFFERENCE
Outputs ArithmeticOutputs(const OperatorCase& k);
Outputs FloorOutputs(const OperatorCase& k);  // FLOOR_DIV, FLOOR_MOD
Outputs AddNOutputs(const OperatorCase& k);
Outputs PreluOutputs(const OperatorCase& k);

// MAXIMUM, MINIMUM
Outputs ExtremumOutputs(const OperatorCase& k);
Outputs ComparisonOutputs(const OperatorCase& k);
Outputs LogicalOutputs(const OperatorCase& k);  // LOGICAL_AND, LOGICAL_OR
Outputs SelectOutputs(const OperatorCase& k);

}  // namespace arenaproof::props
