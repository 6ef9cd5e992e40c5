#include <cmath>

#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {
namespace {

constexpr OperatorDefinition kDefinitions[] = {
    {BuiltinOperator::kCeil, [](const OperatorCase& k) { return std::vector{ElementByElement(k, std::ceil, 0, 0)}; }},
    {BuiltinOperator::kSqrt, [](const OperatorCase& k) { return std::vector{ElementByElement(k, std::sqrt, 0, 0)}; }},
};

}  // namespace

std::span<const OperatorDefinition> ElementDefinitions() { return kDefinitions; }

}  // namespace arenaproof::props
