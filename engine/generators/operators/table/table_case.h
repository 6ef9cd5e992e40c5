// Cases of any operator, drawn from its row in the table of operators: a tuple of types, options in their ranges,
// shapes by the operator's shape rule, quantisation and values by the rules of its operands. All are valid.
#pragma once

#include <cstddef>
#include <span>

#include "core/operators/operator_row.h"
#include "engine/generators/operators/table/extents.h"

namespace arenaproof {

struct TableCase {
  OperatorCase subject;
  std::size_t tuple = 0;        // which of the row's types
  std::int32_t far_extent = 0;  // 0: none is far
  std::size_t far = 0;          // which of the extents it is, where one is
};

// Rows of called subgraphs and resource variables have no case of their own (call_case.h draws them).
bool HasTableCases(const OperatorRow& row);
// Those of the table that have them.
std::span<const OperatorRow* const> RowsWithCases();

// Half of the time each is as likely, else each by how many tuples of types it has.
const OperatorRow& DrawRowWithCases(CaseRandom& random);

// With values. `far`: which of the extents is far, in the order in which the shape rule draws them.
TableCase MakeTableCase(CaseRandom& random, const OperatorRow& row, std::size_t far = Extents::kNoneFar);

// Its shapes alone, of which far ones are quicker to draw than all their values.
TableCase DrawTableShapes(CaseRandom& random, const OperatorRow& row, std::size_t far);

// Which of the extents is far is drawn below this number; few operators draw more of them.
inline constexpr std::size_t kMostFarExtents = 8;
// One in four has a far extent.
TableCase MakeNearOrFarTableCase(CaseRandom& random, const OperatorRow& row);

}  // namespace arenaproof
