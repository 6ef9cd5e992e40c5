#include "tools/plans/made_plan.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

#include "core/planner/greedy_planner.h"
#include "core/planner/host/arena_head_planner.h"
#include "core/planner/linear_planner.h"
#include "core/planner/memory_planner.h"
#include "core/planner/optimal/section_problem.h"
#include "tools/plans/busiest_moment.h"
#include "tools/text/sentences.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

// Times as a planner of the runtime takes them: 32 bits, closed at both ends.
class ClosedTimes {
 public:
  explicit ClosedTimes(std::span<const PlanBuffer> buffers) {
    constexpr std::int64_t kLeast = -1, kMost = std::numeric_limits<std::int32_t>::max();
    for (const PlanBuffer& buffer : buffers) {
      fits_ = fits_ && buffer.lifetime.lower >= kLeast && buffer.lifetime.upper <= kMost;
      times_.push_back(buffer.lifetime.lower);
      times_.push_back(buffer.lifetime.upper);
    }
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
  }

  std::int32_t First(const PlanBuffer& buffer) const { return IsAlive(buffer) ? Rank(buffer.lifetime.lower) : -1; }
  std::int32_t Last(const PlanBuffer& buffer) const { return IsAlive(buffer) ? Rank(buffer.lifetime.upper) - 1 : -1; }

 private:
  static bool IsAlive(const PlanBuffer& buffer) { return buffer.lifetime.lower < buffer.lifetime.upper; }

  // Which lifetimes meet depends on the order of times alone.
  std::int32_t Rank(std::int64_t time) const {
    if (fits_) return static_cast<std::int32_t>(time);
    return static_cast<std::int32_t>(std::lower_bound(times_.begin(), times_.end(), time) - times_.begin());
  }

  bool fits_ = true;
  std::vector<std::int64_t> times_;
};

std::string PlacesItself(const std::string& planner, std::int64_t offset, const BufferLabel& label) {
  return "the planner '" + planner + "' places every buffer itself, and " + WhatItIs(label) + " is fixed at offset " +
         std::to_string(offset) + "; --planner=greedy and --planner=optimal keep it there" +
         (label.is_of_model() ? ", and a model's own plan is left aside with --ignore-plan" : "");
}

// A model's plan was made where its graph was at hand. Of CSV there are buffers only.
std::string PlanWithArena(const LabelledProblem& problem, MadePlan& plan) {
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const PlanBuffer& buffer = problem.buffers[i];
    if (buffer.offset) return PlacesItself("arena", *buffer.offset, problem.labels[i]);
  }
  if (problem.arena_offsets.size() != problem.buffers.size()) {
    throw std::logic_error("the arena planner was not asked for a plan of the model");
  }
  plan.offsets.assign(problem.arena_offsets.begin(), problem.arena_offsets.end());
  plan.seconds = problem.arena_seconds;
  return {};
}

std::string PlanWith(MemoryPlanner& planner, const LabelledProblem& problem, MadePlan& plan) {
  const std::vector<PlanBuffer> buffers = GroupedBuffers(problem);
  const ClosedTimes times(buffers);
  const std::int64_t alignment = buffers.empty() ? 1 : buffers.front().alignment;
  std::vector<std::byte> workspace(planner.WorkspaceBytes(buffers.size()));
  Status status = planner.Init(workspace);
  for (std::size_t i = 0; i < buffers.size() && status.ok(); ++i) {
    const PlanBuffer& buffer = buffers[i];
    if (buffer.alignment != alignment) {
      return "the planner '" + std::string(planner.name()) + "' knows one alignment for all, and " +
             WhatItIs(problem.labels[i]) + " asks for " + std::to_string(buffer.alignment) + " where " +
             WhatItIs(problem.labels.front()) + " asks for " + std::to_string(alignment) +
             "; --planner=optimal keeps each";
    }
    if (buffer.offset && !planner.supports_offline()) {
      return PlacesItself(planner.name(), *buffer.offset, problem.labels[i]);
    }
    const auto bytes = static_cast<std::size_t>((buffer.bytes + alignment - 1) / alignment * alignment);
    status = planner.AddBuffer(bytes, times.First(buffer), times.Last(buffer), buffer.offset.value_or(kOnline));
  }
  for (std::size_t i = 0; i < buffers.size() && status.ok(); ++i) {
    std::size_t offset = 0;
    status = planner.OffsetOf(i, &offset);
    plan.offsets[i] = static_cast<std::int64_t>(offset);
  }
  return status.ok() ? std::string() : Sentence(status);
}

