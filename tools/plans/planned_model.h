// What a model asks of a planner, from one real set-up: sizes, lifetimes, scratch, and what the runtime says of the
// model's own offline plan.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/base/status.h"
#include "core/model/validated_model.h"
#include "core/runtime/interpreter/operator_location.h"
#include "tools/model/offline_plan_report.h"
#include "tools/model/planning_kernels.h"
#include "tools/plans/labelled_problem.h"
#include "tools/plans/refused_plan.h"
#include "tools/plans/sharing_question.h"

namespace arenaproof {

struct PlannedModel {
  Status status;
  std::string problem;          // its sentence; empty: the set-up succeeded
  OperatorLocation location;    // of the operator that was refused
  std::vector<PlanEntry> plan;  // the runtime's greedy planner's, in the order in which it asks
  std::size_t head_bytes = 0;
  OfflinePlanReport offline_plan;
  // The model's own plan is the problem, and here is what it says; then `plan` has its offsets, as far as they are any.
  std::optional<RefusedPlan> refused = {};
};

// Completes the set for the model, also where a kernel refuses an operator's types: shapes tell what there is to plan.
// Empty, or the sentence about a word of --scratch that is wrong.
std::string CompleteKernels(const KernelSet& set, const ValidatedModel& model, const std::vector<std::string>& scratch,
                            PlanningKernels& kernels);

// `kernels` has completed a set for this model, or one with the same operators. `sharing` is asked too, when given.
// With `strict` offsets of constants in the model's own plan are refused.
PlannedModel SetUpForPlanning(const ValidatedModel& model, const PlanningKernels& kernels, OwnPlan own_plan,
                              SharingQuestion* sharing = nullptr, bool strict = false);

// The end of the highest buffer.
std::size_t HeadBytesOf(std::span<const PlanEntry> plan);

}  // namespace arenaproof
