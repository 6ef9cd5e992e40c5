// What operators of floats compute to the last bit: every operation rounded once, in the order that the definition
// says, whatever the values are (overflows, infinities, values that are no number, the smallest ones).
#pragma once

#include "engine/oracles/operators/case_elements.h"

namespace arenaproof::props {

// Float32 goes in and comes out.
bool IsOfFloats(const OperatorCase& subject);

// min(max(value, least), most): what is no number stays so. Without an activation the finite floats are the range.
float Clamped(float value, Activation activation);
// In three parts, whose bounds are the reference's.
float FloatLogistic(float x);

// The output's elements, for an operator of floats only.
Values ExactFloats(const OperatorCase& subject, bool omit_last_input);

}  // namespace arenaproof::props
