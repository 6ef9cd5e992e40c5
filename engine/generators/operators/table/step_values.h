// Values for conversions and roundings, which seldom meet a tie or the end of a type by chance.
#pragma once

#include "engine/generators/operators/case_choices.h"

namespace arenaproof {

// FillValues knows the type.
bool HasValuesOfNumbers(TensorType type);
// Of any type: any bytes.
void FillBytes(CaseRandom& random, CaseTensor& tensor);

// In half of the tensors of int16 some values become the ends of the type, or lie near the zero point.
void AddEnds(CaseRandom& random, CaseTensor& tensor);

// In half of the tensors of float32, int32 and uint32, half of the values become powers of two and what is near them,
// of floats also halves and quarters between, in the steps and around the zero point of `output`. Without a
// quantisation a step is 1. Before a rescaling integers leave it room for 8 bits more.
void AddHalfSteps(CaseRandom& random, const CaseTensor& output, CaseTensor& tensor);

}  // namespace arenaproof
