// Which bytes of an access are illegal, and which operand of the running operator each run of them is charged to.
//
// Rule: a run of illegal bytes belongs to the nearest operand (fewest closed bytes between them). Ties, in this order:
// the operand that the access also touches, the one that holds the access's lowest byte, the one at the lower address,
// the one listed first. Bytes that lie in an operand which lacks the wanted right are a run of their own (kInside).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/arena/observer.h"
#include "sanitizers/report/violation.h"

namespace arenaproof {

struct IllegalRun {
  std::uintptr_t begin = 0;  // [begin, end)
  std::uintptr_t end = 0;
  ViolationSide side = ViolationSide::kFar;
  int operand = -1;  // index into the operands; -1: there is none
  std::size_t distance_bytes = 0;

  // The byte furthest from the operand.
  std::uintptr_t furthest() const { return side == ViolationSide::kBefore ? begin : end - 1; }
};

// One entry for each maximal run; empty when the operands allow all of [address, address + bytes). `allowances` may be
// read, and nothing is charged to them.
std::vector<IllegalRun> AttributeAccess(std::span<const OperandRange> operands, std::uintptr_t address,
                                        std::size_t bytes, bool write, std::span<const OperandRange> allowances = {});

inline std::uintptr_t AddressOf(const std::byte* data) { return reinterpret_cast<std::uintptr_t>(data); }

inline bool Grants(AccessRight right, bool write) {
  const auto wanted = static_cast<unsigned>(write ? AccessRight::kWrite : AccessRight::kRead);
  return (static_cast<unsigned>(right) & wanted) != 0;
}

}  // namespace arenaproof
