// Sums along an axis, and elements by index.
#pragma once

#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

std::vector<Expected> CumsumOutputs(const OperatorCase& k);
std::vector<Expected> GatherOutputs(const OperatorCase& k);
std::vector<Expected> GatherNdOutputs(const OperatorCase& k);
std::vector<Expected> EmbeddingLookupOutputs(const OperatorCase& k);

// A copy of the output's dims in the tail: their count and each of them, 4 bytes each.
std::vector<std::size_t> DimsCopyBytes(const OperatorCase& k);

}  // namespace arenaproof::props
