#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

std::span<const OperatorDefinition> ReductionDefinitions() { return {}; }

}  // namespace arenaproof::props
