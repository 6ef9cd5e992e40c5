// A plan of the model's own that a rule of offline plans refuses for where it puts tensors. It is a plan all the same,
// of which people want to see more than the one sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/status.h"
#include "core/runtime/planning/offline_plan_listener.h"
#include "tools/plans/labelled_problem.h"
#include "tools/plans/plan_certificate.h"

namespace arenaproof {

struct RefusedPlan {
  // As the plan says, one for each buffer; what it leaves open is placed around as 'greedy' does.
  std::vector<std::optional<std::int64_t>> offsets;
  PlanCertificate fault;  // in the certifier's words
};

// `problem` has the offsets that the plan fixes, `overlap` the pair when the rule is about one. Nothing when the rule
// is about something else.
std::optional<RefusedPlan> DescribeRefusedPlan(const LabelledProblem& problem, const Status& refusal,
                                               const std::optional<OfflineOverlap>& overlap);

}  // namespace arenaproof
