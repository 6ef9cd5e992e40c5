// Whole numbers that operators take as tensors: shapes, axes, places, paddings. They may be computed at run time, so
// each is checked where it is known: in prepare when it is a constant of the model, else in invoke.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/status.h"
#include "kernels/reference/checks.h"

namespace arenaproof::reference {

// Precondition: int8, int16, int32 or int64.
std::int64_t NumberAt(const Operand& numbers, std::size_t position);

// A list of `count` numbers, int32 or int64.
Status CheckNumberList(const PrepareContext& context, std::size_t operand, std::size_t count);

// kKernelIndex with the bound that is passed.
Status CheckNumber(std::size_t operand, std::size_t position, std::int64_t found, std::int64_t least,
                   std::int64_t most);

// Every number of the int32 operand is an index below `limit`.
Status CheckIndices(const Operand& indices, std::size_t operand, std::int64_t limit);

}  // namespace arenaproof::reference
