// What random operators are drawn from: numbers, shapes, tensors and their values. Scales and values are chosen so that
// what can go wrong shows: powers of two as scales (ties when rounding), zero points at the ends of the type, values
// beyond every bound of a fused activation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/generators/operators/operator_generator.h"

namespace arenaproof {

using CaseShape = std::vector<std::int32_t>;

// Positive; a third of the time a power of two.
float PickScale(CaseRandom& random, float least, float most);
CaseShape PickShape(CaseRandom& random, std::int32_t least_rank, std::int32_t most_rank, std::int32_t most_extent);
// One that the kernels serve.
Activation PickActivation(CaseRandom& random);

// An operand without values: int8 with a quantisation of its own, or float32.
CaseTensor Activations(CaseRandom& random, bool quantized, CaseShape shape);
// What sums of products go into: like Activations, of larger scales, so that few of them saturate.
CaseTensor Sums(CaseRandom& random, bool quantized, CaseShape shape);
// Now and then makes the scale of an int8 output `step`, which is what one unit of a sum stands for, times a power of
// two: sums then lie on ties, or so near to one that the last bit of a multiplier decides. Half of the time the
// operands get few values, so that no result saturates.
void MakeTies(CaseRandom& random, OperatorCase& made, float step, std::int32_t most_exponent);
// A constant of int32 values.
CaseTensor Integers(const std::vector<std::int32_t>& values, CaseShape shape);

// Gives the tensor values of its type. Floats lie within +-10 and now and then on a bound of an activation, in some
// tensors all much nearer to zero, in some at the far ends of their type or beyond it; integers anywhere in their type,
// int8 in some tensors at one of its ends, so that sums are long, int64 within 2^52; a bool is now and then a byte that
// is neither 0 nor 1.
void FillValues(CaseRandom& random, CaseTensor& tensor);
void FillConstant(CaseRandom& random, CaseTensor& tensor);

}  // namespace arenaproof
