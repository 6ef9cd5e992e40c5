// The bounds of fused activations, and what becomes of sums: of integers rescaled and clamped, of floats clamped.
#pragma once

#include <cstdint>

#include "engine/oracles/operators/definitions/definition.h"
#include "engine/oracles/operators/fixed_point_definition.h"
#include "engine/oracles/operators/operator_sums.h"

namespace arenaproof::props {

struct FusedBounds {
  double least = 0;
  double most = 0;
  double Clamped(double value) const;
};

// In steps of the quantised output, within its type.
FusedBounds QuantizedBounds(Activation activation, const CaseTensor& output);

// min(max(value, least), most): what is no number stays so. Without an activation the finite floats are the range.
float ClampedFloat(float value, Activation activation);
Expected ClampedFloats(Numbers<float> values, Activation activation);
// Every bit counts.
Expected ExactlyFloats(const Numbers<float>& values);

// How wide sums of integers are: it decides how they are rescaled.
enum class SumWidth : std::uint8_t { k32, k64 };

// The sum rescaled, the output's zero point added, clamped. Not a number where the arithmetic would leave its width,
// which the specification leaves open.
double FinishedSum(double sum, const Ratio& ratio, SumWidth width, const CaseTensor& output, const FusedBounds& bounds);

// Optional inputs may be left out by a shorter list.
bool HasInputAt(const OperatorCase& k, std::size_t input);

// Each input as numbers: floats as they are, integers less their zero points; what is left out is empty.
template <typename Number>
std::vector<Numbers<Number>> InputNumbers(const OperatorCase& k) {
  std::vector<Numbers<Number>> all;
  for (const CaseTensor& input : k.inputs) {
    const Values values = input.present ? CenteredValues(input) : Values{};
    all.emplace_back(values.begin(), values.end());
  }
  return all;
}

}  // namespace arenaproof::props
