// Questions to one kernel alone, on operands of its own in heap blocks of exactly their size, so that they may be far
// larger than an arena and a model file for every case should be.
#pragma once

#include <cstddef>

#include "engine/generators/operators/operator_generator.h"

namespace arenaproof::props {

// Does the operator compute what its definition says when that dimension (far_cases.h) is far?
bool RunFar(CaseRandom& random, std::size_t dimension);

// Does prepare refuse the types that are not served when everything else fits?
bool RunOtherTypes(CaseRandom& random);

}  // namespace arenaproof::props
