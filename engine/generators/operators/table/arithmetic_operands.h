// Scales and values of operators of several inputs, element by element. Drawn one by one they seldom meet: nearly every
// result would saturate, no two values would be equal, and no sum would lie on a tie.
#pragma once

#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {

// Of a case that has its shapes. What is left without scales or values gets them by the rules of its operands.
void DrawArithmeticOperands(ShapeDraw& draw, OperatorCase& made);

}  // namespace arenaproof
