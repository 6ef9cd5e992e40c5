// What an operand's row says of an operand of one type.
#pragma once

#include <cstddef>
#include <span>

#include "core/operators/operator_row.h"

namespace arenaproof {

// The row of an operand: the last one stands for every repetition. Precondition: there are rows.
const OperandRow& OperandRowAt(std::span<const OperandRow> rows, std::size_t operand);

// The rule that counts for an operand of that type; kNone for types without quantisation.
QuantizationRule RuleFor(const OperandRow& row, TensorType type);
QuantizationRead ReadFor(const OperandRow& row, TensorType type);

// int8, uint8, int4: those of OperandRow::quantization.
bool IsNarrow(TensorType type);

}  // namespace arenaproof
