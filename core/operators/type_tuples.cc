#include "core/operators/type_tuples.h"

#include <span>

#include "core/operators/operand_rules.h"

namespace arenaproof {
namespace {

bool FitsSide(std::span<const OperandRow> rows, std::span<const std::optional<TensorType>> types,
              const TypeTuple& tuple, bool unread_too) {
  for (std::size_t operand = 0; operand < types.size(); ++operand) {
    if (!types[operand]) continue;
    if (rows.empty()) return false;
    const OperandRow& row = OperandRowAt(rows, operand);
    if ((row.read || unread_too) && *types[operand] != tuple[row.type_column]) return false;
  }
  return true;
}

}  // namespace

std::optional<std::size_t> TupleOf(const OperatorRow& row, const OperandTypes& types) {
  for (const bool unread_too : {true, false}) {
    for (std::size_t tuple = 0; tuple < row.types.size(); ++tuple) {
      if (FitsSide(row.inputs, types.inputs, row.types[tuple], unread_too) &&
          FitsSide(row.outputs, types.outputs, row.types[tuple], unread_too)) {
        return tuple;
      }
    }
  }
  return std::nullopt;
}

}  // namespace arenaproof
