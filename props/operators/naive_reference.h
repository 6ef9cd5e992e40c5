// What operators compute, by their definition, in doubles: one loop nest each, no shared code with the kernels.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/operator_cases/operator_case.h"

namespace arenaproof::props {

struct Expected {
  std::vector<double> values;  // of the output's elements; int8: the quantised value
  double tolerance = 0;        // absolute; of floats relative to the largest magnitude as well
};

// `omit_last_input`: computed as if the last input were absent.
Expected ExpectedOutput(const OperatorCase& subject, bool omit_last_input);

}  // namespace arenaproof::props
