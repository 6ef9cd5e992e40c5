#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

std::span<const OperatorDefinition> MovementDefinitions() { return {}; }

}  // namespace arenaproof::props
