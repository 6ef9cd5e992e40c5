// Builtin operator codes of the TFLite schema (int32 field builtin_code; values and names are those of the file
// format).
#pragma once

#include <cstdint>

namespace arenaproof {

enum class BuiltinOperator : std::int32_t {
#define ARENAPROOF_BUILTIN_OPERATOR(constant, name, value) constant = value,
#include "core/model/builtin_operators.inc"
#undef ARENAPROOF_BUILTIN_OPERATOR
};

inline constexpr std::int32_t kBuiltinOperatorCount = 210;

// The schema's name, such as "FULLY_CONNECTED"; "UNKNOWN" for a code outside the schema.
const char* BuiltinOperatorName(BuiltinOperator code);

constexpr bool IsKnownBuiltinOperator(BuiltinOperator code) {
  const std::int32_t value = static_cast<std::int32_t>(code);
  return value >= 0 && value < kBuiltinOperatorCount;
}

// One that a model can ask for: the schema has a name for the largest code of its first field too, which is none.
constexpr bool IsBuiltinOperator(BuiltinOperator code) {
  return IsKnownBuiltinOperator(code) && code != BuiltinOperator::kPlaceholderForGreaterOpCodes;
}

}  // namespace arenaproof
