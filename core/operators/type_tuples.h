// Which of a row's tuples the types of an operator's operands are.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/operators/operator_row.h"

namespace arenaproof {

// Every type of the schema.
inline constexpr auto kSchemaTypes = [] {
  std::array<TensorType, static_cast<std::size_t>(TensorType::kFloat8E5M2) + 1> types{};
  for (std::size_t i = 0; i < types.size(); ++i) types[i] = static_cast<TensorType>(i);
  return types;
}();

// An operand that is left out has no type.
struct OperandTypes {
  std::vector<std::optional<TensorType>> inputs;
  std::vector<std::optional<TensorType>> outputs;
};

// The first tuple that they fit; nothing when the operator is not served with them. What is left out fits any, and so
// does an operand that is not read, unless there is a tuple of its type too.
std::optional<std::size_t> TupleOf(const OperatorRow& row, const OperandTypes& types);

}  // namespace arenaproof
