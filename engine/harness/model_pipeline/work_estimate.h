// What one invoke of a model costs, counted from its operands' shapes: multiply-accumulates where an operator has
// them, elements touched otherwise. Fuzzing spends counted work and never looks at a clock, so that an input takes the
// same way on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/cancellation.h"

namespace arenaproof {

// The work of one operator, the subgraphs that it calls not counted. UINT64_MAX stands for any number too large to
// count. Dimensions of 0 count as 1: kernels loop over some dimensions of a shape without the others.
std::uint64_t EstimateOperatorWork(const ModelView& model, std::size_t subgraph, std::size_t operator_index);

// Its multiply-accumulates, of a pool the elements in its windows; 0 for operators without.
std::uint64_t EstimateOperatorProducts(const ModelView& model, std::size_t subgraph, std::size_t operator_index);

// The work of entering a subgraph once: its inputs and outputs are copied.
std::uint64_t EstimateEntryWork(const ModelView& model, std::size_t subgraph);

// The work of every operator of subgraph 0 of a sound model, once.
std::uint64_t EstimateInvokeWork(const ModelView& model);

// Lets an invoke go on as long as the work of what has run and of what is next stays within a budget. How often loops
// run is known then only.
class WorkBudget final : public Cancellation {
 public:
  WorkBudget(const ModelView& model, std::uint64_t budget) : model_(model), left_(budget) {}

  bool Cancelled(const OperatorLocation& next) override;
  std::uint64_t left() const { return left_; }

 private:
  const ModelView& model_;
  std::uint64_t left_;
};

}  // namespace arenaproof
