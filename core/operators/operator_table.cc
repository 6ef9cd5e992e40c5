#include "core/operators/operator_table.h"

#include <algorithm>

#include "core/operators/rows/families.h"

namespace arenaproof {
namespace {

std::vector<const OperatorRow*> AllRows() {
  std::vector<const OperatorRow*> all;
  for (const std::span<const OperatorRow> family :
       {ElementRows(), ArithmeticRows(), MovementRows(), ReductionRows(), WindowRows(), SequenceRows(), CallRows()}) {
    for (const OperatorRow& row : family) all.push_back(&row);
  }
  std::sort(all.begin(), all.end(), [](const auto* one, const auto* other) { return one->code < other->code; });
  return all;
}

}  // namespace

std::span<const OperatorRow* const> OperatorTable() {
  static const std::vector<const OperatorRow*> rows = AllRows();
  return rows;
}

const OperatorRow* FindOperatorRow(BuiltinOperator code) {
  const auto rows = OperatorTable();
  const auto found = std::find_if(rows.begin(), rows.end(), [code](const auto* row) { return row->code == code; });
  return found == rows.end() ? nullptr : *found;
}

}  // namespace arenaproof
