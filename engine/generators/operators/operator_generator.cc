#include "engine/generators/operators/operator_generator.h"

#include "engine/generators/operators/case_choices.h"
#include "engine/generators/operators/case_families.h"

namespace arenaproof {
namespace {

OperatorCase MakeOfAnyFamily(CaseRandom& random) {
  const bool quantized = random.Between(0, 9) < 6;
  switch (random.Between(0, 19)) {
    case 0:
    case 1:
      return MakeConvolution(random, quantized, false);
    case 2:
      return MakeConvolution(random, quantized, true);
    case 3:
      return MakePool(random, quantized);
    case 4:
    case 5:
      return MakeFullyConnected(random, quantized);
    case 6:
      return MakePad(random, quantized);
    case 7:
      return MakeConcatenation(random, quantized);
    case 8:
      return MakeReshape(random);
    case 9:
      return MakeMean(random, quantized);
    case 10:
      return MakeSoftmax(random, quantized);
    case 11:
    case 12:
      return MakeArithmetic(random, quantized);
    case 13:
    case 14:
      return MakeComparison(random);
    case 15:
    case 16:
      return MakeTypeChange(random);
    default:
      return MakeUnary(random, quantized);
  }
}

}  // namespace

OperatorCase MakeCase(CaseRandom& random) {
  OperatorCase made = MakeOfAnyFamily(random);
  for (CaseTensor& input : made.inputs) {
    if (!input.constant) FillValues(random, input);
  }
  return made;
}

}  // namespace arenaproof
