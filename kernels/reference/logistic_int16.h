// LOGISTIC and TANH of int16: inputs are brought to the arguments of the functions in table_functions.h.
#pragma once

#include "core/base/status.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "kernels/reference/table_functions.h"

namespace arenaproof::reference {

// Precondition: one input and one output, int16, of one shape.
Status PrepareLogisticInt16(PrepareContext& context);
Status PrepareTanhInt16(PrepareContext& context);

void InvokeInt16(const InvokeContext& context, std::int16_t (*function)(std::int32_t));

// Whether the scale is a power of two within a thousandth of its exponent, and which.
bool IsPowerOfTwo(float scale, std::int32_t* exponent);

}  // namespace arenaproof::reference
