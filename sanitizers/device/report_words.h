// What reports call the kinds of operands, the phases of an operator and the sides of an operand.
#pragma once

#include "core/arena/observer.h"
#include "sanitizers/device/violation_side.h"

namespace arenaproof {

const char* ViolationSideName(ViolationSide side);   // "before", ...
const char* OperandKindName(OperandKind kind);       // "input", ...
bool HasTensorIndex(OperandKind kind);               // its index is a tensor's; else of the operator's allocations
const char* OperatorPhaseName(OperatorPhase phase);  // "init", ...

}  // namespace arenaproof
