// What a comparison of kernel sets found, for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/harness/kernel_comparison/kernel_comparison.h"

namespace arenaproof::testing {

// The command that runs that case of the operator alone.
std::string RepeatWords(const KernelSetPair& sets, const std::string& operator_name, std::uint64_t number);

std::string DifferenceText(const KernelSetPair& sets, const SharedOperator& shared, const KernelDifference& difference);

struct ComparedOperator {
  SharedOperator shared;
  OperatorComparison comparison;
};

// A table with a row for each operator. Precondition: no comparison has a difference.
std::string EqualText(const KernelSetPair& sets, const std::vector<ComparedOperator>& compared);

}  // namespace arenaproof::testing
