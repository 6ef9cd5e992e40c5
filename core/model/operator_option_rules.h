// Which member of the format's options union an operator carries.
#pragma once

#include <cstdint>

#include "core/model/builtin_operator.h"

namespace arenaproof {

struct OptionRule {
  BuiltinOperator code;
  std::uint8_t union_type;  // 0: the operator has no options
  bool required;            // without them the operator is nonsense (strides of zero, subgraphs unnamed)
};

// Null for an operator whose options nothing here reads.
const OptionRule* FindOptionRule(BuiltinOperator code);

}  // namespace arenaproof
