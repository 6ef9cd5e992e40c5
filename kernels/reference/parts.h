// One whole tensor and the parts that lie side by side along one of its axes.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/structure_bytes.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::reference {

// Op data of the operators that join or cut a whole.
struct PartsData {
  std::size_t axis = 0;  // of the whole
};
ARENAPROOF_PIN_BYTES(PartsData, 8, 8, 4, 4);

// Precondition for both: the parts' extents along the axis add up to the whole's, and all other extents are equal.
void JoinParts(std::span<const Operand> parts, const Operand& whole, std::size_t axis);
void CutIntoParts(const Operand& whole, std::size_t axis, std::span<const Operand> parts);

}  // namespace arenaproof::reference
