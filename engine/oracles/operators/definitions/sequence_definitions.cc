#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

std::span<const OperatorDefinition> SequenceDefinitions() { return {}; }

}  // namespace arenaproof::props
