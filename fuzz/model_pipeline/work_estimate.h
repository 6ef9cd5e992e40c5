// What one invoke of a model costs, counted from its operands' shapes: multiply-accumulates where an operator has
// them, elements touched otherwise. Fuzzing spends counted work and never looks at a clock, so that an input takes the
// same way on every machine.
#pragma once

#include <cstdint>

#include "core/model/model_view.h"

namespace arenaproof {

// Of subgraph 0 of a sound model. UINT64_MAX stands for any number too large to count. Dimensions of 0 count as 1:
// kernels loop over some dimensions of a shape without the others.
std::uint64_t EstimateInvokeWork(const ModelView& model);

}  // namespace arenaproof
