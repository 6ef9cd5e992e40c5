// Operators whose kernels are the runtime's own.
#pragma once

#include "core/model/builtin_operator.h"

namespace arenaproof {

// Control flow and resource variables: their kernels have the runtime work on their operands.
constexpr bool IsRuntimeOperator(BuiltinOperator code) {
  switch (code) {
    case BuiltinOperator::kIf:
    case BuiltinOperator::kWhile:
    case BuiltinOperator::kCallOnce:
    case BuiltinOperator::kVarHandle:
    case BuiltinOperator::kReadVariable:
    case BuiltinOperator::kAssignVariable:
      return true;
    default:
      return false;
  }
}

}  // namespace arenaproof
