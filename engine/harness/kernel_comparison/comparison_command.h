// What arenaproof-compare-kernels does with two kernel sets.
#pragma once

#include <ostream>
#include <string>

#include "engine/harness/kernel_comparison/kernel_comparison.h"
#include "tools/text/exit_status.h"

namespace arenaproof::testing {

// `op` empty: every operator that both sets serve. The report goes to `output`; a sentence about what cannot be
// compared goes to `errors`.
ExitStatus CompareKernelSets(const KernelSetPair& sets, const std::string& op, const ComparedCases& cases,
                             ComparisonListener& listener, std::ostream& output, std::ostream& errors);

}  // namespace arenaproof::testing
