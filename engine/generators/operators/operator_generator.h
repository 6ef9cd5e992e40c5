// Random operators with operands of their own, all valid.
#pragma once

#include <cstddef>

#include "engine/cases/operator_case.h"
#include "engine/generators/seeded_source.h"

namespace arenaproof {

using CaseRandom = SeededSource;

OperatorCase MakeCase(CaseRandom& random);

// One of the kinds of operators at a far end of what they take (extreme_cases.cc), which random ones seldom are:
// `kind` counts from 0. All are valid too.
std::size_t ExtremeKindCount();
OperatorCase MakeExtremeCase(CaseRandom& random, std::size_t kind);

}  // namespace arenaproof
