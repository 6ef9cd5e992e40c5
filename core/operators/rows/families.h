// The rows, a file for each family.
#pragma once

#include <span>

#include "core/operators/operator_row.h"

namespace arenaproof {

std::span<const OperatorRow> ElementRows();     // of one input: activations, float functions, type changes
std::span<const OperatorRow> ArithmeticRows();  // of two inputs and more: sums, comparisons, logic, selection
std::span<const OperatorRow> MovementRows();    // elements go elsewhere, unchanged
std::span<const OperatorRow> ReductionRows();   // axes reduced, summed along, or indexed
std::span<const OperatorRow> WindowRows();      // filters, pools, matrices, resized images
std::span<const OperatorRow> SequenceRows();    // rows along the last axis, and states
std::span<const OperatorRow> CallRows();        // called subgraphs and resource variables

}  // namespace arenaproof
