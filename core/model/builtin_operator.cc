#include "core/model/builtin_operator.h"

#include <cstddef>
#include <iterator>

namespace arenaproof {
namespace {

struct Named {
  BuiltinOperator code;
  const char* name;
};

constexpr Named kNames[] = {
#define ARENAPROOF_BUILTIN_OPERATOR(constant, name, value) {BuiltinOperator::constant, #name},
#include "core/model/builtin_operators.inc"
#undef ARENAPROOF_BUILTIN_OPERATOR
};

consteval bool CodesAreIndices() {
  if (std::size(kNames) != kBuiltinOperatorCount) return false;
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (static_cast<std::size_t>(kNames[i].code) != i) return false;
  }
  return true;
}
static_assert(CodesAreIndices(), "the list has every code once, in their order");

}  // namespace

const char* BuiltinOperatorName(BuiltinOperator code) {
  return IsKnownBuiltinOperator(code) ? kNames[static_cast<std::size_t>(code)].name : "UNKNOWN";
}

}  // namespace arenaproof
