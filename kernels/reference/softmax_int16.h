// SOFTMAX of int16: exp and the reciprocal of a row's sum by two tables of 513 points with straight lines between them.
#pragma once

#include "core/base/status.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::reference {

// Precondition: input and output are int16 of one shape with at least one dimension and no extent of 0; beta is finite.
Status PrepareSoftmaxInt16(PrepareContext& context, float beta);
Status InvokeSoftmaxInt16(const InvokeContext& context);

}  // namespace arenaproof::reference
