// SOFTMAX of int16, by two tables of 513 points with straight lines between them.
#pragma once

#include "engine/oracles/operators/case_elements.h"

namespace arenaproof::props {

// `scale`: that of the input times beta.
Values WideSoftmax(Values row, double scale);

}  // namespace arenaproof::props
