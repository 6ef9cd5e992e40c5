// Parts of the element-by-element family, a file each, and what they share.
#pragma once

#include <span>

#include "engine/oracles/operators/definitions/definition.h"
#include "engine/oracles/operators/fixed_point_definition.h"

namespace arenaproof::props {

std::span<const OperatorDefinition> ActivationDefinitions();
std::span<const OperatorDefinition> MagnitudeDefinitions();
std::span<const OperatorDefinition> TypeChangeDefinitions();

// function(x) of each element of the first input as it is stored, to the bit.
template <typename Function>
Expected OfEach(const OperatorCase& subject, Function function) {
  Values values = StoredValues(subject.inputs[0]);
  for (double& value : values) value = function(value);
  return Exactly(std::move(values));
}

// The same, in float32 arithmetic.
template <typename Function>
Expected OfEachFloat(const OperatorCase& subject, Function function) {
  return OfEach(subject, [&](double x) { return double{function(static_cast<float>(x))}; });
}

// function(x - zero point), then the output's zero point added, within its type.
template <typename Function>
Expected OfEachCentered(const OperatorCase& subject, Function function) {
  return OfEach(subject, [&](double x) {
    const auto centered = static_cast<std::int64_t>(x) - subject.inputs[0].zero_point;
    return WithinType(subject.output.type, static_cast<double>(function(centered)) + subject.output.zero_point);
  });
}

}  // namespace arenaproof::props
