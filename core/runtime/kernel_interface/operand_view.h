// Fills the operands that a kernel gets to see, outside the arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"
#include "core/model/model_view.h"
#include "core/runtime/kernel_interface/eval_tensor.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

// Where operands come from. With `model` null the views are those of invoke: without quantisation lists, which may be
// read in prepare only. With `tensors` empty they are described from the model, at the addresses `constants` gives.
struct OperandSource {
  const ModelView* model = nullptr;
  std::size_t subgraph = 0;
  std::span<const EvalTensor> tensors;
  ConstantPlacement* constants = nullptr;
};

// Inputs, then outputs; an index of -1 is an omitted operand. kTooManyOperands (`operator_index` is for this message)
// when `operands` is too short, kRuntimeTensorIndex, and what DescribeTensor can fail with.
Status FillOperands(const OperandSource& source, std::size_t operator_index, std::span<const std::int32_t> inputs,
                    std::span<const std::int32_t> outputs, std::span<Operand> operands);

Operand OperandOf(const EvalTensor& tensor, std::int32_t index);

}  // namespace arenaproof
