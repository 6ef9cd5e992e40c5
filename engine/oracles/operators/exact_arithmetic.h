// What operators of several quantised inputs, element by element, compute to the last bit.
#pragma once

#include "engine/oracles/operators/case_elements.h"

namespace arenaproof::props {

// int8 and int16
Values ExactSum(const OperatorCase& k);  // ADD, SUB
Values ExactProduct(const OperatorCase& k);
Values ExactSquaredDifference(const OperatorCase& k);
Values ExactPrelu(const OperatorCase& k);
// int8
Values ExactQuotient(const OperatorCase& k);
Values ExactSumOfAll(const OperatorCase& k);  // ADD_N
Values ExactComparison(const OperatorCase& k);

}  // namespace arenaproof::props
