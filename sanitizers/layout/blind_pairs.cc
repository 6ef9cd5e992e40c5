#include "sanitizers/layout/blind_pairs.h"

#include <cstdint>

#include "sanitizers/layout/layout.h"

namespace arenaproof {
namespace {

bool IsTensor(const OperandRange& operand) {
  switch (operand.kind) {
    case OperandKind::kInput:
    case OperandKind::kOutput:
    case OperandKind::kConstant:
    case OperandKind::kVariable:
      return true;
    default:
      return false;
  }
}

bool SameOperand(const OperandRange& a, const OperandRange& b) {
  if (IsInPlace(a.right) && IsInPlace(b.right)) return true;
  return IsTensor(a) && IsTensor(b) && a.index == b.index && a.data == b.data;
}

template <typename Found>
void ForEachBlindPair(std::span<const OperandRange> operands, Found found) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t j = i + 1; j < operands.size(); ++j) {
      const OperandRange& a = operands[i];
      const OperandRange& b = operands[j];
      if (a.bytes == 0 || b.bytes == 0 || SameOperand(a, b)) continue;
      // Addresses, because the ranges may belong to different objects.
      const auto a_begin = reinterpret_cast<std::uintptr_t>(a.data);
      const auto b_begin = reinterpret_cast<std::uintptr_t>(b.data);
      const bool a_is_lower = a_begin <= b_begin;
      const std::uintptr_t lower_end = a_is_lower ? a_begin + a.bytes : b_begin + b.bytes;
      const std::uintptr_t upper_begin = a_is_lower ? b_begin : a_begin;
      if (upper_begin < lower_end) {
        found(BlindPair{i, j, true, 0});
      } else if (upper_begin - lower_end < kClosedBytes) {
        found(BlindPair{i, j, false, upper_begin - lower_end});
      }
    }
  }
}

}  // namespace

std::vector<BlindPair> FindBlindPairs(std::span<const OperandRange> operands) {
  std::vector<BlindPair> pairs;
  ForEachBlindPair(operands, [&](const BlindPair& pair) { pairs.push_back(pair); });
  return pairs;
}

std::size_t CountBlindPairs(std::span<const OperandRange> operands) {
  std::size_t count = 0;
  ForEachBlindPair(operands, [&](const BlindPair&) { ++count; });
  return count;
}

}  // namespace arenaproof
