// The moment at which most bytes are alive, which no plan can go below, and what is alive then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/model/model_view.h"
#include "core/planner/optimal/plan_problem.h"
#include "tools/plans/labelled_problem.h"

namespace arenaproof {

struct BusiestMoment {
  std::int64_t bytes = 0;            // 0: nothing with bytes is ever alive
  std::int64_t time = 0;             // the earliest of such moments, of a model the earliest of an operator
  std::vector<std::size_t> buffers;  // with bytes, alive then, in the order of the problem
};

// Where several times have as many bytes, those before `preferred_from` are named only when no later one has.
BusiestMoment FindBusiestMoment(std::span<const PlanBuffer> buffers,
                                std::int64_t preferred_from = std::numeric_limits<std::int64_t>::min());

// The same where buffers share: their bytes count once, as long as one of them is alive. Named are those alive.
BusiestMoment FindBusiestMoment(const LabelledProblem& problem);

// The busiest moment, the largest buffer and the end of the highest fixed one: the head is no smaller in any plan.
std::int64_t LoadBound(std::span<const PlanBuffer> buffers);

// The same of plans with this sharing that may move what is fixed too.
std::int64_t FreeLoadBound(const LabelledProblem& problem);

// Of a model: "peak after operator 2 CONV_2D: tensors 51 and 54, 55296 bytes". Of CSV (no model):
// "peak at time 7: buffers 'a' and 'b', 96 bytes". Where the plan's head is not that of the moment:
// "busiest moment at time 7: ...". No line break.
std::string PeakText(const ModelView* model, const LabelledProblem& problem, const BusiestMoment& peak,
                     std::optional<std::int64_t> head_bytes = std::nullopt);

// The same of a committed plan.
std::string PeakText(const ModelView& model, std::span<const PlanEntry> plan, std::span<const BufferAlias> sharing = {},
                     std::optional<std::int64_t> head_bytes = std::nullopt);

}  // namespace arenaproof
