// Models of custom operators that nobody serves, some with an offline plan of their own: what `plan --embed` writes for
// them has to count the scratch that the user states.
#pragma once

#include "engine/generators/random_source.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

inline constexpr const char* kCustomOperators[] = {"fold", "spread"};

struct CustomOperatorModel {
  ModelBuilder builder;
  bool has_plan = false;  // offsets of its own, no two of which overlap
};

// Breaks no rule of validation.
CustomOperatorModel MakeCustomOperatorModel(RandomSource& random);

}  // namespace arenaproof::testing
