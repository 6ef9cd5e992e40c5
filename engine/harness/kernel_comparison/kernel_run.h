// What a set's kernel makes of a case, invoke after invoke.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/harness/kernels/kernel_harness.h"

namespace arenaproof::testing {

// Invokes without a reset between them, so that what a kernel keeps shows.
inline constexpr std::size_t kComparedInvokes = 2;

struct InvokeResults {
  std::vector<std::vector<std::byte>> outputs;
  std::vector<std::vector<std::byte>> variables;  // by input; empty for what is none
};

struct KernelRun {
  Status status;  // prepare's, or that of the invoke that failed
  bool prepared = false;
  std::vector<InvokeResults> invokes;  // those that succeeded
  std::string broken_promise;          // what no kernel may do; empty when it did none of it
};

// Whether the set serves such operands with a kernel of its own, not with its fallback's.
bool ServesByItself(const KernelSet& set, const TestOperator& subject);

// Precondition: the set serves the operator.
KernelRun RunForComparison(const KernelSet& set, const TestOperator& subject, HarnessOptions options);

}  // namespace arenaproof::testing
