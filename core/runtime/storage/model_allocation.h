// Where a model's parts lie once allocated. Every array is in the arena's tail; this object is the interpreter's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/arena/observer.h"
#include "core/base/structure_bytes.h"
#include "core/runtime/kernel_interface/eval_tensor.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "core/runtime/kernel_interface/operator_record.h"

namespace arenaproof {

struct SubgraphAllocation {
  std::span<EvalTensor> tensors;
  std::span<OperatorRecord> operators;
  std::span<const std::int32_t> inputs;  // in the model file
  std::span<const std::int32_t> outputs;
};
ARENAPROOF_PIN_BYTES(SubgraphAllocation, 64, 8, 32, 4);

struct ModelAllocation {
  std::span<SubgraphAllocation> subgraphs;
  // One for each request of the whole model, after planning.
  std::span<std::byte*> scratch_data;
  std::span<std::size_t> scratch_bytes;
  // Room for the access list of an operator with more than kScratchOutsideArena scratch buffers; empty when none has.
  std::span<OperandRange> wide_ranges;
  // Tensor structs of the main subgraph's inputs and outputs.
  std::span<Operand> graph_inputs;
  std::span<Operand> graph_outputs;
};

}  // namespace arenaproof
