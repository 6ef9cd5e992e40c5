// How an operator's shapes and the numbers in its tables belong together. Each rule has one function that draws them
// (engine/generators/operators/table/).
#pragma once

#include <cstdint>

namespace arenaproof {

enum class ShapeRule : std::uint8_t {
#define ARENAPROOF_SHAPE_RULE(name, words) name,
#include "core/operators/shape_rules.inc"
#undef ARENAPROOF_SHAPE_RULE
};

// "the output has the input's shape"
const char* ShapeRuleWords(ShapeRule rule);

}  // namespace arenaproof
