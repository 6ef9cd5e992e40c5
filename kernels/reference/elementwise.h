// Operators that work on single elements: ADD, MUL, QUANTIZE, DEQUANTIZE, RELU, RELU6, LOGISTIC, TANH.
// Arithmetic: spec/kernels.md sections 2 to 4. Serves float32 and int8 (DEQUANTIZE also uint8 and int16); other types
// are refused in prepare.
#pragma once

#include "core/runtime/kernel.h"

namespace arenaproof::reference {

Status PrepareAdd(PrepareContext& context);
Status InvokeAdd(const InvokeContext& context);
Status PrepareMul(PrepareContext& context);
Status InvokeMul(const InvokeContext& context);
Status PrepareQuantize(PrepareContext& context);
Status InvokeQuantize(const InvokeContext& context);
Status PrepareDequantize(PrepareContext& context);
Status InvokeDequantize(const InvokeContext& context);
Status PrepareRelu(PrepareContext& context);
Status InvokeRelu(const InvokeContext& context);
Status PrepareRelu6(PrepareContext& context);
Status InvokeRelu6(const InvokeContext& context);
Status PrepareLogistic(PrepareContext& context);
Status InvokeLogistic(const InvokeContext& context);
Status PrepareTanh(PrepareContext& context);
Status InvokeTanh(const InvokeContext& context);

}  // namespace arenaproof::reference
