// Valid operators of which one extent is far and the others are 1 or 2: for every dimension of every operator that
// random cases are made of. Their work and their bytes grow with that extent alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/generators/operators/operator_generator.h"

namespace arenaproof {

// `which` counts from 0. The name says operator and dimension: "CONV_2D output depth".
std::size_t FarDimensionCount();
const char* FarDimensionName(std::size_t which);

// With values. Only the first of the model's two operators is meant: it omits its last input if
// second_omits_last_input says so.
OperatorCase MakeFarCase(CaseRandom& random, std::size_t which, std::int32_t extent);

}  // namespace arenaproof
