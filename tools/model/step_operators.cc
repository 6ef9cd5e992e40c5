#include "tools/model/step_operators.h"

#include <cstddef>

#include "core/model/call_tree.h"
#include "tools/text/operator_text.h"

namespace arenaproof {
namespace {

// The walk of the lifetimes, for its clock alone.
void WalkSubgraph(const ModelView& model, std::size_t subgraph, std::vector<StepOperator>& steps) {
  for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
    OperatorLocation location;
    location.subgraph = static_cast<std::int32_t>(subgraph);
    location.operator_index = static_cast<std::int32_t>(i);
    steps.push_back({location, -1});
    const CalledSubgraphs called = SubgraphsCalledBy(model.operator_at(subgraph, i));
    for (std::size_t call = 0; call < called.count; ++call) {
      if (called.subgraph[call] == -1) continue;
      steps.push_back({location, called.subgraph[call]});
      WalkSubgraph(model, static_cast<std::size_t>(called.subgraph[call]), steps);
    }
  }
}

}  // namespace

std::vector<StepOperator> StepOperators(const ModelView& model) {
  std::vector<StepOperator> steps = {{}};
  if (model.subgraph_count() > 0) WalkSubgraph(model, 0, steps);
  return steps;
}

std::string WhenText(const ModelView& model, std::span<const StepOperator> steps, std::int64_t time) {
  if (time < kFirstOperatorStep) return "before the first operator";
  if (time >= static_cast<std::int64_t>(steps.size())) return "at step " + std::to_string(time);
  const StepOperator& step = steps[static_cast<std::size_t>(time)];
  std::string name =
      "operator " + std::to_string(step.location.operator_index) + " " + OperatorName(model, step.location);
  if (step.location.subgraph != 0) name += " of subgraph " + std::to_string(step.location.subgraph);
  if (step.entered_subgraph < 0) return "after " + name;
  return "at the entry of subgraph " + std::to_string(step.entered_subgraph) + ", called by " + name;
}

}  // namespace arenaproof
