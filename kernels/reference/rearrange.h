// Operators that move or reduce elements: CONCATENATION, PAD, MEAN. Serve float32 and int8; other types are refused in
// prepare. Arithmetic: spec/kernels.md sections 2 and 3.
#pragma once

#include "core/runtime/kernel.h"

namespace arenaproof::reference {

Status PrepareConcatenation(PrepareContext& context);
Status InvokeConcatenation(const InvokeContext& context);
Status PreparePad(PrepareContext& context);
Status InvokePad(const InvokeContext& context);
Status PrepareMean(PrepareContext& context);
Status InvokeMean(const InvokeContext& context);

}  // namespace arenaproof::reference
