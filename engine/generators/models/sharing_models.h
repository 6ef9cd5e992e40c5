// Models that are about nothing but outputs that may lie in the bytes of inputs: chains and forks of operators that
// share, others in between that do not (or must not), values that are read again later, constants, variables, and
// subgraphs in any order in the file that branches and loops call, some from several places. They run with the
// reference kernels, their loops end, and no value becomes so large that it is no number.
#pragma once

#include "engine/generators/random_source.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

// Breaks no rule of validation.
ModelBuilder MakeSharingModel(RandomSource& choices);

}  // namespace arenaproof::testing
