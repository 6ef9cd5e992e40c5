#include "core/model/builtin_operator.h"

namespace arenaproof {

const char* BuiltinOperatorName(BuiltinOperator code) {
  switch (code) {
#define ARENAPROOF_BUILTIN_OPERATOR(constant, name, value) \
  case BuiltinOperator::constant:                          \
    return #name;
#include "core/model/builtin_operators.inc"
#undef ARENAPROOF_BUILTIN_OPERATOR
  }
  return "UNKNOWN";
}

}  // namespace arenaproof
