// A case's operator for the harness of kernels: the first of its two, or the second when it omits its last input.
#pragma once

#include "engine/cases/operator_case.h"
#include "engine/harness/kernels/kernel_harness.h"

namespace arenaproof::testing {

TestOperator OperatorOf(const OperatorCase& subject, bool omit_last_input);

}  // namespace arenaproof::testing
