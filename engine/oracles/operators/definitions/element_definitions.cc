#include <cmath>

#include "engine/oracles/operators/definitions/element_parts.h"

namespace arenaproof::props {
namespace {

using enum BuiltinOperator;
using Outputs = std::vector<Expected>;

// To the nearest, ties to even. A zero is a positive one unless the element is the negative zero itself.
float RoundedToEven(float x) {
  const float rounded = std::nearbyint(x);
  return rounded == 0.0f && x != 0.0f ? 0.0f : rounded;
}

// Where the specification names a function of the C library it is that one.
constexpr OperatorDefinition kOfFloats[] = {
    {kExp, [](const OperatorCase& k) { return Outputs{OfEachFloat(k, [](float x) { return std::exp(x); })}; }},
    {kLog, [](const OperatorCase& k) { return Outputs{OfEachFloat(k, [](float x) { return std::log(x); })}; }},
    {kSin, [](const OperatorCase& k) { return Outputs{OfEachFloat(k, [](float x) { return std::sin(x); })}; }},
    {kCos, [](const OperatorCase& k) { return Outputs{OfEachFloat(k, [](float x) { return std::cos(x); })}; }},
    {kCeil, [](const OperatorCase& k) { return Outputs{OfEach(k, [](double x) { return std::ceil(x); })}; }},
    {kFloor, [](const OperatorCase& k) { return Outputs{OfEach(k, [](double x) { return std::floor(x); })}; }},
    {kRound, [](const OperatorCase& k) { return Outputs{OfEachFloat(k, RoundedToEven)}; }},
    {kNeg, [](const OperatorCase& k) { return Outputs{OfEach(k, [](double x) { return -x; })}; }},
    // A root or a product in double, rounded, is the one in float.
    {kSqrt,
     [](const OperatorCase& k) {
       return Outputs{OfEach(k, [](double x) { return double{static_cast<float>(std::sqrt(x))}; })};
     }},
    {kSquare,
     [](const OperatorCase& k) {
       return Outputs{OfEach(k, [](double x) { return double{static_cast<float>(x * x)}; })};
     }},
    // A byte that is not 0 is true.
    {kLogicalNot,
     [](const OperatorCase& k) { return Outputs{OfEach(k, [](double x) { return x == 0 ? 1.0 : 0.0; })}; }},
    {kZerosLike, [](const OperatorCase& k) { return Outputs{OfEach(k, [](double) { return 0.0; })}; }},
};

}  // namespace

std::span<const OperatorDefinition> ElementDefinitions() {
  static const auto all = [] {
    std::vector<OperatorDefinition> definitions;
    for (const std::span<const OperatorDefinition> part :
         {std::span<const OperatorDefinition>(kOfFloats), ActivationDefinitions(), MagnitudeDefinitions(),
          TypeChangeDefinitions()}) {
      definitions.insert(definitions.end(), part.begin(), part.end());
    }
    return definitions;
  }();
  return all;
}

}  // namespace arenaproof::props
