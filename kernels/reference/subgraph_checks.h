// What operators that call subgraphs have to refuse in prepare: lists of the called subgraph that do not fit the
// operands which are copied into or out of it. The reference looks at these when it runs, or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::reference {

// kKernelSubgraphCount unless the subgraph lists so many inputs, or outputs.
Status CheckSubgraphInputCount(const PrepareContext& context, std::int32_t subgraph, std::size_t expected);
Status CheckSubgraphOutputCount(const PrepareContext& context, std::int32_t subgraph, std::size_t expected);

// The subgraph lists as many inputs, or outputs, as there are operands, each with as many bytes as the operand at its
// place (kKernelSubgraphBytes).
Status CheckSubgraphInputs(const PrepareContext& context, std::int32_t subgraph, std::span<const Operand> operands);
Status CheckSubgraphOutputs(const PrepareContext& context, std::int32_t subgraph, std::span<const Operand> operands);

// The subgraph's first output is one bool.
Status CheckSubgraphCondition(const PrepareContext& context, std::int32_t subgraph);

}  // namespace arenaproof::reference
