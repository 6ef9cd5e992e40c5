// Plans by the name of a planner, for any problem that the planner can take.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/planner/optimal/optimal_planner.h"
#include "core/planner/optimal/plan_problem.h"
#include "tools/plans/plan_certificate.h"

namespace arenaproof {

// Of `--planner=NAME`, as the command line lists them.
inline constexpr const char* kPlannerNames[] = {"optimal", "greedy", "linear", "arena"};

// Of the optimal planner: a gigabyte of memory or less. With a limit of time fewer, as many as there is time to write
// them down.
inline constexpr std::uint64_t kMostMeetingsAlive = std::uint64_t{1} << 26;

struct MadePlan {
  std::string problem;          // why there is none, a sentence; empty: there is a plan, and it is certified
  PlanCertificate certificate;  // of a given plan that is refused
  std::vector<std::optional<std::int64_t>> offsets;
  std::int64_t peak_bytes = 0;         // the end of the highest buffer
  std::int64_t lower_bound_bytes = 0;  // proven: no plan's peak is smaller, of those that keep what is fixed
  std::size_t fixed_count = 0;         // buffers that the problem fixes
  // What is proven of plans that may move them too, and in which they share nothing: what is alive at once, and the
  // largest buffer.
  std::int64_t free_bound_bytes = 0;
  double seconds = 0;       // that planning took
  std::uint64_t steps = 0;  // of the optimal planner
  // Why that planner did not search: this is then the best plan of the others that take the problem. A sentence.
  std::string search_not_begun;

  bool proven_optimal() const { return problem.empty() && peak_bytes == lower_bound_bytes; }
  // The bound says nothing of plans in which a fixed buffer lies elsewhere.
  bool bound_needs_fixed() const { return fixed_count > 0 && lower_bound_bytes != free_bound_bytes; }
};

// Whether there is one offset for each buffer, in the order in which the runtime adds them; else a sentence.
std::string TakeGivenOffsets(std::span<const std::int64_t> given, const LabelledProblem& problem,
                             std::vector<std::optional<std::int64_t>>* offsets);

// Limits are the optimal planner's, which does not search beyond kMostMeetingsAlive
// (core/planner/optimal/section_problem.h). The greedy planner is the runtime's, offset for offset; it and the linear
// one know one alignment for all (sizes are rounded up to it) and no gaps, so that a buffer keeps its bytes through
// them. The arena planner's plan of a model is that of a set-up (LabelledProblem::arena_offsets); of a problem in CSV,
// which has buffers and no graph, `arena` is that planner's order and search alone, at the problem's alignment
// (core/planner/host/arena_head_planner.h). It and the linear planner take no fixed offsets. Buffers that the problem
// lets lie in the bytes of another move with it. A plan that is not certified is an error of this program:
// std::runtime_error. CheckProblem finds no fault in the problem.
MadePlan MakePlan(const std::string& planner, const LabelledProblem& problem, const PlanLimits& limits = {});

// Where the runtime's greedy planner puts everything else around fixed buffers, which may share bytes. Not certified.
std::vector<std::optional<std::int64_t>> PlaceAroundFixed(const LabelledProblem& problem);

// The same where fixed buffers share bytes while alive together, and alignments differ. Empty when no planner takes it.
std::vector<std::optional<std::int64_t>> PlaceAroundOverlap(LabelledProblem problem);

// The plan that somebody else has made, with the problem's sharing. One that is not certified is a problem.
MadePlan MakeGivenPlan(std::span<const std::int64_t> offsets, const LabelledProblem& problem);

}  // namespace arenaproof
