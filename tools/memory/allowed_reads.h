// What the kernels of a model's operators declare that they read beside operands, by tensor, and how much of the arena
// that takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter.h"

namespace arenaproof {

struct AllowedRead {
  std::int32_t subgraph, operator_index;
  std::string operator_name, kernel;
  OperandKind kind;  // input, constant or output
  std::int32_t tensor;
  std::string tensor_name;
  std::size_t before_bytes, after_bytes;

  // Whether the entry of a plan is its tensor's.
  bool IsOf(const PlanEntry& entry) const {
    return entry.subgraph == subgraph && entry.tensor == tensor && entry.bytes > 0;
  }
};

// After the set-up, when each operator has its kernel. Operands that an operator lacks or leaves out are not in the
// list.
std::vector<AllowedRead> AllowedReadsOf(const ModelView& model, const Interpreter& interpreter);

// The offset behind the last byte that they read of tensors of the plan; 0 when there are none.
std::size_t EndOfAllowedReads(std::span<const AllowedRead> reads, std::span<const PlanEntry> plan);

}  // namespace arenaproof
