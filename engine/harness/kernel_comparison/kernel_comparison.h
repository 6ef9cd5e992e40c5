// Two kernel sets on the same random cases of the table of operators: the first difference, or what was equal and how
// fast each was. Only operators, and of them only cases, that both sets serve with kernels of their own are compared:
// whatever a set leaves to its fallback is the fallback's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/operators/operator_row.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "engine/harness/kernel_comparison/kernel_difference.h"
#include "engine/harness/kernel_comparison/kernel_speeds.h"

namespace arenaproof::testing {

struct SharedOperator {
  std::string name;
  const OperatorRow* row = nullptr;  // null: the table has no cases of it
};

// Those for which both sets have kernels of their own, by name.
std::vector<SharedOperator> SharedOperators(const KernelSetPair& sets);

struct OperatorComparison {
  std::size_t cases = 0;  // that both sets computed
  std::size_t elements = 0;
  std::size_t refused = 0;                     // by both, with the same status
  std::optional<KernelDifference> difference;  // the first; nothing was compared or measured behind it
  std::optional<KernelSpeeds> speeds;
};

struct ComparedCases {
  std::uint64_t first = 1;  // cases have numbers, from which they are drawn
  std::size_t count = 300;  // of those that both sets serve; others are passed over
};

// Precondition: the row has cases (HasTableCases).
OperatorComparison CompareOperator(const KernelSetPair& sets, const OperatorRow& row, const ComparedCases& cases,
                                   ComparisonListener& listener);

}  // namespace arenaproof::testing
