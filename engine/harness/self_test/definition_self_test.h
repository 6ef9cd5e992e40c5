// Shows the definitions' oracles wrong results before they check the first operator.
#pragma once

#include <string>

#include "core/operators/operator_row.h"
#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

// Ends the process when a result that is plainly wrong of a random operator would pass for right, whether the older
// oracle or the operator's definition says what is right.
void RunDefinitionSelfTest();

// What such a definition lets pass in cases of the row, a sentence: one element that is wrong, or so many of which it
// says nothing. Empty when there is nothing.
std::string WeaknessOf(const OperatorRow& row, const OperatorDefinition& definition);

}  // namespace arenaproof::props
