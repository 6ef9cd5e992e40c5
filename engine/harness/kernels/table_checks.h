// One kernel by itself beside its row and its definition: a valid case computes what the definition says and asks for
// the memory that it says, a case one step beyond the row is refused. Each function answers with the first difference.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/generators/operators/table/beyond_case.h"
#include "engine/harness/kernels/kernel_harness.h"
#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::testing {

struct Difference {
  std::string what = {};     // a sentence; empty: there is none
  std::string numbers = {};  // found and expected, a sentence; may be empty

  bool none() const { return what.empty(); }
};

// Of the elements of output number `which`: within the tolerance of what is expected, or to the bit.
Difference DifferenceOfElements(TensorType type, const std::byte* found, std::size_t which,
                                const props::Expected& expected);

// Of one set of the operator's outputs, one behind the other.
Difference DifferenceOfOutputs(const OperatorCase& subject, const props::OperatorDefinition& definition,
                               const std::byte* outputs);

// Of what an operator took of scratch buffers, and of arrays beside its own data.
struct MemoryRequests {
  std::vector<std::size_t> scratch;
  std::vector<std::size_t> arrays;
};
MemoryRequests DefinedRequests(const OperatorCase& subject, const props::OperatorDefinition& definition);
Difference DifferenceOfRequests(const MemoryRequests& found, const MemoryRequests& defined);

// Requests, outputs, variables, and what holds for every kernel (kernel_harness.h).
Difference DifferenceOfKernel(const KernelSet& kernels, const OperatorCase& subject,
                              const props::OperatorDefinition& definition);

// Prepare refuses it, or invoke where that is when it is seen. `in_prepare`: which of the two.
Difference DifferenceOfRefusal(const KernelSet& kernels, const BeyondCase& beyond, bool* in_prepare);

}  // namespace arenaproof::testing
