// `plan --embed`: the model's file with the plan that was made, or without any.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/command/planned_subject.h"
#include "tools/command/refused.h"
#include "tools/plans/made_plan.h"

namespace arenaproof {

struct EmbeddedPlan {
  std::string problem;  // a sentence; empty: the file is written
  RefusalFacts refused;
  std::size_t head_bytes = 0;          // after a set-up of the written model
  std::vector<std::size_t> left_open;  // tensors of the subject's problem that have no offset in it
};

// Fixes the tensors of the plan as tools/plans/plan_to_embed.h says and changes the plan to what a device makes of
// that: its greedy planner places everything else around them. Writes the model to `path` once a set-up of it has been
// seen to lead to just this plan; one that does not is an error of this program (std::runtime_error).
EmbeddedPlan WriteWithPlan(const PlannedSubject& subject, const std::string& path, MadePlan& plan);

// Without its plan; the head is then what a device plans by itself.
EmbeddedPlan WriteWithoutPlan(const PlannedSubject& subject, const std::string& path);

}  // namespace arenaproof
