// What runs in each step of a model's clock (core/model/lifetimes.h): an operator, or the entry into a subgraph that it
// calls.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/operator_location.h"

namespace arenaproof {

inline constexpr std::int64_t kFirstOperatorStep = 1;

struct StepOperator {
  OperatorLocation location;           // not known for step 0, which is before the first operator
  std::int32_t entered_subgraph = -1;  // the step is this subgraph's entry, called by the operator
};

// One entry for each step from 0 to the last. The model's lifetimes have been computed, which bounds the walk.
std::vector<StepOperator> StepOperators(const ModelView& model);

// "after operator 2 CONV_2D", "before the first operator", "at the entry of subgraph 1, called by operator 3 WHILE";
// operators of other subgraphs than the first with " of subgraph N". A time behind the last step: "at step N".
std::string WhenText(const ModelView& model, std::span<const StepOperator> steps, std::int64_t time);

}  // namespace arenaproof
