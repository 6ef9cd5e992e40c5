#include "core/operators/shape_rule.h"

#include <cstddef>
#include <iterator>

namespace arenaproof {
namespace {

constexpr const char* kWords[] = {
#define ARENAPROOF_SHAPE_RULE(name, words) words,
#include "core/operators/shape_rules.inc"
#undef ARENAPROOF_SHAPE_RULE
};

}  // namespace

const char* ShapeRuleWords(ShapeRule rule) {
  const auto index = static_cast<std::size_t>(rule);
  return index < std::size(kWords) ? kWords[index] : "unknown rule";
}

}  // namespace arenaproof
