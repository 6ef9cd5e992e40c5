// Quantisation and values of a case's operands by the rules of the table.
#pragma once

#include "core/operators/operand_rules.h"
#include "engine/generators/operators/case_choices.h"

namespace arenaproof {

// Anywhere in the type (int8, uint8, int16); often 0 or one of its ends.
std::int32_t DrawZeroPoint(CaseRandom& random, TensorType type);

// `first`: the first operand of the case that is quantised; null for itself.
void DrawQuantization(CaseRandom& random, const OperandRow& row, const OperatorCase& made, const CaseTensor* first,
                      CaseTensor& tensor);

// Operands that have no bytes yet get values by their rule, of which some look at the output's quantisation.
void DrawValues(CaseRandom& random, const OperandRow& row, const CaseTensor& output, CaseTensor& tensor);

}  // namespace arenaproof
