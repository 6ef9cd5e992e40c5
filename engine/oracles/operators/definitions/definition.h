// What an operator computes by its definition, for every type that it serves: said on numbers, no code shared with the
// kernels. A file is a family, with a list of its operators.
#pragma once

#include <span>
#include <vector>

#include "engine/oracles/operators/naive_reference.h"

namespace arenaproof::props {

struct OperatorDefinition {
  BuiltinOperator code;
  // For each output its elements as they are stored, and how far a kernel may be off. Not a number: the definition does
  // not decide that element. 64-bit integers beyond 2^53 have no exact double: cases do not draw them.
  std::vector<Expected> (*outputs)(const OperatorCase& subject);
  // Scratch buffers and arrays beside the operator's own data, in bytes, in the order of requests; null: none.
  std::vector<std::size_t> (*scratch)(const OperatorCase& subject) = nullptr;
  std::vector<std::size_t> (*arrays)(const OperatorCase& subject) = nullptr;
  // What the inputs that are variables hold after one run, in their order; null: none.
  std::vector<Expected> (*variables)(const OperatorCase& subject) = nullptr;
};

std::span<const OperatorDefinition> ElementDefinitions();
std::span<const OperatorDefinition> ArithmeticDefinitions();
std::span<const OperatorDefinition> MovementDefinitions();
std::span<const OperatorDefinition> ReductionDefinitions();
std::span<const OperatorDefinition> WindowDefinitions();
std::span<const OperatorDefinition> SequenceDefinitions();

// Null for an operator without one.
const OperatorDefinition* FindDefinition(BuiltinOperator code);

// ---- what definitions share

// Rounded to the nearest, ties away from zero, plus the zero point, within the type: how a real value is stored in a
// quantised tensor. Floats are rounded to float32.
double Stored(const CaseTensor& tensor, double real);
// `values` are real ones; quantised outputs may be off by `steps`, floats by `relative` of the largest magnitude.
Expected StoredAll(const CaseTensor& tensor, const Values& values, double steps, double relative);
// As they are, to the bit: copies of stored elements, and what the arithmetic decides down to signs of zeros.
Expected Exactly(Values stored);

// The real value of each element of the first input that becomes the output's, computed by one function.
Expected ElementByElement(const OperatorCase& subject, double (*function)(double), double steps, double relative);

}  // namespace arenaproof::props
