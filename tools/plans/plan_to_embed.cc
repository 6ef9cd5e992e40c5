#include "tools/plans/plan_to_embed.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/model/offline_plan.h"

namespace arenaproof {
namespace {

struct Variable {
  std::size_t subgraph = 0, tensor = 0;
};

class Entries {
 public:
  Entries(const ModelView& model, const LabelledProblem& problem) : model_(model), problem_(problem) {}

  std::size_t EntryOf(std::size_t buffer) const {
    const BufferLabel& label = problem_.labels[buffer];
    return model_.first_tensor_of(static_cast<std::size_t>(label.subgraph)) + static_cast<std::size_t>(label.tensor);
  }
  bool IsTensor(std::size_t buffer) const { return problem_.labels[buffer].tensor >= 0; }

  // For each entry the variable, if there is one, that is in no plan and for which this entry is read too.
  std::vector<std::optional<Variable>> ReadForVariables() const {
    std::vector<bool> planned(model_.total_tensor_count(), false);
    for (std::size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (IsTensor(i)) planned[EntryOf(i)] = true;
    }
    std::vector<std::optional<Variable>> read(planned.size());
    for (std::size_t s = 1; s < model_.subgraph_count(); ++s) {
      for (std::size_t i = 0; i < model_.tensor_count(s); ++i) {
        if (model_.tensor(s, i).is_variable && !planned[model_.first_tensor_of(s) + i]) read[i] = Variable{s, i};
      }
    }
    return read;
  }

 private:
  const ModelView& model_;
  const LabelledProblem& problem_;
};

std::string CannotBeLeftOpen(const LabelledProblem& problem, std::size_t buffer, const Variable& variable) {
  return "the model's own plan fixes " + WhatItIs(problem.labels[buffer]) + " at offset " +
         std::to_string(*problem.buffers[buffer].offset) + ", and that entry of a plan is read for variable " +
         std::to_string(variable.tensor) + " of subgraph " + std::to_string(variable.subgraph) +
         " too, which then has no memory; --ignore-plan plans anew";
}

PlanToEmbed NoPlan(std::string problem) {
  PlanToEmbed none;
  none.problem = std::move(problem);
  return none;
}

}  // namespace

PlanToEmbed FixTensors(const ModelView& model, const LabelledProblem& problem, const MadePlan& plan) {
  const Entries entries(model, problem);
  const std::vector<std::optional<Variable>> read = entries.ReadForVariables();
  PlanToEmbed embedded;
  embedded.entries.assign(model.total_tensor_count(), kPlannedAtRunTime);
  LabelledProblem fixed = problem;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    if (!entries.IsTensor(i)) continue;
    const std::size_t entry = entries.EntryOf(i);
    if (const auto& variable = read[entry]) {
      if (problem.buffers[i].offset) return NoPlan(CannotBeLeftOpen(problem, i, *variable));
      embedded.left_open.push_back(i);
      continue;
    }
    embedded.entries[entry] = static_cast<std::int32_t>(*plan.offsets[i]);
    fixed.buffers[i].offset = plan.offsets[i];
  }
  embedded.device_plan = MakePlan("greedy", fixed);
  const std::int64_t head_bytes = std::max(plan.peak_bytes, embedded.device_plan.peak_bytes);
  if (head_bytes > std::numeric_limits<std::int32_t>::max()) {
    return NoPlan("the plan's head of " + std::to_string(head_bytes) +
                  " bytes is more than the format of offline plans can hold");
  }
  return embedded;
}

}  // namespace arenaproof
