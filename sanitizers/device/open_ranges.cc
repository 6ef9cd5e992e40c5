#include "sanitizers/device/open_ranges.h"

#include <cstdint>

namespace arenaproof {

OperandRange GivenBlock(std::span<const OperandRange> operands, OperandKind kind, MemoryRegion block) {
  std::int32_t index = 0;
  for (const OperandRange& operand : operands) index += operand.kind == kind ? 1 : 0;
  return {block.data, block.bytes, AccessRight::kReadWrite, kind, index};
}

void TakeTemporary(std::span<OperandRange> operands, const std::byte* address) {
  for (OperandRange& operand : operands) {
    if (operand.kind == OperandKind::kTemporary && operand.data == address) operand.bytes = 0;
  }
}

void TakeTemporaries(std::span<OperandRange> operands) {
  for (OperandRange& operand : operands) {
    if (operand.kind == OperandKind::kTemporary) operand.bytes = 0;
  }
}

void TakePersistentBelow(std::span<OperandRange> operands, const std::byte* tail_begin) {
  for (OperandRange& operand : operands) {
    if (operand.kind == OperandKind::kPersistent && operand.data < tail_begin) operand.bytes = 0;
  }
}

}  // namespace arenaproof
