// Brings an operator back within its row of the table: types of one tuple, ranks and options in their ranges. What then
// still does not fit together the operator itself has to refuse.
#pragma once

#include <cstddef>

#include "core/operators/operator_row.h"
#include "engine/generators/random_source.h"

namespace arenaproof::wire {
struct ModelT;
}

namespace arenaproof {

// One operator, chosen among those that have a row; nothing happens when none has.
void RepairByTable(wire::ModelT& model, RandomSource& random);

// That operator, by that row. Precondition: it is there.
void RepairByRow(wire::ModelT& model, std::size_t subgraph, std::size_t op, const OperatorRow& row,
                 RandomSource& random);

}  // namespace arenaproof
