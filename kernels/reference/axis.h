// One axis of an operand, which the reference's kernels read when they run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/status.h"
#include "kernels/reference/checks.h"

namespace arenaproof::reference {

// An operand along one axis: outer * length * inner elements in memory order.
struct AxisLines {
  std::size_t outer = 1;
  std::size_t length = 1;
  std::size_t inner = 1;
};

// Precondition: axis < operand.rank.
AxisLines LinesAlong(const Operand& operand, std::size_t axis);

// Input `operand` is an int32 list of at most one dimension; a constant one names axes below `rank` or, from the end,
// above or at -rank.
Status CheckAxes(const PrepareContext& context, std::size_t operand, std::size_t rank);
// The same with exactly one axis.
Status CheckAxis(const PrepareContext& context, std::size_t operand, std::size_t rank);

// The axis at `position` of input `operand`. kKernelIndex.
Status ReadAxisAt(const InvokeContext& context, std::size_t operand, std::size_t position, std::size_t rank,
                  std::size_t* axis);

}  // namespace arenaproof::reference
