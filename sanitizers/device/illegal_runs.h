// Which bytes of an access are illegal, and which operand of the running operator each run of them is charged to.
//
// Rule: a run of illegal bytes belongs to the nearest operand (fewest closed bytes between them). Ties, in this order:
// the operand that the access also touches, the one that holds the access's lowest byte, the one at the lower address,
// the one listed first. Bytes that lie in an operand which lacks the wanted right are a run of their own (kInside).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/arena/observer.h"
#include "sanitizers/device/violation_side.h"

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

struct AddressRange {
  std::uintptr_t begin = 0, end = 0;  // [begin, end)
};

// The first run of illegal bytes of `access` at or behind `from`, which is where the last one ended or the access
// begins; false when there is none. `allowances` may be read, and nothing is charged to them.
bool NextIllegalRun(std::span<const OperandRange> operands, AddressRange access, bool write,
                    std::span<const OperandRange> allowances, std::uintptr_t from, IllegalRun* run);

inline std::uintptr_t AddressOf(const std::byte* data) { return reinterpret_cast<std::uintptr_t>(data); }

inline bool Grants(AccessRight right, bool write) {
  const auto wanted = static_cast<unsigned>(write ? AccessRight::kWrite : AccessRight::kRead);
  return (static_cast<unsigned>(right) & wanted) != 0;
}

// There is none where a kernel was given nothing.
inline bool Exists(const OperandRange& operand) { return operand.data != nullptr && operand.bytes > 0; }

inline AddressRange AddressesOf(const OperandRange& operand) {
  const std::uintptr_t begin = AddressOf(operand.data);
  return {begin, begin + operand.bytes};
}

// The nearest edge of an operand behind `address`, `end` when there is none before it. Between two edges all bytes have
// the same rights.
std::uintptr_t NextEdge(std::span<const OperandRange> operands, std::uintptr_t address, std::uintptr_t end);

}  // namespace arenaproof
