#include "core/operators/shape_rule.h"

namespace arenaproof {

const char* ShapeRuleWords(ShapeRule rule) {
  switch (rule) {
#define ARENAPROOF_SHAPE_RULE(name, words) \
  case ShapeRule::name:                    \
    return words;
#include "core/operators/shape_rules.inc"
#undef ARENAPROOF_SHAPE_RULE
  }
  return "unknown rule";
}

}  // namespace arenaproof
