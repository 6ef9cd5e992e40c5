// Copies whose output is written in memory order while the input is read in strides: transposed, sliced, reversed,
// repeated.
#pragma once

#include <array>
#include <cstddef>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::reference {

// What is read, in elements. Axes are those of the output, from the outermost; unused ones keep an extent of 1.
struct StridedSource {
  std::array<std::size_t, kMaxOperandRank> extents{1, 1, 1, 1, 1, 1};
  std::array<std::ptrdiff_t, kMaxOperandRank> strides{};
  std::ptrdiff_t first = 0;  // where the first element is read
};
static_assert(kMaxOperandRank == 6);

// How many elements apart neighbours along each axis of the operand lie. Precondition: no extent is 0.
std::array<std::ptrdiff_t, kMaxOperandRank> ElementStrides(const Operand& operand);

// Nothing when an extent is 0. Precondition: every element lies in `from`, and all of them fit `to`.
void CopyStrided(const StridedSource& source, const Operand& from, const Operand& to);

}  // namespace arenaproof::reference
