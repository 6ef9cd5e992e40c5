#include "core/operators/operand_rules.h"

#include <algorithm>

namespace arenaproof {

const OperandRow& OperandRowAt(std::span<const OperandRow> rows, std::size_t operand) {
  return rows[std::min(operand, rows.size() - 1)];
}

QuantizationRule RuleFor(const OperandRow& row, TensorType type) {
  if (IsNarrow(type)) return row.quantization;
  if (type == TensorType::kInt16) return row.wide_quantization;
  if (type != TensorType::kInt32 && type != TensorType::kInt64) return QuantizationRule::kNone;
  if (type == TensorType::kInt32 && row.long_quantization != QuantizationRule::kNone) return row.long_quantization;
  return row.quantization == QuantizationRule::kProduct ? QuantizationRule::kProduct : QuantizationRule::kNone;
}

QuantizationRead ReadFor(const OperandRow& row, TensorType type) {
  return type == TensorType::kInt16 ? row.wide_quantization_read : row.quantization_read;
}

bool IsNarrow(TensorType type) {
  return type == TensorType::kInt8 || type == TensorType::kUInt8 || type == TensorType::kInt4;
}

}  // namespace arenaproof
