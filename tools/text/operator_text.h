// Operators in words: their names, and the place of a refusal.
#pragma once

#include <string>

#include "core/base/status.h"
#include "core/model/model_view.h"
#include "core/runtime/interpreter/operator_location.h"

namespace arenaproof {

// "ADD", "custom operator 'name'". Files may carry a name for a builtin operator too; the code counts.
std::string OperatorName(const OperatorView& view);
// Of the operator at a known location.
std::string OperatorName(const ModelView& model, const OperatorLocation& location);

// The status's sentence, which names a custom operator without a kernel as the model does: its code is that of all
// custom operators.
std::string RefusalSentence(const ModelView& model, const Status& refusal);

// Where an invoke ended: at the operator that failed, or at the one that ended it quietly.
OperatorLocation EndOfInvoke(const Status& status, const OperatorLocation& failed);

// "operator 3 of subgraph 0: SENTENCE"; the sentence alone where no operator was refused or it names that one itself.
std::string Located(const OperatorLocation& location, const std::string& sentence);

}  // namespace arenaproof
