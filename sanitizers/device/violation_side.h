// Where bytes lie that an operator had no right to touch, seen from the operand that is charged with them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenaproof {

// kFar: the nearest of them is kFarBytes or more away from every operand of the operator. kInside: bytes of an operand
// that grants the other right only (a write to an input). kOverwritten: bytes of an input in place that the operator
// has overwritten with its output. kDiffers: bytes of a result that are others in a run whose bytes outside of the
// operands are others; no access was seen. kUnwritten: bytes of a result that nobody has written, or that were made
// from such; without an operand: the operator's way was.
enum class ViolationSide : std::uint8_t { kBefore, kAfter, kInside, kFar, kOverwritten, kDiffers, kUnwritten };

inline constexpr std::size_t kFarBytes = 64;

}  // namespace arenaproof
