// What is wrong with a plan of a planner's problem, buffer by buffer and pair by pair: a second, slow statement of
// tools/plans/plan_certificate.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/planner/optimal/plan_problem.h"
#include "tools/plans/plan_certificate.h"

namespace arenaproof::testing {

bool LivesAt(const PlanBuffer& buffer, std::int64_t time);

// Whether there is a moment at which both live.
bool LiveTogether(const PlanBuffer& a, const PlanBuffer& b);

struct WrongPlan {
  PlanFault fault = PlanFault::kNone;
  std::size_t buffer = 0;                                       // of any fault but kSharedBytes: the lowest
  std::vector<std::pair<std::size_t, std::size_t>> pairs = {};  // of kSharedBytes: all, the lower index first
};

// Offsets are far below 2^62.
WrongPlan WhatIsWrong(const std::vector<PlanBuffer>& buffers, const std::vector<std::optional<std::int64_t>>& offsets);

// Whether the certificate says just that; of pairs any one of them.
bool SaysTheSame(const PlanCertificate& certificate, const WrongPlan& wrong);

}  // namespace arenaproof::testing
