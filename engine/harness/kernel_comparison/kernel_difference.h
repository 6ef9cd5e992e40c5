// The first thing in which two runs of a case differ.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/cases/operator_case.h"
#include "engine/harness/kernel_comparison/kernel_run.h"
#include "engine/harness/kernel_comparison/kernel_speeds.h"

namespace arenaproof::testing {

struct KernelDifference {
  std::uint64_t number = 0;  // of the case
  OperatorCase subject;
  std::string where = {};                 // "output 0, element 7 of 12 at [1,3] after invoke 1"
  std::array<std::string, 2> found = {};  // what each set has there
  std::string defined = {};               // what its definition says; empty when it does not
};

// Elements are equal when their bytes are, and floats that are no number are all one.
std::optional<KernelDifference> DifferenceOfRuns(const NumberedCase& one, const std::array<KernelRun, 2>& runs);

}  // namespace arenaproof::testing
