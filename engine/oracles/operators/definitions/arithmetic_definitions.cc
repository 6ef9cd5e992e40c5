#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

std::span<const OperatorDefinition> ArithmeticDefinitions() { return {}; }

}  // namespace arenaproof::props
