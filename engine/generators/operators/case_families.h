// One function for each family of random operators; all they make is valid.
#pragma once

#include "engine/generators/operators/operator_generator.h"

namespace arenaproof {

// window_cases.cc
OperatorCase MakeConvolution(CaseRandom& random, bool quantized, bool depthwise);
OperatorCase MakePool(CaseRandom& random, bool quantized);
// dense_cases.cc
OperatorCase MakeFullyConnected(CaseRandom& random, bool quantized);
OperatorCase MakeSoftmax(CaseRandom& random, bool quantized);
// shape_cases.cc
OperatorCase MakePad(CaseRandom& random, bool quantized);
OperatorCase MakeConcatenation(CaseRandom& random, bool quantized);
OperatorCase MakeReshape(CaseRandom& random);
OperatorCase MakeMean(CaseRandom& random, bool quantized);
// element_cases.cc
OperatorCase MakeArithmetic(CaseRandom& random, bool quantized);
OperatorCase MakeComparison(CaseRandom& random);
OperatorCase MakeUnary(CaseRandom& random, bool quantized);
OperatorCase MakeTypeChange(CaseRandom& random);

}  // namespace arenaproof