// The optimal planner's first answers take time that grows with the square of these, and so does the arena planner.
constexpr std::size_t kMostBuffersForMoreAnswers = 20'000;

// Of the planners that take the problem the one with the lowest peak.
bool PlanWithBestOfOthers(const LabelledProblem& problem, MadePlan& plan) {
  GreedyPlanner greedy;
  ArenaHeadPlanner arena(1);
  std::optional<std::int64_t> best;
  for (MemoryPlanner* const planner : {static_cast<MemoryPlanner*>(&greedy), static_cast<MemoryPlanner*>(&arena)}) {
    if (planner == &arena && problem.buffers.size() > kMostBuffersForMoreAnswers) continue;
    MadePlan tried;
    tried.offsets.resize(problem.buffers.size());
    if (!PlanWith(*planner, problem, tried).empty()) continue;
    const std::int64_t peak = PeakOf(GroupedBuffers(problem), tried.offsets);
    if (best && *best <= peak) continue;
    best = peak;
    plan.offsets = std::move(tried.offsets);
  }
  return best.has_value();
}

// In a second as many are written down as this, and more; these few at once.
constexpr double kMeetingsInASecond = std::uint64_t{1} << 24, kMeetingsAtOnce = std::uint64_t{1} << 20;

std::uint64_t MostMeetings(const PlanLimits& limits) {
  if (!limits.time_limit) return kMostMeetingsAlive;
  return static_cast<std::uint64_t>(std::clamp(limits.time_limit->count() * kMeetingsInASecond, kMeetingsAtOnce,
                                               static_cast<double>(kMostMeetingsAlive)));
}

// Why there is no time or memory for the optimal planner. Empty when there is.
std::string TooMuchToSearch(std::span<const PlanBuffer> buffers, const PlanLimits& limits) {
  const std::uint64_t most = MostMeetings(limits), meetings = MeetingsAlive(buffers);
  if (meetings > most) {
    return "the planner 'optimal' keeps every pair of buffers that are alive together, at most " +
           std::to_string(most) + " of them" + (most < kMostMeetingsAlive ? " in this time" : "") + ", and here are " +
           std::to_string(meetings);
  }
  if (buffers.size() <= kMostBuffersForMoreAnswers) return {};
  return "the planner 'optimal' takes at most " + std::to_string(kMostBuffersForMoreAnswers) +
         " buffers, and here are " + std::to_string(buffers.size());
}

std::string PlanWithOptimal(const LabelledProblem& problem, const PlanLimits& limits, MadePlan& plan) {
  const std::vector<PlanBuffer> buffers = DisjointBuffers(problem);
  plan.search_not_begun = TooMuchToSearch(buffers, limits);
  const bool others_plan = !plan.search_not_begun.empty() && PlanWithBestOfOthers(problem, plan);
  // Where nobody else can plan, a plan is worth more than the time.
  if (!others_plan && MeetingsAlive(buffers) <= kMostMeetingsAlive) plan.search_not_begun.clear();
  if (!plan.search_not_begun.empty()) {
    if (!others_plan) {
      return plan.search_not_begun + "; the other planners know one alignment for all, and these have several";
    }
    plan.lower_bound_bytes = LoadBound(buffers);
    // What is alive at once takes as much: then there is nothing to search for.
    if (PeakOf(GroupedBuffers(problem), plan.offsets) == plan.lower_bound_bytes) {
      plan.search_not_begun.clear();
    } else {
      plan.search_not_begun += "; the search was not begun, and this is the best plan of the other planners";
    }
    return {};
  }
  const OptimalPlan optimal = PlanOptimally(buffers, limits);
  if (!optimal.ok()) throw std::runtime_error("a planner's problem that was checked is refused");
  std::copy_n(optimal.offsets.begin(), problem.buffers.size(), plan.offsets.begin());
  plan.lower_bound_bytes = optimal.lower_bound_bytes;
  plan.steps = optimal.steps;
  return {};
}

