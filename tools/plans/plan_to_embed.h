// A plan as it goes into a model file: the entries of all tensors, and what a device makes of them.
//
// Two kinds of buffers have no offset there, and the device's greedy planner places them around those that have one:
// scratch buffers, which the format does not know, and tensors whose entry is read for a variable too. TensorFlow Lite
// Micro decides in MicroAllocator::AllocateVariables whether variable i of a subgraph gets a block of its own, and asks
// entry i of the whole plan for every subgraph: -1 means that it does. Everywhere else
// (AllocationInfoBuilder::InitializeAllocationInfo) entries are counted over all subgraphs, as they are here. So where
// variable i of a later subgraph is not in the plan, entry i has to be -1 as well as its own; else the variable would
// be left without memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "tools/plans/labelled_problem.h"
#include "tools/plans/made_plan.h"

namespace arenaproof {

struct PlanToEmbed {
  std::string problem;                 // why there is none, a sentence
  std::vector<std::int32_t> entries;   // one for each tensor of all subgraphs
  std::vector<std::size_t> left_open;  // tensors of the problem without an offset
  MadePlan device_plan;                // what follows from the entries
};

// `problem` is that of the model, and `plan` a plan of it. There is none where the model's own plan fixes what has to
// be left open, or an offset does not fit an entry.
PlanToEmbed FixTensors(const ModelView& model, const LabelledProblem& problem, const MadePlan& plan);

}  // namespace arenaproof
