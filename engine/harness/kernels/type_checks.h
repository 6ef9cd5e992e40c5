// Does a kernel's prepare refuse every type that it does not serve, when all else fits? Each operand in turn gets every
// other type of the schema, alone and together with all operands of its type, and what prepare answers is compared with
// the tuples of the operator's row.
#pragma once

#include <cstddef>
#include <string>

#include "core/operators/operator_row.h"
#include "engine/harness/kernels/kernel_harness.h"

namespace arenaproof::testing {

// Inputs first, then outputs.
inline std::size_t OperandCount(const TestOperator& subject) { return subject.inputs.size() + subject.outputs.size(); }

// What is wrong about the types of that operand, for an operator that prepare accepts; empty when nothing is.
std::string WrongAboutTypes(const KernelSet& set, const OperatorRow& row, const TestOperator& subject,
                            std::size_t operand);
// By the row that the table has for the operator; without one nothing is wrong.
std::string WrongAboutTypes(const KernelSet& set, const TestOperator& subject, std::size_t operand);

}  // namespace arenaproof::testing