// What is said of a plan once its offsets are known.
void Complete(const LabelledProblem& problem, MadePlan& plan) {
  plan.certificate = CertifyPlan(problem, plan.offsets);
  if (!plan.certificate.ok()) {
    plan.problem = CertificateSentence(problem, plan.offsets, plan.certificate);
    return;
  }
  plan.peak_bytes = PeakOf(problem.buffers, plan.offsets);
  for (const PlanBuffer& buffer : problem.buffers) plan.fixed_count += buffer.offset ? 1 : 0;
  plan.free_bound_bytes = FreeLoadBound(problem);
  if (plan.peak_bytes < plan.lower_bound_bytes) throw std::runtime_error("a plan goes below its proven lower bound");
}

}  // namespace

std::string TakeGivenOffsets(std::span<const std::int64_t> given, const LabelledProblem& problem,
                             std::vector<std::optional<std::int64_t>>* offsets) {
  if (given.size() != problem.buffers.size()) {
    return "the plan has " + Counted(static_cast<long long>(given.size()), "offset") + ", and there are " +
           Counted(static_cast<long long>(problem.buffers.size()), "buffer") + " to place";
  }
  offsets->assign(given.begin(), given.end());
  return {};
}

std::vector<std::optional<std::int64_t>> PlaceAroundFixed(const LabelledProblem& problem) {
  GreedyPlanner greedy;
  MadePlan plan;
  plan.offsets.resize(problem.buffers.size());
  if (const std::string refused = PlanWith(greedy, problem, plan); !refused.empty()) throw std::runtime_error(refused);
  return plan.offsets;
}

std::vector<std::optional<std::int64_t>> PlaceAroundOverlap(LabelledProblem problem) {
  GreedyPlanner greedy;
  MadePlan plan;
  plan.offsets.resize(problem.buffers.size());
  if (PlanWith(greedy, problem, plan).empty()) return plan.offsets;
  problem.trusts_fixed = true;
  // Bytes that are shared stand there once for each time at which others come or go: there can be more than may be.
  if (CheckProblem(DisjointBuffers(problem)).fault != ProblemFault::kNone) return {};
  if (!PlanWithOptimal(problem, {.work_limit = 1000}, plan).empty()) return {};
  return plan.offsets;
}

MadePlan MakeGivenPlan(std::span<const std::int64_t> offsets, const LabelledProblem& problem) {
  MadePlan plan;
  plan.problem = TakeGivenOffsets(offsets, problem, &plan.offsets);
  if (!plan.problem.empty()) return plan;
  plan.lower_bound_bytes = LoadBound(DisjointBuffers(problem));
  Complete(problem, plan);
  return plan;
}

MadePlan MakePlan(const std::string& planner, const LabelledProblem& problem, const PlanLimits& limits) {
  const auto start = std::chrono::steady_clock::now();
  MadePlan plan;
  plan.offsets.resize(problem.buffers.size());
  if (planner == "optimal") {
    plan.problem = PlanWithOptimal(problem, limits, plan);
  } else if (planner == "greedy") {
    GreedyPlanner greedy;
    plan.problem = PlanWith(greedy, problem, plan);
  } else if (planner == "arena") {
    ArenaHeadPlanner arena(1);
    const bool is_model = !problem.labels.empty() && problem.labels.front().is_of_model();
    plan.problem = is_model ? PlanWithArena(problem, plan) : PlanWith(arena, problem, plan);
  } else {
    LinearPlanner linear;
    plan.problem = PlanWith(linear, problem, plan);
  }
  plan.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!plan.problem.empty()) return plan;
  for (const BufferAlias& alias : problem.sharing) plan.offsets[alias.buffer] = plan.offsets[alias.owner];
  if (planner != "optimal") plan.lower_bound_bytes = LoadBound(DisjointBuffers(problem));
  Complete(problem, plan);
  if (!plan.problem.empty()) {
    throw std::runtime_error("the plan of '" + planner + "' is not certified: " + plan.problem);
  }
  return plan;
}

}  // namespace arenaproof
