// What quantised operators compute to the last bit, where the definition says it (fixed_point_definition.h): every
// result has to be equal. Beside it stands the definition on real numbers (naive_reference.h), which does not know how
// a kernel rounds.
#pragma once

#include <optional>

#include "engine/oracles/operators/case_elements.h"

namespace arenaproof::props {

// The output's elements, as they are stored. Nothing for floats that are not made of integers alone.
std::optional<Values> ExactOutput(const OperatorCase& subject, bool omit_last_input);

}  // namespace arenaproof::props
