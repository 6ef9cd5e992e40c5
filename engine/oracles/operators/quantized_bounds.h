// What becomes of a quantised result at its end: the bounds of the type and of the fused activation, rescaled sums.
#pragma once

#include "engine/oracles/operators/case_elements.h"
#include "engine/oracles/operators/fixed_point_definition.h"

namespace arenaproof::props {

// Of a tensor that has one scale.
double ScaleOf(const CaseTensor& tensor);

// A value that is whole already.
std::int64_t Integer(double value);

struct Bounds {
  double least = -128, most = 127;
  double Clamped(double value) const;
};

// Of the output's type, which is int8, int16, or plain int32, and of an activation, whose bounds are made in float and
// rounded half away from zero.
Bounds BoundsOf(Activation activation, const CaseTensor& output);

// A sum rescaled, plus the output's zero point, within the bounds of the operator's fused activation.
double Finished(double sum, const Ratio& ratio, const OperatorCase& k);

}  // namespace arenaproof::props
