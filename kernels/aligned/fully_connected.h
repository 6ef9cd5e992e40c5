// int8 FULLY_CONNECTED with the access pattern of a vector unit's aligned dot product. Validation and op data are the
// reference kernel's, and so are the numbers, bit for bit; only the accesses differ.
#pragma once

#include <span>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::aligned {

// int8 input, filter and output.
bool ServesInt8(std::span<const Operand> inputs, std::span<const Operand> outputs);

// Sound: the pattern for every row, loads clamped to the operands.
Status InvokeSound(const InvokeContext& context);

// Faulty: the pattern for every row, whole blocks. Outside the operands it reads up to 15 bytes before and after the
// vector and the filter; nothing where rows, vector and depth are 16-aligned.
Status InvokeFaulty(const InvokeContext& context);

// Faulty in front only: blocks of the vector are read from their first byte, up to 15 bytes before it; nothing else is.
Status InvokeUnderreading(const InvokeContext& context);

// Faulty as the library it is modelled on dispatches: whole blocks only for groups of 64 rows, when rows, depth,
// vector, bias and output are not all 16-aligned and the depth is not 64; everything else is read exactly.
Status InvokeFaultyDispatch(const InvokeContext& context);

}  // namespace arenaproof::aligned
