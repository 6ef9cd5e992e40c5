#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

std::span<const OperatorDefinition> WindowDefinitions() { return {}; }

}  // namespace arenaproof::props
